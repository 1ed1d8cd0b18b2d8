#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "service/client/daemon_client.hpp"
#include "tests/support/program.hpp"

namespace foxbench::testing_support {

/// All that requests could change: what a daemon has, as it tells it, and the files in its results folder. Equal text
/// is nothing changed.
inline std::string standing_of(const client::DaemonClient& daemon, const std::filesystem::path& results) {
    std::string text;
    for (const char* what : {"/v1/runs?limit=1000", "/v1/queue", "/v1/baselines", "/v1/alerts", "/v1/schedules",
                             "/v1/deliveries", "/v1/log-level", "/v1/targets"})
        text += daemon.get(what).body + "\n";
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(results)) {
        // The database's are others whenever it is looked at.
        if (!entry.path().filename().string().starts_with("foxbench.db")) files.push_back(entry.path().string());
    }
    std::ranges::sort(files);
    for (const auto& file : files) text += file + "\n";
    return text;
}

}  // namespace foxbench::testing_support
