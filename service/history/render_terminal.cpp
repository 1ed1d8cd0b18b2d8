#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "service/history/plot_data.hpp"
#include "service/history/render.hpp"
#include "service/history/wording.hpp"
#include "service/report/text.hpp"
#include "service/text/words.hpp"

namespace foxbench::history {
namespace {

constexpr std::size_t kRows = 12;
/// Narrower than this there is no plot to be seen; wider than this nobody's terminal is.
constexpr std::size_t kFewestColumns = 40;
constexpr std::size_t kMostColumns = 500;
constexpr std::size_t kMostCostTicks = 5;
/// Bytes of a line of words; a long one wraps.
constexpr std::size_t kMostLineBytes = 400;

/// Dots of a braille character (Unicode, "Braille Patterns"): two columns of four rows each.
constexpr std::size_t kDotColumns = 2;
constexpr std::size_t kDotRows = 4;
constexpr std::array<std::array<unsigned char, kDotColumns>, kDotRows> kDots{
    {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}};

/// U+2800 with these dots, as UTF-8.
std::string braille(unsigned char dots) {
    std::string text = "\xE2";
    text += static_cast<char>(0xA0 | (dots >> 6));
    text += static_cast<char>(0x80 | (dots & 0x3F));
    return text;
}

/// The plane of a plot: dots, and marks of a whole character where there are none.
class Canvas {
public:
    Canvas(const PlotData& data, std::size_t columns)
        : data_(data), columns_(columns), dots_(columns * kRows, 0), marks_(columns * kRows, nullptr) {}

    void dot(double day, double us) {
        const auto x = place(day, columns_ * kDotColumns);
        const auto y = height(us, kRows * kDotRows);
        dots_[y / kDotRows * columns_ + x / kDotColumns] |= kDots[y % kDotRows][x % kDotColumns];
    }
    void mark(double day, double us, const char* text) {
        marks_[height(us, kRows) * columns_ + place(day, columns_)] = text;
    }
    void column(double day, const char* text) {
        for (std::size_t row = 0; row < kRows; ++row) marks_[row * columns_ + place(day, columns_)] = text;
    }
    void line(double from_day, double to_day, double us, const char* text) {
        const auto row = height(us, kRows);
        for (auto x = place(from_day, columns_); x <= place(to_day, columns_); ++x) marks_[row * columns_ + x] = text;
    }

    /// Where a cost is among so many rows, from the top; at the edge where it lies outside.
    [[nodiscard]] std::size_t height(double us, std::size_t rows) const {
        const double share = (us - data_.cost.low) / (data_.cost.high - data_.cost.low);
        const auto last = static_cast<double>(rows) - 1;
        return static_cast<std::size_t>(std::lround(last - std::clamp(share, 0.0, 1.0) * last));
    }

    [[nodiscard]] std::string row(std::size_t row) const {
        std::string text;
        for (std::size_t x = 0; x < columns_; ++x) {
            const auto at = row * columns_ + x;
            if (dots_[at] != 0)
                text += braille(dots_[at]);
            else
                text += marks_[at] ? marks_[at] : " ";
        }
        return text.substr(0, text.find_last_not_of(' ') + 1);
    }

private:
    [[nodiscard]] std::size_t place(double day, std::size_t columns) const {
        const double days = data_.last_day - data_.first_day;
        const double share = days > 0 ? (day - data_.first_day) / days : 0.5;
        return static_cast<std::size_t>(std::lround(share * (static_cast<double>(columns) - 1)));
    }

    const PlotData& data_;
    std::size_t columns_;
    std::vector<unsigned char> dots_;
    std::vector<const char*> marks_;
};

void draw(Canvas& canvas, const PlotData& data) {
    // What comes later stands above what came before; dots above all.
    for (const auto& level : data.levels) canvas.line(level.from_day, level.to_day, level.median_us, "╌");
    for (const auto& step : data.steps) canvas.column(step.day, "│");
    for (const auto& one : data.nights) {
        if (one.night->used)
            canvas.dot(one.day, one.night->median_us);
        else
            canvas.mark(one.day, one.night->median_us, "○");
    }
}

std::string plot(const PlotData& data, std::size_t columns) {
    std::array<std::string, kRows> labels;
    std::size_t label_width = text::count_characters(data.cost.unit_name);
    const Canvas grid(data, 1);
    for (const double tick : data.cost.ticks) {
        auto& label = labels[grid.height(tick, kRows)];
        label = data.cost.label(tick);
        label_width = std::max(label_width, label.size());
    }
    const auto width = columns - std::min(columns - 1, label_width + 2);
    Canvas canvas(data, width);
    draw(canvas, data);

    std::string text(label_width - text::count_characters(data.cost.unit_name), ' ');
    text.append(data.cost.unit_name).append("\n");
    for (std::size_t row = 0; row < kRows; ++row) {
        text.append(label_width - labels[row].size(), ' ').append(labels[row]);
        text.append(labels[row].empty() ? " │" : " ┤").append(canvas.row(row)).append("\n");
    }
    text.append(label_width + 1, ' ').append("└");
    for (std::size_t x = 0; x < width; ++x) text += "─";
    const auto first = date_of(data.first_day), last = date_of(data.last_day);
    text.append("\n").append(label_width + 2, ' ').append(first);
    if (first != last && width > first.size() + last.size())
        text.append(width - first.size() - last.size(), ' ').append(last);
    return text + "\n";
}

std::string words(const std::string& text) {
    return report::terminal_text(text, kMostLineBytes);
}

}  // namespace

std::string to_terminal(const SeriesHistory& history, std::size_t columns) {
    columns = std::clamp(columns, kFewestColumns, kMostColumns);
    const auto data = plot_data(history, kMostCostTicks);
    std::string text = words(subject(history.key)) + "\n" + words(work(history.key)) + "\n";
    if (!data.nights.empty()) {
        text += "\n" + plot(data, columns);
        text += "dots: medians of nights   ○ not used   │ step   ╌ level\n";
    }
    text += "\n";
    constexpr std::size_t kNameWidth = 16;
    for (const auto& line : summary_lines(history)) {
        text.append(line.name).append(kNameWidth - std::min(kNameWidth - 1, line.name.size()), ' ');
        text.append(words(line.text)).append("\n");
    }
    return text;
}

}  // namespace foxbench::history
