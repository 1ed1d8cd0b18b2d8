#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The words that people write and read for quantities and names. Pure functions, callable from any thread.
namespace foxbench::text {

/// A size in bytes from "4096", "64KiB", "1 MiB", "2GiB", "512B". Units are binary; a decimal unit such as "KB" is
/// refused, since people mean two things by it. Throws Error (usage) for anything else, also for a fraction, a sign, or
/// more than 2^53 bytes.
[[nodiscard]] std::int64_t parse_size(std::string_view word);

/// "1 MiB", "64 KiB", "4 KiB" where exact, else "1000 B".
[[nodiscard]] std::string format_size(std::int64_t bytes);

/// A duration from "500ms", "30s", "30min", "4h", "90d", "2y" (a year is 365 days). Throws Error (usage) for anything
/// else.
[[nodiscard]] std::chrono::milliseconds parse_duration(std::string_view word);

/// A whole number from decimal digits alone. Throws Error (usage) for anything else, also for more than 2^53.
[[nodiscard]] std::int64_t parse_count(std::string_view word);

/// The bytes as lower-case hexadecimal digits, two each.
[[nodiscard]] std::string hex(std::span<const unsigned char> bytes);

/// How many characters (code points) UTF-8 text has.
[[nodiscard]] std::size_t count_characters(std::string_view text) noexcept;

/// Whether the text has characters that steer a terminal or end a line: C0, DEL, and C1 (U+0080 to U+009F), which some
/// terminals obey as well. With `line_breaks` CR, LF and tabs are let pass.
[[nodiscard]] bool has_control_characters(std::string_view text, bool line_breaks = false) noexcept;

/// The parts between commas, without the spaces around them; empty parts are kept, an empty text has none.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);

/// "a, b, c".
[[nodiscard]] std::string join(std::span<const std::string> words, std::string_view separator = ", ");

/// The word among `known` that `word` is probably a slip of: at most a third of its letters, rounded up, differ
/// (Levenshtein distance).
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, std::span<const std::string> known);

/// " Did you mean 'quick'?" where there is such a word, else " Known: quick, full." - the end of a message about
/// `word`.
[[nodiscard]] std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace foxbench::text
