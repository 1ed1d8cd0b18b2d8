#pragma once

#include <string>
#include <vector>

#include "service/history/series_history.hpp"

/// Words that the plots of a history have in common, unescaped. Pure functions.
namespace foxbench::history {

/// "small-append, nightly on lab-1"
[[nodiscard]] std::string subject(const SeriesKey& key);
/// "opfs-sync-write: calls=2000, bytes=4096"
[[nodiscard]] std::string work(const SeriesKey& key);

/// From the level before to the level after, a fraction: its shift, or what its medians say where the shift is no
/// share; empty where neither can be had.
[[nodiscard]] std::optional<double> size_of(const Step& step);
/// The same in percent with its sign; in µs where there is no share.
[[nodiscard]] std::string size_in_words(const Step& step);

/// "158.0a1 20260916094500 (1f0e9d8c7b6a)", as far as it is known.
[[nodiscard]] std::string build_in_words(const Build& build);

/// "40.0 µs (39.0 to 41.0 µs, 3 launches)"
[[nodiscard]] std::string cost_of(const Night& night);

/// What is said below a plot.
struct SummaryLine {
    std::string name, text;
};
/// Last night, spread, smallest step, each step with its builds, missing and unused nights, the note. Long lists are
/// cut to their latest, and say so.
[[nodiscard]] std::vector<SummaryLine> summary_lines(const SeriesHistory& history);

}  // namespace foxbench::history
