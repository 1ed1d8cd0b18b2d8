#include "service/compare/interval_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "service/compare/wording.hpp"
#include "service/report/svg.hpp"
#include "service/report/text.hpp"

namespace foxbench::compare {
namespace {

using report::line_at;
using report::px;

constexpr double kWidth = 180;
constexpr double kHeight = 24;
constexpr double kMargin = 8;  // room for a mark at the very end of the scale
constexpr double kMiddle = kHeight / 2;
constexpr double kMark = 4.5;
constexpr double kCap = 4;
/// What the scale may reach to, so that one wild interval does not squeeze all others.
constexpr std::array kReaches{0.05, 0.1, 0.2, 0.5, 1.0};

/// The colour of a verdict: a class of the page's style.
const char* style_of(stats::Verdict verdict) {
    switch (verdict) {
        case stats::Verdict::slower:
            return "slower";
        case stats::Verdict::faster:
            return "faster";
        case stats::Verdict::same:
            return "same";
        case stats::Verdict::cannot_tell:
            break;
    }
    return "unclear";
}

std::string path(const char* style, const std::string& points) {
    return std::string("<path class=\"") + style + "\" d=\"" + points + "\"/>";
}

}  // namespace

IntervalPlot::IntervalPlot(const std::vector<const SeriesRow*>& rows) : reach_(kReaches.front()) {
    double farthest = 0;
    for (const SeriesRow* row : rows) {
        const auto& of = row->verdict;
        if (!of.shift.relative) continue;
        farthest = std::max({farthest, std::fabs(*of.shift.relative), of.threshold});
        if (const auto& interval = of.shift.relative_interval)
            farthest = std::max({farthest, std::fabs(interval->low), std::fabs(interval->high)});
    }
    const auto enough = std::ranges::find_if(kReaches, [&](double reach) { return reach >= farthest; });
    reach_ = enough == kReaches.end() ? kReaches.back() : *enough;
}

double IntervalPlot::x(double fraction) const {
    return kWidth / 2 + std::clamp(fraction / reach_, -1.0, 1.0) * (kWidth / 2 - kMargin);
}

std::string IntervalPlot::of(const SeriesRow& row) const {
    const auto& of = row.verdict;
    if (!of.shift.relative || !std::isfinite(*of.shift.relative)) return {};
    std::string svg = "<svg class=\"interval\" viewBox=\"0 0 " + px(kWidth) + " " + px(kHeight) + "\" width=\"" +
                      px(kWidth) + "\" height=\"" + px(kHeight) + "\" role=\"img\"><title>" +
                      report::html_text(row.series + ": " + shift(of.shift) + ", " + verdict(of)) + "</title>";
    const double low = x(-of.threshold), high = x(of.threshold);
    svg += "<rect class=\"threshold\" x=\"" + px(low) + "\" y=\"0\" width=\"" + px(high - low) + "\" height=\"" +
           px(kHeight) + "\"/>";
    svg += line_at(x(0), 0, x(0), kHeight, "zero");
    svg += std::string("<g class=\"") + style_of(of.verdict) + "\">";
    if (const auto& interval = of.shift.relative_interval) {
        const double from = x(interval->low), to = x(interval->high);
        svg += path("whisker", "M" + px(from) + " " + px(kMiddle) + "H" + px(to));
        // A cap where the interval ends, a triangle where it goes on.
        const auto end = [&](double at, double bound, double outwards) {
            const std::string top = px(kMiddle - kCap), bottom = px(kMiddle + kCap);
            if (std::fabs(bound) <= reach_) return path("whisker", "M" + px(at) + " " + top + "V" + bottom);
            return path("dot", "M" + px(at) + " " + top + "L" + px(at + outwards * kCap) + " " + px(kMiddle) + "L" +
                                   px(at) + " " + bottom + "Z");
        };
        svg += end(from, interval->low, interval->low < 0 ? -1 : 1);
        svg += end(to, interval->high, interval->high < 0 ? -1 : 1);
    }
    if (std::fabs(*of.shift.relative) <= reach_) {
        svg += "<circle class=\"dot\" cx=\"" + px(x(*of.shift.relative)) + "\" cy=\"" + px(kMiddle) + "\" r=\"" +
               px(kMark) + "\"/>";
    }
    return svg + "</g></svg>";
}

}  // namespace foxbench::compare
