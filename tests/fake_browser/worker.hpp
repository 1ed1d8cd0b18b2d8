#pragma once

#include <cstddef>
#include <cstdint>

#include "bidi/json.hpp"

namespace foxbench::fake_browser {

using bidi::json;

/// What the worker of opfs-sync-write would say (service/measure/page/runtime.js), without measuring anything. Pure.
class Worker {
public:
    /// @param plan what the page was given for its worker
    /// @param latency_us what a call takes; every third takes a step of the clock more
    Worker(json plan, double latency_us);

    [[nodiscard]] json environment() const;
    [[nodiscard]] std::size_t passes() const;
    /// The message of a pass, in the order in which they are due; it began at `now_ms` of the wall clock.
    [[nodiscard]] json pass(std::size_t number, double now_ms) const;

private:
    [[nodiscard]] std::int64_t calls(const json& sequence) const;

    json plan_;
    double latency_us_;
};

}  // namespace foxbench::fake_browser
