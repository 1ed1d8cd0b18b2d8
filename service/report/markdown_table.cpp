#include "service/report/markdown_table.hpp"

namespace foxbench::report {

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const auto& cell : cells) row += " " + cell + " |";
    return row + "\n";
}

std::string markdown_table_head(const std::vector<std::string>& columns, std::size_t text_columns) {
    std::string rule = "|";
    for (std::size_t i = 0; i < columns.size(); ++i) rule += i < text_columns ? "---|" : "---:|";
    return markdown_row(columns) + rule + "\n";
}

}  // namespace foxbench::report
