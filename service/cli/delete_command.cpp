#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/run_source.hpp"

namespace foxbench::cli {
namespace {

struct Options {
    std::vector<std::string> runs;
    StoreOptions store;
    DaemonOption daemon;
    bool json = false;
};

int delete_runs(const Options& options) {
    const auto runs = open_runs(options.store, options.daemon);
    // All names are resolved first: a wrong one stops everything while nothing has been deleted.
    std::vector<std::string> ids;
    for (const auto& run : options.runs) {
        const auto id = runs->resolve(run);
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    for (const auto& id : ids) {
        runs->remove(id);
        if (!options.json) std::cout << id << "\n";
    }
    if (options.json) print_json(document::Json{{"deleted", ids}});
    return 0;
}

}  // namespace

void add_delete(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("delete", "Delete stored runs with their samples and reports; prints their ids",
                                 "  foxbench delete 2026-09-15_22-13-00-local-wal-full",
                                 [options] { return delete_runs(*options); });
    command.add_option("RUN", options->runs, "an id, a unique beginning of one, or latest")->required();
    command.add_flag("--json", options->json, "print the ids as JSON");
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
