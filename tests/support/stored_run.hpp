#pragma once

#include <string>

#include "service/document/run_document.hpp"
#include "tests/support/program.hpp"

namespace foxbench::testing_support {

/// The newest run of a store, as `foxbench export` gives it.
inline document::RunDocument newest_run(const std::string& results) {
    const auto exported = foxbench({"export", "latest", "--results", results});
    if (exported.exit_code != 0) throw std::runtime_error(exported.err);
    return document::parse(exported.out, "export");
}

/// Whether no profile of a launch is left in `results`/profiles: templates may stay.
inline bool no_profile_left(const std::string& results) {
    const std::filesystem::path profiles = results + "/profiles";
    if (!std::filesystem::exists(profiles)) return true;
    for (const auto& entry : std::filesystem::directory_iterator(profiles)) {
        if (entry.path().filename() != "templates") return false;
    }
    return true;
}

}  // namespace foxbench::testing_support
