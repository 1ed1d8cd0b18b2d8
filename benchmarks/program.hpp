#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

namespace foxbench::benchmarks {

using Environment = std::map<std::string, std::string>;

/// This process's environment with `more` over it.
[[nodiscard]] Environment environment_with(const Environment& more);

/// Starts a program. `arguments` come without its name; the two descriptors become its stdin and stdout. Throws
/// std::system_error.
[[nodiscard]] pid_t start_program(const std::filesystem::path& program, std::vector<std::string> arguments,
                                  const Environment& more, int input, int output);

/// Waits for its end; its exit code, or 128 and the signal's number as in a shell.
int wait_for_program(pid_t pid);

/// Runs a program to its end, its stdin and stdout being /dev/null; its exit code as above.
int run_program(const std::filesystem::path& program, std::vector<std::string> arguments);

}  // namespace foxbench::benchmarks
