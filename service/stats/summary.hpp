#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "service/document/run_document.hpp"

/// Figures of measured passes. Pure functions; safe to call from any thread.
namespace foxbench::stats {

/// The nearest-rank percentile of ascending `sorted`: the element at index ceil(percent/100 x n) - 1
/// (docs/report-format.md, "Figures"). `percent` is clamped to 1..100. Empty for no values.
[[nodiscard]] std::optional<double> percentile(std::span<const double> sorted, int percent);

/// Which of `totals` belongs to the median pass: the one at place floor((n - 1) / 2) once sorted, so that the figures
/// shown are always those of a pass that really took place. Equal totals keep their order. Empty for no passes.
[[nodiscard]] std::optional<std::size_t> median_pass(std::span<const double> totals);

/// What a report says about one series of one target. A figure that cannot be had (no calls, a total of zero, an
/// imported report that does not print it) is empty.
struct SeriesFigures {
    document::SeriesSummary summary;    ///< of the median pass; minima and maxima are over all measured passes
    std::optional<double> mean_us;      ///< total of the median pass / its calls
    std::optional<double> mean_min_us;  ///< smallest and largest mean of a pass
    std::optional<double> mean_max_us;
    std::size_t passes = 0;  ///< measured passes; 0 where nobody knows how many, as of an imported report
};

/// Figures of one series over all its launches: their measured passes together are "the passes", be their samples there
/// or not (measured_passes.hpp), and warm-ups do not count. Where no pass is known, the summaries stand for them:
/// figures of the one with the median total, extremes over all of them.
///
/// mean = total / calls, ops/s = calls / total, MB/s = bytes_total / 10^6 / total.
[[nodiscard]] SeriesFigures summarise(std::span<const document::Series* const> launches);
/// The same for a series of one launch.
[[nodiscard]] SeriesFigures summarise(const document::Series& series);

}  // namespace foxbench::stats
