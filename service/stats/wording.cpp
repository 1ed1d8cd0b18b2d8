#include "service/stats/wording.hpp"

#include <array>
#include <charconv>

namespace foxbench::stats {

std::string decimal(double value, int decimals) {
    // The largest double has 309 digits before its point.
    std::array<char, 400> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    const std::string written(text.data(), end.ptr);
    const bool is_zero = written.find_first_not_of("-0.") == std::string::npos;
    return is_zero && written.starts_with('-') ? written.substr(1) : written;
}

std::string percent(double fraction) {
    return decimal(100 * fraction, 1).append(" %");
}

}  // namespace foxbench::stats
