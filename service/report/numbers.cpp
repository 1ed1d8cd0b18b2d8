#include "service/report/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace foxbench::report {
namespace {

/// Every double is a whole number of 2^-1074, so this many decimals write any of them exactly.
constexpr int kExactDecimals = 1074;
/// Sign, the 309 digits before the point of the largest double, and the point.
constexpr int kLongestWhole = 1 + 309 + 1;
constexpr int kMostDecimals = 20;

/// The decimal text of `value`, all of it.
std::string exact(double value) {
    std::array<char, kLongestWhole + kExactDecimals> text;
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, kExactDecimals);
    return {text.data(), end.ptr};
}

/// Adds one unit in the last place to a number written in digits and at most one point.
void count_up(std::string& digits) {
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
        if (*digit == '.') continue;
        if (*digit != '9') {
            ++*digit;
            return;
        }
        *digit = '0';
    }
    digits.insert(digits.begin(), '1');
}

std::string with_commas(std::string digits) {
    const auto first = static_cast<std::ptrdiff_t>(digits.starts_with('-') ? 1 : 0);
    for (auto place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > first; place -= 3) {
        digits.insert(static_cast<std::size_t>(place), 1, ',');
    }
    return digits;
}

std::string with_unit(std::string figure, std::string_view unit) {
    figure += ' ';
    figure += unit;
    return figure;
}

}  // namespace

// The library's own rounding is to even on ties (62.5 -> 62), hence the detour over all digits.
std::string decimal(double value, int decimals) {
    if (!std::isfinite(value)) return kNone;
    decimals = std::clamp(decimals, 0, kMostDecimals);
    std::string digits = exact(std::fabs(value));
    const auto point = digits.find('.');
    const bool up = digits[point + 1 + static_cast<std::size_t>(decimals)] >= '5';
    digits.resize(decimals == 0 ? point : point + 1 + static_cast<std::size_t>(decimals));
    if (up) count_up(digits);
    const bool zero = digits.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !zero ? "-" + digits : digits;
}

std::string integer(double value) {
    return std::isfinite(value) ? with_commas(decimal(value, 0)) : kNone;
}

std::string integer(std::int64_t value) {
    return with_commas(std::to_string(value));
}

std::string cost(double us) {
    if (us >= 10'000) return with_unit(decimal(us / 1000, 1), "ms");
    return with_unit(decimal(us, us >= 100 ? 0 : 1), "µs");
}

std::string total(double ms) {
    if (ms >= 1000) return with_unit(decimal(ms / 1000, 1), "s");
    return with_unit(decimal(ms, 1), "ms");
}

std::string ratio(double value) {
    return decimal(value, value >= 100 ? 0 : 1) + "×";
}

std::string resolution(double us) {
    return with_unit(decimal(us, us >= 10 ? 0 : 1), "µs");
}

std::string megabytes(double bytes) {
    const double value = bytes / 1e6;
    return decimal(value, value < 10 ? 1 : 0);
}

std::string gigabytes(double bytes) {
    return decimal(bytes / 1e9, 0);
}

std::string size_in_words(std::int64_t bytes) {
    constexpr std::int64_t kKiB = 1024;
    constexpr std::int64_t kMiB = 1024 * kKiB;
    if (bytes > 0 && bytes % kMiB == 0) return with_unit(std::to_string(bytes / kMiB), "MiB");
    if (bytes > 0 && bytes % kKiB == 0) return with_unit(std::to_string(bytes / kKiB), "KiB");
    return with_unit(std::to_string(bytes), "B");
}

std::string percent(double fraction) {
    return with_unit(decimal(fraction * 100, std::fabs(fraction) >= 1 ? 0 : 1), "%");
}

std::string signed_percent(double fraction) {
    return with_sign(fraction, percent(fraction));
}

std::string with_sign(double value, std::string digits) {
    const bool zero = digits.find_first_of("123456789") == std::string::npos;
    if (value > 0 && !zero) digits.insert(digits.begin(), '+');
    return digits;
}

std::string in_full(double value) {
    if (!std::isfinite(value)) return {};
    std::array<char, kLongestWhole + kExactDecimals> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    return {text.data(), end.ptr};
}

}  // namespace foxbench::report
