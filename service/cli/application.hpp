#pragma once

#include <string>
#include <vector>

namespace foxbench::cli {

/// Runs the command line: results to stdout, everything else to stderr. Returns the exit code: 0 done; 1 failed; 2
/// wrong usage or configuration; 3 the result is invalid or partial (docs/design.md). `arguments` begin with the
/// program's name.
[[nodiscard]] int run_application(const std::vector<std::string>& arguments);

}  // namespace foxbench::cli
