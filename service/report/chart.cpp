#include "service/report/chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "service/report/html_page.hpp"
#include "service/report/numbers.hpp"
#include "service/report/svg.hpp"
#include "service/report/text.hpp"

namespace foxbench::report {
namespace {

// Measures in the drawing's own unit; the page scales it to its width.
constexpr double kWidth = 1000;
constexpr double kLeft = 190;        // names of the series
constexpr double kRight = 100;       // room for a value behind the rightmost mark
constexpr double kLine = 19;         // height of one target's line in a band
constexpr double kBandPadding = 6;   // above and below the lines of a band
constexpr double kGroupHeight = 26;  // "PER CALL"
constexpr double kAxisHeight = 26;
constexpr double kMark = 5;  // half the width of a mark
constexpr double kCap = 4;   // half the height of a whisker's end
/// Series that are drawn; a report has about a dozen.
constexpr std::size_t kMostBands = 200;
/// What is not between a picosecond and a million seconds is no call's latency and would only squeeze the others.
constexpr double kLeastUs = 1e-6;
constexpr double kGreatestUs = 1e12;

/// A value of the axis: "50 µs", "1 ms", "20 s".
std::string tick_label(double us) {
    if (us >= 1e6) return in_full(us / 1e6) + " s";
    if (us >= 1e3) return in_full(us / 1e3) + " ms";
    return (us >= 1 ? decimal(us, 0) : decimal(us, us >= 0.1 ? 1 : 2)) + " µs";
}

struct Mark {
    std::size_t target;
    double mean_us;
    double least_us;
    double greatest_us;
};

struct Band {
    std::string series;
    std::vector<Mark> marks;
};

/// The logarithmic axis: from the last of 1, 2, 5, 10, ... below all marks to the first above them.
class Axis {
public:
    explicit Axis(const std::vector<Band>& bands) {
        double least = bands.front().marks.front().least_us, greatest = least;
        for (const auto& band : bands) {
            for (const auto& mark : band.marks) {
                least = std::min(least, mark.least_us);
                greatest = std::max(greatest, mark.greatest_us);
            }
        }
        constexpr std::array<double, 3> kSteps{1, 2, 5};
        const int last = static_cast<int>(std::ceil(std::log10(greatest))) + 1;
        for (int decade = static_cast<int>(std::floor(std::log10(least))) - 1; decade <= last; ++decade) {
            for (const double step : kSteps) ticks_.push_back(step * std::pow(10.0, decade));
        }
        const auto first_above = [&](double value) {
            return std::find_if(ticks_.begin(), ticks_.end(), [&](double tick) { return tick > value * 1.05; });
        };
        ticks_.erase(std::next(first_above(greatest)), ticks_.end());
        ticks_.erase(ticks_.begin(), std::prev(first_above(least / 1.15)));
        low_ = std::log(ticks_.front());
        high_ = std::log(ticks_.back());
    }

    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }
    [[nodiscard]] double x(double us) const {
        return kLeft + (std::log(us) - low_) / (high_ - low_) * (kWidth - kLeft - kRight);
    }
    /// Over more than two decades only powers of ten are labelled.
    [[nodiscard]] bool is_labelled(double tick) const {
        const double decade = std::log10(tick);
        return high_ - low_ < 2.1 * std::log(10.0) || std::fabs(decade - std::round(decade)) < 1e-6;
    }

private:
    std::vector<double> ticks_;
    double low_ = 0, high_ = 0;
};

/// Differs by target, so that the marks can be told apart without their colours.
std::string mark_at(double x, double y, std::size_t target) {
    const auto polygon = [&](std::initializer_list<std::pair<double, double>> corners) {
        std::string points;
        for (const auto& [dx, dy] : corners)
            points += (points.empty() ? "" : " ") + px(x + dx * kMark) + "," + px(y + dy * kMark);
        return "<polygon class=\"dot\" points=\"" + points + "\"/>";
    };
    switch (target % 4) {
        case 1:
            return polygon({{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}});
        case 2:
            return polygon({{-0.95, -0.95}, {0.95, -0.95}, {0.95, 0.95}, {-0.95, 0.95}});
        case 3:
            return polygon({{0, -1.25}, {1.25, 0.95}, {-1.25, 0.95}});
        default:
            return "<circle class=\"dot\" cx=\"" + px(x) + "\" cy=\"" + px(y) + "\" r=\"" + px(kMark) + "\"/>";
    }
}

std::vector<Band> bands_of(const std::vector<CostRow>& rows, const Tables& tables) {
    std::vector<Band> bands;
    for (const auto& row : rows) {
        if (bands.size() == kMostBands) break;
        Band band{row.series, {}};
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const double mean = row.cells[i].mean_us.value_or(0);
            if (!(mean >= kLeastUs && mean <= kGreatestUs)) continue;
            const auto& figures = find_row(tables.targets[i].rows, row.series)->figures;
            const double least = figures.mean_min_us.value_or(mean), greatest = figures.mean_max_us.value_or(mean);
            // A printed mean may lie outside of what the printed totals give.
            band.marks.push_back({i, mean, std::clamp(least, kLeastUs, mean), std::clamp(greatest, mean, kGreatestUs)});
        }
        if (!band.marks.empty()) bands.push_back(std::move(band));
    }
    return bands;
}

double height_of(const std::vector<Band>& bands) {
    double height = 0;
    for (const auto& band : bands) height += 2 * kBandPadding + kLine * static_cast<double>(band.marks.size());
    return height;
}

/// The targets' marks and names, in as many lines as they need. `height` grows by what they take.
std::string legend(const Tables& tables, double& height) {
    constexpr double kGap = 46, kLetter = 7.2;  // a letter of the page's font at its size, more or less
    std::string svg;
    double x = kLeft, y = height + 14;
    for (std::size_t i = 0; i < tables.targets.size(); ++i) {
        const auto& name = tables.targets[i].header;
        const double width = kGap + kLetter * static_cast<double>(name.size());
        if (x > kLeft && x + width > kWidth) {
            x = kLeft;
            y += kLine;
        }
        svg += "<g class=\"t" + std::to_string(i % kTargetColours) + "\">" + mark_at(x + kMark, y - 4, i) + "</g>" +
               text_at(x + kMark + 12, y, "start", "", name);
        x += width;
    }
    height = y + 16;
    return svg;
}

std::string marks(const Band& band, double y, const Axis& axis, const Tables& tables) {
    std::string svg;
    for (const auto& mark : band.marks) {
        const double least = axis.x(mark.least_us), greatest = axis.x(mark.greatest_us), mean = axis.x(mark.mean_us);
        svg += "<g class=\"t" + std::to_string(mark.target % kTargetColours) + "\"><title>" +
               html_text(band.series + ", " + tables.targets[mark.target].header + ": " + cost(mark.mean_us) +
                         " (passes " + cost(mark.least_us) + " to " + cost(mark.greatest_us) + ")") +
               "</title>";
        svg += "<path class=\"whisker\" d=\"M" + px(least) + " " + px(y - kCap) + "V" + px(y + kCap) + "M" + px(least) +
               " " + px(y) + "H" + px(greatest) + "M" + px(greatest) + " " + px(y - kCap) + "V" + px(y + kCap) + "\"/>";
        svg += mark_at(mean, y, mark.target) + "</g>\n";
        svg += text_at(std::max(greatest, mean + kMark) + 8, y + 4, "start", "soft", cost(mark.mean_us));
        y += kLine;
    }
    return svg;
}

}  // namespace

std::string dot_plot(const Tables& tables) {
    struct Group {
        const char* name;
        std::vector<Band> bands;
    };
    const std::array<Group, 2> groups{Group{"PER CALL", bands_of(tables.per_call, tables)},
                                      Group{"PER FILE", bands_of(tables.per_file, tables)}};
    std::vector<Band> all;
    for (const auto& group : groups) all.insert(all.end(), group.bands.begin(), group.bands.end());
    if (all.empty()) return {};
    const Axis axis(all);

    double top = 0;
    const auto names = legend(tables, top);
    top += kAxisHeight;
    double bottom = top + height_of(all);
    for (const auto& group : groups) bottom += group.bands.empty() ? 0 : kGroupHeight;

    std::string svg = "<svg viewBox=\"0 0 " + px(kWidth) + " " + px(bottom + kAxisHeight) +
                      "\" role=\"img\" aria-labelledby=\"plot-title plot-desc\">\n"
                      "<title id=\"plot-title\">Mean time per call of every series, on a logarithmic axis</title>\n"
                      "<desc id=\"plot-desc\">One mark a browser: the mean of the median pass; its whisker reaches "
                      "from the fastest to "
                      "the slowest pass. The tables below have the same figures.</desc>\n";
    svg += names;

    std::string drawing;
    double y = top;
    std::size_t count = 0;
    for (const auto& group : groups) {
        if (group.bands.empty()) continue;
        drawing += text_at(0, y + 17, "start", "group", group.name);
        y += kGroupHeight;
        for (const auto& band : group.bands) {
            const double height = 2 * kBandPadding + kLine * static_cast<double>(band.marks.size());
            if (count++ % 2 == 0) {
                svg += "<rect class=\"band\" x=\"0\" y=\"" + px(y) + "\" width=\"" + px(kWidth) + "\" height=\"" +
                       px(height) + "\" rx=\"4\"/>\n";
            }
            drawing += text_at(10, y + height / 2 + 4, "start", "", band.series);
            drawing += marks(band, y + kBandPadding + kLine / 2, axis, tables);
            y += height;
        }
    }
    for (const double tick : axis.ticks()) {
        const bool labelled = axis.is_labelled(tick);
        svg += line_at(axis.x(tick), top, axis.x(tick), bottom, labelled ? "grid" : "minor");
        if (!labelled) continue;
        svg += text_at(axis.x(tick), top - 8, "middle", "soft", tick_label(tick));
        svg += text_at(axis.x(tick), bottom + 17, "middle", "soft", tick_label(tick));
    }
    return svg + drawing + "</svg>\n";
}

}  // namespace foxbench::report
