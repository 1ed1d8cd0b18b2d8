#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

/// What the statistics of this folder do with samples. Pure functions; safe to call from any thread.
namespace foxbench::stats {

/// The values in ascending order. What is not a number comes last, so that a stray one cannot upset the sorting.
[[nodiscard]] inline std::vector<double> ascending(std::span<const double> values) {
    std::vector<double> sorted(values.begin(), values.end());
    std::sort(sorted.begin(), sorted.end(),
              [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); });
    return sorted;
}

/// The median of ascending values: the middle one, or the mean of the two in the middle; 0 for none.
[[nodiscard]] inline double median_of_ascending(std::span<const double> sorted) {
    if (sorted.empty()) return 0;
    const auto middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/// Whether all values have a logarithm.
[[nodiscard]] inline bool all_above_zero(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value > 0; });
}

/// Whether all values are one and the same; true for none.
[[nodiscard]] inline bool all_equal(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

}  // namespace foxbench::stats
