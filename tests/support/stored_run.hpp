#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"
#include "tests/support/program.hpp"

namespace foxbench::testing_support {

/// The newest run of a store, as `foxbench export` gives it.
inline document::RunDocument newest_run(const std::string& results) {
    const auto exported = foxbench({"export", "latest", "--results", results});
    if (exported.exit_code != 0) throw std::runtime_error(exported.err);
    return document::parse(exported.out, "export");
}

/// The profiles of launches that are left in `results`/profiles: templates may stay.
inline std::vector<std::string> profiles_left(const std::string& results) {
    const std::filesystem::path profiles = results + "/profiles";
    std::vector<std::string> left;
    if (!std::filesystem::exists(profiles)) return left;
    for (const auto& entry : std::filesystem::directory_iterator(profiles)) {
        if (entry.path().filename() != "templates") left.push_back(entry.path());
    }
    return left;
}

inline bool no_profile_left(const std::string& results) {
    return profiles_left(results).empty();
}

}  // namespace foxbench::testing_support
