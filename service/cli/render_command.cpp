#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"

namespace foxbench::cli {

void add_render(const Registry& registry) {
    struct Options {
        std::string file;
        OutputOptions output;
    };
    const auto options = std::make_shared<Options>();
    auto& command =
        registry.add("render", "Render a run document or a report from a file, without a store",
                     "  foxbench render run.json\n"
                     "  foxbench render results/2026-09-15_22-13-00/run.json.zst --format html -o run.html\n"
                     "  foxbench render run.json --table latency --format csv\n"
                     "  foxbench export latest | foxbench render -",
                     [options] {
                         options->output.write(options->output.render(read_document(options->file)));
                         return 0;
                     });
    command
        .add_option("FILE", options->file,
                    "run document (JSON, also compressed with zstd) or report (Markdown); - is stdin")
        ->required();
    options->output.add_to(command);
}

}  // namespace foxbench::cli
