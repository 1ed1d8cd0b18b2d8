#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/run_source.hpp"

namespace foxbench::cli {

void add_show(const Registry& registry) {
    struct Options {
        std::string run = "latest";
        bool json = false;
        StoreOptions store;
        DaemonOption daemon;
        OutputOptions output;
    };
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("show", "Show a stored run's report or one of its tables",
                                 "  foxbench show\n"
                                 "  foxbench show 2026-09-15 --table per-call\n"
                                 "  foxbench show latest --format html -o run.html",
                                 [options] {
                                     if (options->json) options->output.format = "json";
                                     const auto runs = open_runs(options->store, options->daemon);
                                     options->output.write(runs->report(runs->resolve(options->run), options->output));
                                     return 0;
                                 });
    command.add_option("RUN", options->run, "an id, a unique beginning of one, or latest")->capture_default_str();
    command.add_flag("--json", options->json, "the same as --format json");
    options->output.add_to(command);
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
