#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace foxbench::schedule::detail {

/// More than any sensible expression or zone's name has; what a message quotes at most.
inline constexpr std::size_t kQuotedLength = 80;

/// What was given, for a message: on one line and in ASCII, whatever it holds.
[[nodiscard]] inline std::string quote(std::string_view text) {
    std::string result = "'";
    for (const char letter : text.substr(0, kQuotedLength)) result += letter >= ' ' && letter <= '~' ? letter : '?';
    return result + (text.size() > kQuotedLength ? "...'" : "'");
}

}  // namespace foxbench::schedule::detail
