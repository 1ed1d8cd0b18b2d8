#pragma once

#include <chrono>
#include <cstdint>

namespace foxbench::host {

/// The wall clock, milliseconds since 1970: what is stored and shown. It may be set back; durations are measured by
/// std::chrono::steady_clock. Callable from any thread.
[[nodiscard]] inline std::int64_t now_ms() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace foxbench::host
