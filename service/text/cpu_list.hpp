#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace foxbench::text {

/// The highest number of a processor that a list may have: cpu_set_t of glibc ends there.
inline constexpr int kMaxProcessor = 1023;

/// The processors of a list as the kernel writes it, "0-1,3": ascending, each once. Throws Error (usage) for an empty
/// or malformed list, for ranges that go down, and numbers above kMaxProcessor. Pure.
[[nodiscard]] std::vector<int> parse_cpu_list(std::string_view list);

/// The way back, as short as it can be: {0, 1, 3} is "0-1,3". Processors have to be ascending. Pure.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& processors);

}  // namespace foxbench::text
