#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text in columns for a terminal. Pure functions.
namespace foxbench::cli {

/// How many columns a text takes on a terminal: its code points, as far as UTF-8 goes; wide characters are not told
/// apart.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Rows with their cells padded to the widest of their column, two blanks between, no blanks at the ends of lines.
[[nodiscard]] std::string align_columns(const std::vector<std::vector<std::string>>& rows);

/// Pads the tables of a Markdown text, so that they read as tables on a terminal too; everything else stays. Columns
/// that the separator line marks as right-aligned are padded on the left.
[[nodiscard]] std::string align_markdown_tables(std::string_view markdown);

}  // namespace foxbench::cli
