#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "service/stats/shift.hpp"

/// Where the level of a series of values changed: E-divisive with means (D. S. Matteson and N. A. James, "A
/// Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", 2014; its use for nightly
/// benchmarks: D. Daly et al., "The Use of Change Point Detection to Identify Software Performance Regressions", 2020).
/// Pure functions; safe to call from any thread.
namespace foxbench::stats {

struct ChangePointOptions {
    std::size_t min_segment = 3;  ///< values on each side of a change
    std::size_t min_values = 12;  ///< fewer are too little history: no change is looked for
    std::size_t shuffles = 999;   ///< of the permutation test
    double significance = 0.002;  ///< a segment is split while p is at most this
    double merge_below = 0.02;    ///< neighbouring segments whose medians differ by less (a fraction) are one
    std::uint64_t seed = 0;       ///< the same question gives the same answer: seed_of(the series' id)
};

/// One change.
struct ChangePoint {
    std::size_t index = 0;                     ///< of the first value of the new level
    double left_median = 0, right_median = 0;  ///< of the segments beside it
    Shift shift;                               ///< between those segments
    double p = 1;                              ///< of the permutation test
};

/// The changes in time order.
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options);

/// A number that depends on the text alone, the same on every machine.
[[nodiscard]] std::uint64_t seed_of(std::string_view text);

/// The divergence of the halves at `tau` of values (m = tau on the left, k on the right): m k/(m + k) (2A - B - C), A
/// being the mean |x - y| across, B and C within (over the m(m-1)/2 pairs; 0 for one value). Computed plainly: what the
/// detector's faster way is tested against.
[[nodiscard]] double divergence(std::span<const double> values, std::size_t tau);

}  // namespace foxbench::stats
