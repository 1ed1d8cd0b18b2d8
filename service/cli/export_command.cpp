#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/run_source.hpp"
#include "service/document/json_text.hpp"

namespace foxbench::cli {

void add_export(const Registry& registry) {
    struct Options {
        std::string run = "latest";
        StoreOptions store;
        DaemonOption daemon;
        OutputOptions output;
        bool pretty = false;
    };
    const auto options = std::make_shared<Options>();
    auto& command = registry.add(
        "export", "Write a stored run's document, with every sample",
        "  foxbench export latest > run.json\n"
        "  foxbench export 2026-09-15_22 -o run.json\n"
        "  foxbench export latest | jq '.targets[0].launches[0].series[0].passes[0].latencies_us | length'",
        [options] {
            const auto runs = open_runs(options->store, options->daemon);
            auto text = runs->document(runs->resolve(options->run));
            if (options->pretty) text = document::to_text(document::parse_json(text, "the run document"), 2);
            options->output.write(text + "\n");
            return 0;
        });
    command.add_option("RUN", options->run, "an id, a unique beginning of one, or latest")->capture_default_str();
    command.add_option("-o,--output", options->output.file, "write to this file, all or nothing, instead of stdout")
        ->type_name("FILE");
    command.add_flag("--pretty", options->pretty, "indent the document");
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
