#include "service/cli/aligned.hpp"

#include <algorithm>

namespace foxbench::cli {
namespace {

using Row = std::vector<std::string>;

std::vector<std::size_t> column_widths(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
    }
    return widths;
}

std::string padding(const std::string& cell, std::size_t width) {
    return std::string(width - display_width(cell), ' ');
}

/// The cells between the bars of a table's line; a bar behind a backslash is a character.
Row split_cells(std::string_view line) {
    Row cells;
    std::string cell;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i] == '\\' && i + 1 < line.size()) {
            cell += line[i];
            cell += line[++i];
        } else if (line[i] == '|') {
            const auto first = cell.find_first_not_of(' ');
            cells.push_back(first == std::string::npos ? ""
                                                       : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
            cell.clear();
        } else {
            cell += line[i];
        }
    }
    return cells;
}

bool is_separator(const Row& row) {
    return !row.empty() && std::ranges::all_of(row, [](const std::string& cell) {
        return !cell.empty() && cell.find_first_not_of("-:") == std::string::npos;
    });
}

std::string align_table(const std::vector<Row>& table) {
    const Row& separator = table[1];
    std::vector<Row> content = table;
    content[1].assign(content[1].size(), "---");
    const auto widths = column_widths(content);
    std::string text;
    for (std::size_t r = 0; r < table.size(); ++r) {
        for (std::size_t c = 0; c < table[r].size(); ++c) {
            const bool right = c < separator.size() && separator[c].ends_with(':');
            text += "| ";
            if (r == 1) {
                text += std::string(widths[c] - (right ? 1 : 0), '-') + (right ? ":" : "");
            } else {
                const auto blanks = padding(table[r][c], widths[c]);
                text += right ? blanks + table[r][c] : table[r][c] + blanks;
            }
            text += ' ';
        }
        text += "|\n";
    }
    return text;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string align_columns(const std::vector<Row>& rows) {
    const auto widths = column_widths(rows);
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + padding(row[i], widths[i]) + "  ";
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string align_markdown_tables(std::string_view markdown) {
    std::string text;
    std::vector<Row> table;
    std::string raw;
    const auto flush = [&] {
        text += table.size() >= 2 && is_separator(table[1]) ? align_table(table) : raw;
        table.clear();
        raw.clear();
    };
    while (!markdown.empty()) {
        const auto end = markdown.find('\n');
        const auto line = markdown.substr(0, end);
        if (line.starts_with('|')) {
            table.push_back(split_cells(line));
            raw += std::string(line) + '\n';
        } else {
            flush();
            text += std::string(line) + (end == std::string_view::npos ? "" : "\n");
        }
        if (end == std::string_view::npos) break;
        markdown.remove_prefix(end + 1);
    }
    flush();
    return text;
}

}  // namespace foxbench::cli
