#pragma once

#include <string>
#include <vector>

#include "service/history/series_history.hpp"

/// What the plots of a history are drawn from, whatever they are drawn with. Pure functions.
namespace foxbench::history {

/// A night in the plane: days since 1970, µs. Values are as measured and may lie outside of the axis.
struct PlotNight {
    const Night* night = nullptr;
    double day = 0;
    bool after_gap = false;  ///< nights are missing before it: no line comes from the one before
};

/// The level between two steps: the median of its nights that count.
struct PlotLevel {
    double from_day = 0, to_day = 0;
    double median_us = 0;
};

struct PlotStep {
    const Step* step = nullptr;
    double day = 0;  ///< between the last good and the first bad night
};

/// An axis from `low` to `high` with its ticks.
struct PlotAxis {
    double low = 0, high = 1;
    std::vector<double> ticks;
    int decimals = 0;  ///< that tell the ticks apart, in the unit below
    double unit = 1;   ///< 1 for µs, 1000 for ms
    const char* unit_name = "µs";

    [[nodiscard]] std::string label(double us) const;
};

/// It refers to the history: keep that alive.
struct PlotData {
    std::vector<PlotNight> nights;  ///< those with a value, oldest first
    std::vector<PlotLevel> levels;
    std::vector<PlotStep> steps;
    PlotAxis cost;
    double first_day = 0, last_day = 0;
};

/// The axis of cost holds every median of the nights that count (of all, where none does); whiskers may make it as high
/// again to each side, no more, so that one wild launch does not squeeze everything else.
[[nodiscard]] PlotData plot_data(const SeriesHistory& history, std::size_t most_ticks);

/// Days at which dates stand, at most so many.
[[nodiscard]] std::vector<double> date_ticks(double first_day, double last_day, std::size_t most);
/// "2026-09-16"
[[nodiscard]] std::string date_of(double day);

}  // namespace foxbench::history
