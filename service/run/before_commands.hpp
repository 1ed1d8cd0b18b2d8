#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bidi/task.hpp"

namespace foxbench::run {

/// Runs command lines with /bin/sh one after the other, in `folder`, each in a process group of its own that dies with
/// this process: what installs the new build before a nightly run. `tell` gets a line when one begins and what it
/// printed when it has ended.
///
/// Throws foxbench::Error (environment) at the first one that does not exit with 0, with the end of what it printed.
/// Cancellation kills the command. On the event loop's thread.
[[nodiscard]] bidi::Task<> run_before_commands(std::vector<std::string> commands, std::filesystem::path folder,
                                               std::function<void(const std::string&)> tell);

}  // namespace foxbench::run
