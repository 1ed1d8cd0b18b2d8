#include "service/report/text.hpp"

#include <charconv>

#include "service/document/json_text.hpp"

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

/// How many bytes the control character at the start of the text has; 0 where there is none. C1 (U+0080 to U+009F) has
/// two.
std::size_t control_length(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x20 || first == 0x7F) return 1;
    const bool is_c1 = first == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0;
    return is_c1 ? 2 : 0;
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
        const auto rest = text.substr(i);
        if (rest.starts_with("\r\n")) continue;
        if (rest.front() == '\n' || rest.front() == '\r') {
            line += ' ';
        } else if (rest.starts_with(kLineSeparator) || rest.starts_with(kParagraphSeparator)) {
            line += ' ';
            i += kLineSeparator.size() - 1;
        } else if (const auto length = control_length(rest); length > 0) {
            i += length - 1;
        } else {
            line += rest.front();
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
    std::string cell;
    std::size_t backslashes = 0;  // before here, without anything between
    for (const char c : markdown_text(text)) {
        // Each would escape the next one, and an even number of them leave the bar to end the cell.
        if (c == '|') cell.append(backslashes + 1, '\\');
        cell += c;
        backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return cell;
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

std::string terminal_text(std::string_view text, std::size_t max_bytes) {
    // Once more at the end: only in UTF-8 that is sound can every control character be seen.
    return one_line(document::printable(one_line(text), max_bytes));
}

std::string xml_text(std::string_view text) {
    // U+FFFE and U+FFFF are the only ones left that are no characters of XML 1.0.
    constexpr std::string_view kFirst = "\xEF\xBF\xBE", kSecond = "\xEF\xBF\xBF";
    std::string line = html_text(terminal_text(text, text.size()));
    for (const auto none : {kFirst, kSecond}) {
        for (auto at = line.find(none); at != std::string::npos; at = line.find(none, at))
            line.replace(at, none.size(), "?");
    }
    return line;
}

std::string csv_cell(std::string_view text) {
    constexpr std::string_view kFormulaStarts = "=+-@", kKept = "\t\r\n";
    std::string cell;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto length = control_length(text.substr(i));
        if (length == 0 || kKept.find(text[i]) != std::string_view::npos)
            cell += text[i];
        else
            i += length - 1;
    }
    const auto start = cell.find_first_not_of(kKept);
    const bool like_formula = start != std::string::npos && kFormulaStarts.find(cell[start]) != std::string_view::npos;
    if (like_formula && !is_number(cell)) cell.insert(0, 1, '\'');
    if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
    return '"' + replaced(cell, [](char c) -> std::string_view { return c == '"' ? "\"\"" : ""; }) + '"';
}

}  // namespace foxbench::report
