#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/document/run_document.hpp"

namespace foxbench::cli {

void add_version(const Registry& registry) {
    const auto json = std::make_shared<bool>(false);
    auto& command = registry.add("version", "Say which foxbench this is", "  foxbench version --json", [json] {
        const document::Json version = {{"foxbench", FOXBENCH_VERSION},
                                        {"document_version", document::kVersion},
                                        {"build_type", FOXBENCH_BUILD_TYPE},
                                        {"compiler", __VERSION__},
                                        {"boost", BOOST_LIB_VERSION}};
        if (*json) {
            print_json(version);
        } else {
            std::cout << "foxbench " FOXBENCH_VERSION " (run documents of version " << document::kVersion
                      << "; " FOXBENCH_BUILD_TYPE << ", GCC " __VERSION__ ", Boost " BOOST_LIB_VERSION ")\n";
        }
        return 0;
    });
    command.add_flag("--json", *json, "print as JSON");
}

}  // namespace foxbench::cli
