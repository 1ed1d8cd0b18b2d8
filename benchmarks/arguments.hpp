#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "bidi/task.hpp"

namespace foxbench::benchmarks {

/// What every benchmark can be told.
struct Arguments {
    std::filesystem::path firefox;   ///< absolute
    int rounds = 10;                 ///< of each contestant
    std::filesystem::path scratch;   ///< for profiles and results; removed at the end
    std::filesystem::path workload;  ///< the folder of opfs-sync-write, whose page is loaded
};

/// The `main` of a benchmark: reads the options, runs the coroutine on an event loop of this thread, and turns what it
/// throws into one line and exit code 1.
/// @param about one sentence for --help
int run_benchmark(int argc, char** argv, const std::string& about, std::function<bidi::Task<>(Arguments)> benchmark);

}  // namespace foxbench::benchmarks
