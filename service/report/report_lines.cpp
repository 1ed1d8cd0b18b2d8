#include "service/report/report_lines.hpp"

#include <algorithm>
#include <charconv>

#include "service/error.hpp"
#include "service/report/text.hpp"
#include "service/text/words.hpp"

namespace foxbench::report {
namespace {

/// Columns that a row may have: three a target.
constexpr std::size_t kMostCells = 512;
/// What a message quotes of a report at most.
constexpr std::size_t kLongestMessage = 300;
/// A run document holds numbers up to 2^53 - 1, which has 16 digits.
constexpr std::size_t kMostDigits = 15;

/// How many bytes the UTF-8 sequence at the start of `text` has; 0 where there is none (RFC 3629, section 4).
std::size_t utf8_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
    const auto continues = [&](std::size_t i) { return byte(i) >= 0x80 && byte(i) <= 0xBF; };
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        const bool overlong = first == 0xE0 && byte(1) < 0xA0, surrogate = first == 0xED && byte(1) > 0x9F;
        return continues(1) && continues(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        const bool overlong = first == 0xF0 && byte(1) < 0x90, too_large = first == 0xF4 && byte(1) > 0x8F;
        return continues(1) && continues(2) && continues(3) && !overlong && !too_large ? 4 : 0;
    }
    return 0;
}

/// Digits and at most one point, commas between thousands taken out; empty where it is no figure.
std::string plain_digits(std::string_view text) {
    const auto whole = text.substr(0, text.find('.'));
    const auto decimals = text.substr(whole.size());
    const auto are_digits = [](std::string_view part) { return std::all_of(part.begin(), part.end(), is_digit); };
    std::string digits;
    const auto groups = split(whole, ',');
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto length = groups[i].size();
        const bool right_length = groups.size() == 1 ? length > 0 : i == 0 ? length >= 1 && length <= 3 : length == 3;
        if (!right_length || !are_digits(groups[i])) return {};
        digits += groups[i];
    }
    if (!decimals.empty() && (decimals.size() == 1 || !are_digits(decimals.substr(1)))) return {};
    digits += decimals;
    return digits.size() > kMostDigits ? std::string() : digits;
}

template <class Value>
std::optional<Value> value_from(std::string_view text) {
    const auto digits = plain_digits(text);
    Value value{};
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || end.ec != std::errc{} || end.ptr != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

}  // namespace

bool is_text(std::string_view text) {
    if (text::has_control_characters(text, true)) return false;
    while (!text.empty()) {
        const auto length = utf8_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::optional<double> number_from(std::string_view text) {
    return value_from<double>(text);
}

std::optional<std::int64_t> integer_from(std::string_view text) {
    return value_from<std::int64_t>(text);
}

std::string unescaped(std::string_view text) {
    struct Entity {
        std::string_view name;
        char character;
    };
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        std::size_t taken = 1;
        char character = text.front();
        for (const Entity entity : {Entity{"&lt;", '<'}, Entity{"&gt;", '>'}, Entity{"&amp;", '&'}}) {
            if (!text.starts_with(entity.name)) continue;
            character = entity.character;
            taken = entity.name.size();
        }
        result += character;
        text.remove_prefix(taken);
    }
    return result;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    for (auto at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
        parts.push_back(text.substr(0, at));
        text.remove_prefix(at + separator.size());
    }
    parts.push_back(text);
    return parts;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    return split(text, std::string_view(&separator, 1));
}

bool after(std::string_view line, std::string_view start, std::string_view& rest) {
    if (!line.starts_with(start)) return false;
    rest = line.substr(start.size());
    return true;
}

ReportLines::ReportLines(std::string_view text, std::string_view origin) : rest_(text), origin_(origin) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (rest_.starts_with(kByteOrderMark)) rest_.remove_prefix(kByteOrderMark.size());
}

std::string_view ReportLines::peek() const {
    auto line = rest_.substr(0, rest_.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

std::string_view ReportLines::take() {
    const auto line = peek();
    const auto end = rest_.find('\n');
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    ++number_;
    return line;
}

void ReportLines::skip_to_table() {
    while (!at_end() && peek().empty()) take();
    if (!at_row()) fail("expected a table");
}

std::vector<std::string> ReportLines::take_cells() {
    auto line = trimmed(take());
    if (line.size() < 2 || !line.starts_with('|') || !line.ends_with('|')) fail("expected a table's row, between '|'");
    line.remove_prefix(1);
    std::vector<std::string> cells;
    std::string cell;
    std::size_t backslashes = 0;  // before here, without anything between
    for (const char character : line) {
        // Before a bar each second one is escaped by the one before it; the last of an odd number escapes the bar.
        if (character == '|') cell.resize(cell.size() - (backslashes + 1) / 2);
        const bool escaped = backslashes % 2 == 1;
        backslashes = character == '\\' ? backslashes + 1 : 0;
        if (character == '|' && !escaped) {
            cells.push_back(unescaped(trimmed(cell)));
            cell.clear();
            if (cells.size() > kMostCells) fail("expected at most " + std::to_string(kMostCells) + " columns");
        } else {
            cell += character;
        }
    }
    if (cells.empty()) fail("expected cells between '|'");
    return cells;
}

void ReportLines::fail(const std::string& expected) const {
    // Cut where a character begins.
    auto what = one_line(expected).substr(0, kLongestMessage);
    while (!is_text(what)) what.pop_back();
    throw Error(ErrorCode::usage,
                origin_ + ":" + std::to_string(number_ == 0 ? 1 : number_) + ": " + what + ": not a foxbench report");
}

}  // namespace foxbench::report
