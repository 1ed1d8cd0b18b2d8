#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/run_source.hpp"

namespace foxbench::cli {
namespace {

struct Options {
    std::vector<std::string> files;
    StoreOptions store;
    DaemonOption daemon;
    bool json = false;
};

int import_files(const Options& options) {
    // All are read before the first is stored: one that is wrong stops the import while nothing has been done.
    std::vector<document::RunDocument> documents;
    for (const auto& file : options.files) documents.push_back(read_document(file));

    const auto runs = open_runs(options.store, options.daemon, store::Store::Mode::create);
    auto list = document::Json::array();
    for (const auto& document : documents) {
        const auto imported = runs->import_document(document);
        if (options.json) {
            list.push_back({{"id", imported.id}, {"already_there", imported.already_there}});
        } else {
            std::cout << imported.id << "\n";
            if (imported.already_there) std::cerr << imported.id << " is there already\n";
        }
    }
    if (options.json) print_json(list);
    return 0;
}

}  // namespace

void add_import(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("import", "Store run documents and Markdown reports; prints their ids",
                                 "  foxbench import run.json summary.md\n"
                                 "  foxbench show $(foxbench import summary.md)",
                                 [options] { return import_files(*options); });
    command
        .add_option("FILE", options->files,
                    "run documents (JSON, also compressed with zstd) or reports (Markdown); - is stdin")
        ->required();
    command.add_flag("--json", options->json, "print the ids as JSON");
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
