#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Times as run documents write them: UTC, ISO 8601, milliseconds. Pure functions.
namespace foxbench::document {

/// "2026-09-16T05:13:01.982Z" for milliseconds since 1970. Years 0 to 9999; what is outside is written as the nearest
/// of them.
[[nodiscard]] std::string utc_text(std::int64_t milliseconds);

/// Reads "2026-09-16T05:13:01.982Z", with fewer or more decimals, with an offset ("+02:00") in place of the Z, or a day
/// alone
/// ("2026-09-16", its beginning in UTC). Milliseconds since 1970; nothing where `text` is no such time.
[[nodiscard]] std::optional<std::int64_t> utc_milliseconds(std::string_view text) noexcept;

}  // namespace foxbench::document
