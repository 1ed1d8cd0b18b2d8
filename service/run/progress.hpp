#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/workload/plan.hpp"

namespace foxbench::run {

/// Where a run stands.
struct Progress {
    std::string target,
        series;  ///< what is being measured now; a case's name where it has several series; empty between launches
    std::int64_t launch = 1;  ///< of this target, from 1
    std::int64_t launches = 1;
    std::int64_t pass = 0;           ///< 0 is the warm-up
    std::int64_t passes = 0;         ///< measured ones of each series
    std::int64_t passes_stored = 0;  ///< of the whole run, warm-ups included
    std::int64_t passes_total = 0;
    std::optional<double> eta_seconds;  ///< nothing as long as a part of the plan has not been seen once
};

/// Estimates what is left from what the passes of each sequence took so far, with everything around them. Pure: the
/// time comes in.
class PassClock {
public:
    PassClock(const workload::Plan& plan, std::int64_t launches_of_all_targets);

    /// A pass of this sequence was stored, `seconds` after the one before it (or after the launch began to measure).
    void finished(std::size_t sequence, double seconds);
    /// A launch ended, with all of its passes or without.
    void launch_ended();

    [[nodiscard]] std::optional<double> eta_seconds() const;

private:
    struct Seen {
        double seconds = 0;
        std::int64_t passes = 0;
    };
    std::int64_t passes_a_sequence_ = 0;
    std::int64_t launches_left_ = 0;
    std::vector<Seen> seen_;
    std::vector<std::int64_t> done_;  ///< passes of each sequence in the present launch
};

}  // namespace foxbench::run
