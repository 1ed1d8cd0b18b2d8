#include "service/report/text.hpp"

#include <charconv>

namespace foxbench::report {
namespace {

/// Text with each of its characters that has a replacement replaced.
template <class Replacement>
std::string replaced(std::string_view text, Replacement replacement_of) {
    std::string result;
    result.reserve(text.size());
    for (const char c : text) {
        const std::string_view replacement = replacement_of(c);
        if (replacement.empty()) {
            result += c;
        } else {
            result += replacement;
        }
    }
    return result;
}

bool is_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
    return end.ec == std::errc{} && end.ptr == text.data() + text.size();
}

}  // namespace

std::string one_line(std::string_view text) {
    constexpr std::string_view kLineSeparator = "\u2028", kParagraphSeparator = "\u2029";
    std::string line;
    line.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
        if (byte == '\r' && next == '\n') continue;
        if (byte == '\n' || byte == '\r') {
            line += ' ';
        } else if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) {
            ++i;  // U+0080 to U+009F, the second set of control characters
        } else if (text.substr(i).starts_with(kLineSeparator) || text.substr(i).starts_with(kParagraphSeparator)) {
            line += ' ';
            i += kLineSeparator.size() - 1;
        } else if (byte >= 0x20 && byte != 0x7F) {
            line += text[i];
        }
    }
    return line;
}

std::string markdown_text(std::string_view text) {
    return replaced(one_line(text), [](char c) -> std::string_view {
        switch (c) {
            case '<':
                return "&lt;";
            case '>':
                return "&gt;";
            case '&':
                return "&amp;";
            default:
                return {};
        }
    });
}

std::string markdown_cell(std::string_view text) {
    return replaced(markdown_text(text), [](char c) -> std::string_view { return c == '|' ? "\\|" : ""; });
}

std::string markdown_code(std::string_view text) {
    return replaced(markdown_text(text), [](char c) -> std::string_view { return c == '`' ? "'" : ""; });
}

std::string html_text(std::string_view text) {
    return replaced(markdown_text(text), [](char c) -> std::string_view {
        switch (c) {
            case '"':
                return "&quot;";
            case '\'':
                return "&#39;";
            default:
                return {};
        }
    });
}

std::string csv_cell(std::string_view text) {
    constexpr std::string_view kFormulaStarts = "=+-@";
    std::string cell;
    if (!text.empty() && kFormulaStarts.find(text.front()) != std::string_view::npos && !is_number(text)) cell = "'";
    cell += text;
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    return '"' + replaced(cell, [](char c) -> std::string_view { return c == '"' ? "\"\"" : ""; }) + '"';
}

}  // namespace foxbench::report
