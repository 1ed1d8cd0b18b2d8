#pragma once

#include <string>
#include <vector>

#include "service/compare/comparison.hpp"
#include "service/report/render.hpp"

namespace foxbench::compare {

/// Comparisons as text, ending with one newline. The Markdown is to be pasted into a bug report: which builds, where
/// they differ, the table, what cannot be told and how many launches it needs. CSV has a row a series and comparison;
/// HTML is one page that needs nothing from anywhere. With `explain` every verdict's filters follow, each with its
/// value and threshold.
[[nodiscard]] std::string render(const std::vector<Comparison>& comparisons, report::Format format, bool explain);

}  // namespace foxbench::compare
