#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/history/series_history.hpp"
#include "service/stats/comparison.hpp"

/// What a run contributes to the histories. Pure; safe to call from any thread.
namespace foxbench::history {

/// A run's part in one series.
struct Contribution {
    SeriesKey key;
    std::size_t target = 0;  ///< its position in the run
    Point point;
};

/// What a nightly run (trigger "schedule") says of each of its series; empty for all other runs, and for those that
/// never enter a history: A/A runs and runs with a planted slowdown. A run that does not count (it is not completed,
/// its samples were never there, its launches were noisy) is there with the reason; a launch that is noisy does not
/// count where others are quiet. With `planted_too`, a planted slowdown keeps no run out.
[[nodiscard]] std::vector<Contribution> contributions(const document::RunDocument& run, bool planted_too = false);

/// How much the launches of one and the same build differ, from an A/A run.
struct AaResult {
    SeriesKey key;
    stats::AaSpread spread;
    double median_us = 0;     ///< of the launches
    bool compared = false;    ///< enough launches to compare its halves
    bool false_call = false;  ///< the halves, alternating as two targets would, were called different
};
/// Of a completed A/A run, for each target and series; empty for all other runs.
[[nodiscard]] std::vector<AaResult> aa_results(const document::RunDocument& run);

/// The series of a run, whatever the run is for: where its A/A spread is to be looked for.
[[nodiscard]] SeriesKey key_of(const document::RunDocument& run, const document::Target& target,
                               const document::Series& series);

/// The launch values of a series: the mean latency of each launch's median pass, in the launches' order; launches
/// without one are left out. With `quiet_only`, so are those that are noisy.
[[nodiscard]] std::vector<double> launch_means(const document::RunDocument& run, const document::Target& target,
                                               const std::string& series, bool quiet_only = false);

/// The night that a run belongs to: what its trigger says, else the date (UTC) of its beginning; empty where that is
/// not known.
[[nodiscard]] std::string night_of(const document::RunDocument& run);

}  // namespace foxbench::history
