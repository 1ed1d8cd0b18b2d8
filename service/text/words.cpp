#include "service/text/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>

#include "service/error.hpp"

namespace foxbench::text {
namespace {

/// Numbers travel through JSON and JavaScript, where beyond this they are no longer exact.
constexpr std::int64_t kMaxExactInteger = std::int64_t{1} << 53;

struct Unit {
    std::string_view name;
    std::int64_t factor;
};

constexpr std::array kSizeUnits{Unit{"GiB", std::int64_t{1} << 30}, Unit{"MiB", 1 << 20}, Unit{"KiB", 1 << 10},
                                Unit{"B", 1}};

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kDay = 24 * 3600 * kSecond;
constexpr std::array kDurationUnits{
    Unit{"ms", 1},   Unit{"s", kSecond},   Unit{"min", 60 * kSecond}, Unit{"h", 3600 * kSecond},
    Unit{"d", kDay}, Unit{"y", 365 * kDay}};

std::string_view trim(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

struct Quantity {
    std::int64_t number;
    std::string_view unit;
};

/// Digits and what follows them; nothing if there are no digits or too many.
std::optional<Quantity> split_quantity(std::string_view word) {
    word = trim(word);
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || word.front() == '-' || number > kMaxExactInteger) return std::nullopt;
    return Quantity{number, trim(word.substr(static_cast<std::size_t>(end - word.data())))};
}

std::optional<std::int64_t> scaled(const Quantity& quantity, std::span<const Unit> units) {
    const auto unit = std::ranges::find(units, quantity.unit, &Unit::name);
    if (unit == units.end() || quantity.number > kMaxExactInteger / unit->factor) return std::nullopt;
    return quantity.number * unit->factor;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({row[j] + 1, row[j + 1] + 1, substituted}));
        }
    }
    return row.back();
}

}  // namespace

std::int64_t parse_size(std::string_view word) {
    if (const auto quantity = split_quantity(word)) {
        if (quantity->unit.empty()) return quantity->number;
        if (const auto bytes = scaled(*quantity, kSizeUnits)) return *bytes;
    }
    throw Error(ErrorCode::usage, "'" + std::string(word) +
                                      "' is no size: write bytes (4096) or a whole number of KiB, MiB or GiB (64KiB)");
}

std::string format_size(std::int64_t bytes) {
    for (const auto& unit : kSizeUnits) {
        if (bytes >= unit.factor && bytes % unit.factor == 0)
            return std::to_string(bytes / unit.factor) + " " + std::string(unit.name);
    }
    return std::to_string(bytes) + " B";
}

std::chrono::milliseconds parse_duration(std::string_view word) {
    if (const auto quantity = split_quantity(word)) {
        if (const auto milliseconds = scaled(*quantity, kDurationUnits))
            return std::chrono::milliseconds(*milliseconds);
    }
    throw Error(ErrorCode::usage,
                "'" + std::string(word) + "' is no duration: write a whole number and ms, s, min, h, d or y (30min)");
}

std::int64_t parse_count(std::string_view word) {
    const auto quantity = split_quantity(word);
    if (!quantity || !quantity->unit.empty())
        throw Error(ErrorCode::usage, "'" + std::string(word) + "' is no whole number");
    return quantity->number;
}

std::string hex(std::span<const unsigned char> bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const unsigned char byte : bytes) {
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

std::size_t count_characters(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

bool has_control_characters(std::string_view text, bool line_breaks) noexcept {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (line_breaks && (byte == '\n' || byte == '\r' || byte == '\t')) continue;
        if (byte < 0x20 || byte == 0x7F) return true;
        // In UTF-8 C1 is 0xC2 and 0x80 to 0x9F.
        if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
    }
    return false;
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> parts;
    if (trim(text).empty()) return parts;
    for (;;) {
        const auto comma = text.find(',');
        parts.emplace_back(trim(text.substr(0, comma)));
        if (comma == std::string_view::npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

std::string join(std::span<const std::string> words, std::string_view separator) {
    std::string joined;
    for (const auto& word : words) {
        if (!joined.empty()) joined += separator;
        joined += word;
    }
    return joined;
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known) {
    std::optional<std::string> best;
    std::size_t best_distance = (word.size() + 2) / 3 + 1;
    for (const auto& candidate : known) {
        if (const auto distance = edit_distance(word, candidate); distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> known) {
    if (const auto candidate = nearest(word, known)) return " Did you mean '" + *candidate + "'?";
    if (known.empty()) return " There are none.";
    return " Known: " + join(known) + ".";
}

}  // namespace foxbench::text
