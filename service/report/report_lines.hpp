#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What reading a Markdown report takes: its lines, its tables' cells, its figures.
namespace foxbench::report {

[[nodiscard]] constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Whether all of `text` is valid UTF-8, without control characters other than line breaks and tabs.
[[nodiscard]] bool is_text(std::string_view text);

/// A figure as tables print it: "1,048,576", "26.9", of at most 15 digits. Empty for anything else, as for what is
/// negative.
[[nodiscard]] std::optional<double> number_from(std::string_view text);
/// The same for one without decimals.
[[nodiscard]] std::optional<std::int64_t> integer_from(std::string_view text);

/// Free text with its entities `&lt;`, `&gt;` and `&amp;` undone.
[[nodiscard]] std::string unescaped(std::string_view text);

/// The parts between separators; one part where there is none.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, std::string_view separator);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

/// Whether `line` begins with `start`; `rest` is then what follows.
[[nodiscard]] bool after(std::string_view line, std::string_view start, std::string_view& rest);

/// The lines of a report from top to bottom, without their ends. `text` has to outlive it.
class ReportLines {
public:
    ReportLines(std::string_view text, std::string_view origin);

    [[nodiscard]] bool at_end() const { return rest_.empty(); }
    /// The next line, which stays. Empty at the end.
    [[nodiscard]] std::string_view peek() const;
    /// The next line. Empty at the end.
    std::string_view take();

    /// Whether the next line is one of a table.
    [[nodiscard]] bool at_row() const { return peek().starts_with("|"); }
    /// Skips empty lines; fails where no table follows.
    void skip_to_table();
    /// The next line's cells, trimmed, `\|` and entities undone. Fails where there are none.
    std::vector<std::string> take_cells();

    /// Throws foxbench::Error (usage): "summary.md:12: expected ...: not a foxbench report" for the line taken last.
    [[noreturn]] void fail(const std::string& expected) const;

private:
    std::string_view rest_;
    std::string origin_;
    std::size_t number_ = 0;
};

}  // namespace foxbench::report
