#pragma once

#include <string>
#include <vector>

#include "service/compare/comparison.hpp"

namespace foxbench::compare {

/// Shifts with their intervals, each a drawing of its own on one scale, so that they can be read below each other.
/// Pure; safe to call from any thread.
class IntervalPlot {
public:
    /// The scale reaches as far as the largest interval or threshold of `rows`, from 5 % to 100 % to each side.
    explicit IntervalPlot(const std::vector<const SeriesRow*>& rows);

    /// How far the scale reaches to each side, a fraction.
    [[nodiscard]] double reach() const noexcept { return reach_; }

    /// An SVG element for a page of report::html_page(): no change as a line, ± threshold as a band, the interval as a
    /// whisker (with a triangle at an end that lies beyond the scale), the shift as a mark; with a title for those who
    /// do not see it. Empty where the row has no relative shift.
    [[nodiscard]] std::string of(const SeriesRow& row) const;

private:
    [[nodiscard]] double x(double fraction) const;

    double reach_;
};

}  // namespace foxbench::compare
