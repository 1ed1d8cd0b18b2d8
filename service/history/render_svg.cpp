#include <algorithm>
#include <cmath>

#include "service/history/plot_data.hpp"
#include "service/history/render.hpp"
#include "service/history/wording.hpp"
#include "service/report/numbers.hpp"
#include "service/report/svg.hpp"
#include "service/report/text.hpp"

namespace foxbench::history {
namespace {

using report::line_at;
using report::px;
using report::text_at;
using report::xml_text;

constexpr double kWidth = 900;
constexpr double kHeight = 320;
constexpr double kLeft = 64;  // labels of the axis
constexpr double kRight = 24;
constexpr double kTop = 66;     // title, what was measured, sizes of steps
constexpr double kBottom = 34;  // dates
constexpr std::size_t kMostCostTicks = 6;
constexpr std::size_t kMostDateTicks = 8;
/// Sizes of steps that would stand in each other are left out; so much room does one need.
constexpr double kStepLabelWidth = 62;
/// Letters of names: what is longer would run out of the drawing.
constexpr std::size_t kMostTitleBytes = 110;
/// Up to so many nights can be pointed at; more lie too close to each other.
constexpr std::size_t kMostHints = 400;
/// From this many nights on marks are small, so that they do not hide each other.
constexpr std::size_t kManyNights = 150;

constexpr const char* kStyle =
    ":root { color-scheme: light dark; --page: #ffffff; --ink: #18212f; --soft: #5b6677; --line: #e0e4ea;"
    " --cost: #2159d3; --level: #d9660b; --slower: #a8361c; --faster: #0f7b46; }\n"
    "@media (prefers-color-scheme: dark) { :root { --page: #191f29; --ink: #e4e9f1; --soft: #98a4b5; --line: #2c3543;"
    " --cost: #74a5ff; --level: #ffa24d; --slower: #ff9b80; --faster: #6ddca1; } }\n"
    "text { font: 12px system-ui, \"Segoe UI\", Roboto, \"Noto Sans\", \"DejaVu Sans\", sans-serif; fill: var(--ink); "
    "}\n"
    ".title { font-size: 14px; font-weight: 600; } .soft { fill: var(--soft); }\n"
    ".page { fill: var(--page); } .grid { stroke: var(--line); } .hint { fill: none; pointer-events: all; }\n"
    ".whiskers { stroke: var(--cost); stroke-width: 1; opacity: .45; fill: none; }\n"
    ".line { stroke: var(--cost); stroke-width: 1; opacity: .5; fill: none; }\n"
    ".used { stroke: var(--cost); stroke-linecap: round; fill: none; }\n"
    ".unused { stroke: var(--cost); stroke-width: 1.2; fill: var(--page); }\n"
    ".level { stroke: var(--level); stroke-width: 1.8; fill: none; }\n"
    ".step { stroke-width: 1.2; stroke-dasharray: 4 3; } line.slower { stroke: var(--slower); }\n"
    "line.faster { stroke: var(--faster); } text.slower { fill: var(--slower); } text.faster { fill: var(--faster); "
    "}\n";

/// Where days and costs are in the drawing.
class Plane {
public:
    explicit Plane(const PlotData& data) : data_(data) {}

    [[nodiscard]] double x(double day) const {
        const double days = data_.last_day - data_.first_day;
        const double share = days > 0 ? (day - data_.first_day) / days : 0.5;
        return kLeft + kInset + share * (kWidth - kLeft - kRight - 2 * kInset);
    }
    /// What lies outside of the axis is at its edge.
    [[nodiscard]] double y(double us) const {
        const double share = (us - data_.cost.low) / (data_.cost.high - data_.cost.low);
        return kHeight - kBottom - std::clamp(share, 0.0, 1.0) * (kHeight - kTop - kBottom);
    }

private:
    static constexpr double kInset = 8;  // no mark on the axis itself
    const PlotData& data_;
};

std::string path(const char* style, const std::string& points, const std::string& more = {}) {
    if (points.empty()) return {};
    return std::string("<path class=\"") + style + "\"" + more + " d=\"" + points + "\"/>\n";
}

std::string description(const SeriesHistory& history, const PlotData& data) {
    std::string text = std::to_string(data.nights.size()) + " nights";
    if (!data.nights.empty())
        text += " from " + data.nights.front().night->night + " to " + data.nights.back().night->night;
    text +=
        ". A mark is a night's median over its launches, hollow where it does not count; its whisker reaches from "
        "the fastest to the slowest launch; missing nights are gaps.";
    for (const auto& line : summary_lines(history))
        text.append(" ").append(line.name).append(": ").append(line.text).append(".");
    return text;
}

std::string axes(const PlotData& data, const Plane& plane) {
    std::string svg;
    for (const double tick : data.cost.ticks) {
        svg += line_at(kLeft, plane.y(tick), kWidth - kRight, plane.y(tick), "grid");
        svg += text_at(kLeft - 8, plane.y(tick) + 4, "end", "soft", data.cost.label(tick));
    }
    svg += text_at(kLeft - 8, kTop - 8, "end", "soft", data.cost.unit_name);
    for (const double day : date_ticks(data.first_day, data.last_day, kMostDateTicks)) {
        svg += line_at(plane.x(day), kHeight - kBottom, plane.x(day), kHeight - kBottom + 5, "grid");
        svg += text_at(plane.x(day), kHeight - kBottom + 20, "middle", "soft", date_of(day));
    }
    return svg;
}

std::string levels(const PlotData& data, const Plane& plane) {
    constexpr double kLeastHalfWidth = 4;  // a level of one night can be seen, too
    std::string points;
    for (const auto& level : data.levels) {
        double from = plane.x(level.from_day), to = plane.x(level.to_day);
        if (to - from < 2 * kLeastHalfWidth) {
            from -= kLeastHalfWidth;
            to += kLeastHalfWidth;
        }
        points += "M" + px(from) + " " + px(plane.y(level.median_us)) + "H" + px(to);
    }
    return path("level", points);
}

/// All marks of a kind are one path: thousands of nights are still a small file.
std::string marks(const PlotData& data, const Plane& plane) {
    const double radius = data.nights.size() < kManyNights ? 3 : 1.5;
    std::string whiskers, line, used, unused;
    const std::string circle = "a" + px(radius) + " " + px(radius) + " 0 1 0 " + px(2 * radius) + " 0a" + px(radius) +
                               " " + px(radius) + " 0 1 0 " + px(-2 * radius) + " 0";
    bool drawing = false;
    for (const auto& [night, day, after_gap] : data.nights) {
        const double at_x = plane.x(day);
        const std::string x = px(at_x), y = px(plane.y(night->median_us));
        if (night->low_us && night->high_us) {
            whiskers.append("M").append(x).append(" ").append(px(plane.y(*night->low_us)));
            whiskers.append("V").append(px(plane.y(*night->high_us)));
        }
        if (after_gap) drawing = false;
        if (!night->used) {
            unused.append("M").append(px(at_x - radius)).append(" ").append(y).append(circle);
            continue;
        }
        line.append(drawing ? "L" : "M").append(x).append(" ").append(y);
        used.append("M").append(x).append(" ").append(y).append("h0");
        drawing = true;
    }
    return path("whiskers", whiskers) + path("line", line) +
           path("used", used, " stroke-width=\"" + px(2 * radius) + "\"") + path("unused", unused);
}

std::string steps(const PlotData& data, const Plane& plane) {
    std::string svg;
    double free_from = 0;
    for (const auto& [step, day] : data.steps) {
        const char* direction = step->slower() ? "slower" : "faster";
        const double x = plane.x(day);
        svg += line_at(x, kTop, x, kHeight - kBottom, step->slower() ? "step slower" : "step faster");
        if (x - kStepLabelWidth / 2 < free_from) continue;
        svg += text_at(x, kTop - 6, "middle", direction, size_in_words(*step));
        free_from = x + kStepLabelWidth / 2;
    }
    return svg;
}

/// What a pointer over a night is told.
std::string hints(const PlotData& data, const Plane& plane) {
    if (data.nights.size() > kMostHints) return {};
    std::string svg;
    const double width = (kWidth - kLeft - kRight) / static_cast<double>(std::max<std::size_t>(data.nights.size(), 1));
    for (const auto& one : data.nights) {
        std::string text = one.night->night + ": " + cost_of(*one.night);
        if (const auto build = build_in_words(one.night->build); !build.empty()) text.append(", ").append(build);
        if (!one.night->used) text.append("; not used: ").append(one.night->not_used);
        svg += "<rect class=\"hint\" x=\"" + px(plane.x(one.day) - width / 2) + "\" y=\"" + px(kTop) + "\" width=\"" +
               px(width) + "\" height=\"" + px(kHeight - kTop - kBottom) + "\"><title>" + xml_text(text) +
               "</title></rect>\n";
    }
    return svg;
}

std::string shortened(const std::string& text) {
    return report::terminal_text(text, kMostTitleBytes);
}

}  // namespace

std::string to_svg(const SeriesHistory& history) {
    const auto data = plot_data(history, kMostCostTicks);
    const Plane plane(data);
    const auto size = " width=\"" + px(kWidth) + "\" height=\"" + px(kHeight) + "\"";
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(kWidth) + " " + px(kHeight) +
                      "\"" + size + " role=\"img\" aria-labelledby=\"title desc\">\n<title id=\"title\">" +
                      xml_text(subject(history.key)) + "</title>\n<desc id=\"desc\">" +
                      xml_text(description(history, data)) + "</desc>\n<style>\n" + kStyle + "</style>\n";
    svg += "<rect class=\"page\" x=\"0\" y=\"0\"" + size + "/>\n";
    svg += text_at(kLeft, 20, "start", "title", shortened(subject(history.key)));
    svg += text_at(kLeft, 38, "start", "soft", shortened(work(history.key)));
    if (data.nights.empty()) {
        svg += text_at(kWidth / 2, kHeight / 2, "middle", "soft", "No nights yet");
    } else {
        // Many marks are a cloud, which would hide its level.
        const bool cloud = data.nights.size() >= kManyNights;
        svg += axes(data, plane) + steps(data, plane) +
               (cloud ? marks(data, plane) + levels(data, plane) : levels(data, plane) + marks(data, plane));
        svg += hints(data, plane);
    }
    return svg + "</svg>\n";
}

}  // namespace foxbench::history
