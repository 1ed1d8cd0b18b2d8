#pragma once

#include <string>
#include <vector>

#include "service/config/config.hpp"

/// A configuration as a whole: shown, checked against the workloads, compared with another.
namespace foxbench::config {

/// Everything with its defaults filled in, as the file could say it; secrets are files and stay there. Pure.
[[nodiscard]] Json to_json(const Config& config);

/// What differs, a line each: "schedules.nightly.cron: 0 2 * * * -> 0 3 * * *". Pure.
[[nodiscard]] std::vector<std::string> describe_changes(const Config& before, const Config& after);

/// Which of the changes a running daemon cannot follow ("server.listen", "results"); empty: all can be followed. Pure.
[[nodiscard]] std::vector<std::string> changes_that_need_a_restart(const Config& before, const Config& after);

/// Checks what parse_config() leaves out since it reads nothing but the text: that the workloads, presets and
/// parameters of the defaults and the schedules exist, and that the files with secrets are in order. Throws Error
/// (usage) with the place of the member that is wrong, as parse_config() does.
void check_references(const Config& config);

}  // namespace foxbench::config
