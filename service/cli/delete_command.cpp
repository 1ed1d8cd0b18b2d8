#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/store/results_folder.hpp"

namespace foxbench::cli {
namespace {

struct Options {
    std::vector<std::string> runs;
    StoreOptions store;
    bool json = false;
};

int delete_runs(const Options& options) {
    auto store = options.store.open_existing();
    // All names are resolved first: a wrong one stops everything while nothing has been deleted.
    std::vector<std::string> ids;
    for (const auto& run : options.runs) {
        const auto id = store.resolve(run);
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    }
    for (const auto& id : ids) {
        store.remove(id);
        store::remove_run_folder(store.results_dir(), id);
        if (!options.json) std::cout << id << "\n";
    }
    if (options.json) std::cout << document::Json{{"deleted", ids}}.dump(2) << "\n";
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
    options->store.add_to(command);
}

}  // namespace foxbench::cli
