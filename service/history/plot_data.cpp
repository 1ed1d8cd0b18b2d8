#include "service/history/plot_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "service/document/utc_time.hpp"
#include "service/report/numbers.hpp"

namespace foxbench::history {
namespace {

constexpr double kDayMs = 24.0 * 60 * 60 * 1000;
/// From here on the axis is in ms, as costs are (docs/report-format.md, "Number formats").
constexpr double kFirstMs = 10'000;
/// A median beyond this is no cost of a call, and is not drawn.
constexpr double kGreatestUs = 1e12;
/// Free room above and below, a share of the height.
constexpr double kPadding = 0.08;
/// The axis spans at least this share of its values: smaller wiggles are not blown up to fill it.
constexpr double kSmallestSpan = 0.04;

double day_of(const Night& night) {
    const auto at = document::utc_milliseconds(night.night);
    return static_cast<double>(at ? *at : night.at_ms) / kDayMs;
}

double day_of(const std::string& night, double fallback) {
    const auto at = document::utc_milliseconds(night);
    return at ? static_cast<double>(*at) / kDayMs : fallback;
}

double median_of(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The smallest of 1, 2, 5, 10, ... that is at least `least`.
double nice_step(double least) {
    constexpr std::array<double, 3> kSteps{1, 2, 5};
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double step : kSteps) {
        if (step * decade >= least * (1 - 1e-9)) return step * decade;
    }
    return 10 * decade;
}

std::vector<PlotNight> nights_of(const SeriesHistory& history) {
    std::vector<PlotNight> nights;
    nights.reserve(history.nights.size());
    auto missing = history.missing.begin();
    for (const auto& night : history.nights) {
        if (!(std::fabs(night.median_us) <= kGreatestUs)) continue;
        PlotNight one;
        one.night = &night;
        one.day = day_of(night);
        if (!nights.empty()) one.day = std::max(one.day, nights.back().day);
        while (missing != history.missing.end() && *missing < night.night) {
            one.after_gap = !nights.empty();
            ++missing;
        }
        nights.push_back(one);
    }
    return nights;
}

std::vector<PlotLevel> levels_of(const SeriesHistory& history, const std::vector<PlotNight>& nights) {
    std::vector<PlotLevel> levels;
    std::vector<double> values;
    PlotLevel level;
    auto step = history.steps.begin();
    const auto finish = [&] {
        if (values.empty()) return;
        level.median_us = median_of(values);
        levels.push_back(level);
        values.clear();
    };
    for (const auto& one : nights) {
        if (!one.night->used) continue;
        while (step != history.steps.end() && one.night->night >= step->first_bad) {
            finish();
            ++step;
        }
        if (values.empty()) level.from_day = one.day;
        level.to_day = one.day;
        values.push_back(one.night->median_us);
    }
    finish();
    return levels;
}

PlotAxis cost_axis(const std::vector<PlotNight>& nights, std::size_t most_ticks) {
    PlotAxis axis;
    if (nights.empty()) return axis;
    const bool any_used = std::ranges::any_of(nights, [](const PlotNight& one) { return one.night->used; });
    double low = 0, high = 0, farthest_low = 0, farthest_high = 0;
    bool first = true;
    for (const auto& [night, day, after_gap] : nights) {
        if (any_used && !night->used) continue;
        const double median = night->median_us;
        // In this order what is no number is not taken.
        const double least = std::min(median, night->low_us.value_or(median));
        const double greatest = std::max(median, night->high_us.value_or(median));
        low = first ? median : std::min(low, median);
        high = first ? median : std::max(high, median);
        farthest_low = first ? least : std::min(farthest_low, least);
        farthest_high = first ? greatest : std::max(farthest_high, greatest);
        first = false;
    }
    const double span = std::max(high - low, kSmallestSpan * std::max(std::fabs(high), std::fabs(low)));
    axis.low = std::max(farthest_low, low - span);
    axis.high = std::min(farthest_high, high + span);
    const double lacking = std::max(0.0, span - (axis.high - axis.low)) / 2;
    const double padding = lacking + kPadding * span + (span > 0 ? 0 : 1);
    const bool positive = axis.low >= 0;
    axis.low -= padding;
    axis.high += padding;
    if (positive) axis.low = std::max(axis.low, 0.0);

    if (axis.high >= kFirstMs) {
        axis.unit = 1000;
        axis.unit_name = "ms";
    }
    const double step = nice_step((axis.high - axis.low) / static_cast<double>(std::max<std::size_t>(most_ticks, 1)));
    for (double i = std::ceil(axis.low / step); i * step <= axis.high; ++i) axis.ticks.push_back(i * step);
    axis.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step / axis.unit) + 1e-9)), 0, 6);
    return axis;
}

}  // namespace

std::string PlotAxis::label(double us) const {
    return report::decimal(us / unit, decimals);
}

PlotData plot_data(const SeriesHistory& history, std::size_t most_ticks) {
    PlotData data;
    data.nights = nights_of(history);
    data.cost = cost_axis(data.nights, most_ticks);
    if (data.nights.empty()) return data;
    data.first_day = data.nights.front().day;
    data.last_day = data.nights.back().day;
    data.levels = levels_of(history, data.nights);
    for (const auto& step : history.steps) {
        const double good = day_of(step.last_good, data.first_day), bad = day_of(step.first_bad, data.last_day);
        data.steps.push_back({&step, std::clamp((good + bad) / 2, data.first_day, data.last_day)});
    }
    return data;
}

std::vector<double> date_ticks(double first_day, double last_day, std::size_t most) {
    /// Days, weeks, and about months and years.
    constexpr std::array<double, 12> kSteps{1, 2, 7, 14, 30, 61, 91, 182, 365, 730, 1826, 3652};
    const double span = last_day - first_day;
    std::vector<double> ticks;
    double step = kSteps.back();
    for (const double each : kSteps) {
        if (span / each < static_cast<double>(most)) {
            step = each;
            break;
        }
    }
    for (double day = std::ceil(first_day); day <= last_day && ticks.size() < most; day += step) ticks.push_back(day);
    return ticks;
}

std::string date_of(double day) {
    constexpr std::size_t kDateLength = 10;
    return document::utc_text(static_cast<std::int64_t>(day * kDayMs)).substr(0, kDateLength);
}

}  // namespace foxbench::history
