#pragma once

#include <cstddef>
#include <string>

#include "service/history/series_history.hpp"

/// A history as text and picture. Pure functions.
namespace foxbench::history {

/// For programs: key, nights, missing ones, steps, outlook; figures in full, with units in the names.
[[nodiscard]] document::Json to_json(const SeriesHistory& history);
/// A row a night: series, host, target, night, run, median_us, low_us, high_us, launches, build_id, version,
/// source_stamp, used, not_used, step.
[[nodiscard]] std::string to_csv(const SeriesHistory& history);
/// One SVG document: the nights' medians with whiskers over time, gaps left open, unused nights hollow, steps as
/// vertical lines with their size, the level of each segment; light or dark as the reader's system is; title and
/// description for those who do not see it.
[[nodiscard]] std::string to_svg(const SeriesHistory& history);
/// For a terminal of this many columns: the plot in block or braille characters with its axes, and a line each for the
/// last night, the spread, the smallest step that can be seen, each step with builds, and what is missing.
[[nodiscard]] std::string to_terminal(const SeriesHistory& history, std::size_t columns);

}  // namespace foxbench::history
