#pragma once

#include <cstdint>
#include <string>

/// How figures are written in a report: the table "Number formats" of docs/report-format.md, a function a row. All
/// round the exact value of the double, an exact tie away from zero; none writes `-0.0`. Which unit and how many
/// decimals apply is judged on the value before rounding: 99.96 µs is under 100 and reads `100.0 µs`. What is not
/// finite is written as kNone.
namespace foxbench::report {

/// An en dash: there is no such figure.
inline constexpr const char* kNone = "–";

/// `value` with exactly `decimals` (0 to 20) decimals.
[[nodiscard]] std::string decimal(double value, int decimals);
/// `value` rounded to an integer, with commas between thousands.
[[nodiscard]] std::string integer(double value);
[[nodiscard]] std::string integer(std::int64_t value);

/// A mean of the two first tables: `16.2 ms` from 10,000 µs on, `183 µs` from 100 on, else `40.0 µs`.
[[nodiscard]] std::string cost(double us);
/// A total of the two first tables: `10.5 s` from 1000 ms on, else `80.1 ms`.
[[nodiscard]] std::string total(double ms);
/// One target's mean by another's: `114×` from 100 on, else `4.3×`.
[[nodiscard]] std::string ratio(double value);
/// The smallest step of the clock: `20 µs` from 10 µs on, else `5.0 µs`.
[[nodiscard]] std::string resolution(double us);
/// 10^6 bytes without a unit: under 10 one decimal, else none.
[[nodiscard]] std::string megabytes(double bytes);
/// 10^9 bytes without a unit and decimals.
[[nodiscard]] std::string gigabytes(double bytes);
/// `1 MiB`, `64 KiB` where exact, else `1000 B`.
[[nodiscard]] std::string size_in_words(std::int64_t bytes);

/// A share in percent: `10.2 %` of the fraction 0.102; from 100 % on without a decimal.
[[nodiscard]] std::string percent(double fraction);
/// A change in percent, with its sign: `+10.2 %`, `-3.0 %`, `0.0 %`.
[[nodiscard]] std::string signed_percent(double fraction);
/// `digits`, the text of `value`, with a plus before it where it is more than zero as written.
[[nodiscard]] std::string with_sign(double value, std::string digits);

/// The shortest decimal text that reads back as the same double, never in exponent notation; empty for what is not
/// finite. For programs.
[[nodiscard]] std::string in_full(double value);

}  // namespace foxbench::report
