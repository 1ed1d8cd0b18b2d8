#pragma once

#include <string>
#include <vector>

/// Tables in Markdown, of cells that are escaped already. Pure functions.
namespace foxbench::report {

/// "| a | b |" with its line end.
[[nodiscard]] std::string markdown_row(const std::vector<std::string>& cells);

/// The header with the line under it: the first `text_columns` are text, all others are figures and stand to the right.
[[nodiscard]] std::string markdown_table_head(const std::vector<std::string>& columns, std::size_t text_columns = 1);

}  // namespace foxbench::report
