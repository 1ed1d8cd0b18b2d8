#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "bidi/task.hpp"
#include "service/config/config.hpp"

namespace foxbench::run {

/// What the wait for a quiet machine came to.
struct QuietOutcome {
    bool quiet = true;  ///< false: the time was over before, and measuring goes on all the same
    std::chrono::milliseconds waited{};
    std::optional<double> load_1m;  ///< at the end; nothing where it cannot be read, which counts as quiet
};

/// Waits until the load of the last minute is below `quiet.load_below`, at most `quiet.wait`. `tell` is called once
/// when it has to wait. `load` gives the load now and `pause` is how often it is asked; tests put others in their
/// place.
[[nodiscard]] bidi::Task<QuietOutcome> wait_until_quiet(config::Quiet quiet,
                                                        std::function<void(const std::string&)> tell,
                                                        std::function<std::optional<double>()> load = {},
                                                        std::chrono::milliseconds pause = std::chrono::seconds(5));

}  // namespace foxbench::run
