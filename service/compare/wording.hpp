#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/compare/comparison.hpp"

/// Words and figures that Markdown and HTML have in common, unescaped. Pure functions.
namespace foxbench::compare {

/// A mean: "40.0 µs", "16.2 ms"; an en dash for none.
[[nodiscard]] std::string mean(const std::optional<double>& us);
/// "+10.2 % (+8.1 % to +12.4 %)"; in µs where there is no share; an en dash for none.
[[nodiscard]] std::string shift(const stats::Shift& shift);
/// "0.008", "< 0.001".
[[nodiscard]] std::string p_value(double p);
/// Cliff's delta with what that is called: "+1.00 (large)".
[[nodiscard]] std::string delta(double value);
/// "slower", "same within 3.0 %"
[[nodiscard]] std::string verdict(const stats::SeriesVerdict& verdict);
/// The smallest detectable change: "3.0 %"; an en dash for none.
[[nodiscard]] std::string detectable(const stats::SeriesVerdict& verdict);
/// A filter's value or threshold with its unit: "8.1 %"; an en dash for none.
[[nodiscard]] std::string quantity(const std::optional<double>& value, const std::string& unit);

/// "slower in 1 of 10 series (2 faster, 6 same, 1 cannot tell)": what comes of all rows first, then the others.
[[nodiscard]] std::string headline(const std::vector<Comparison>& comparisons);
/// What a section is called: "patched against base", or "nightly" where both sides' targets are named so.
[[nodiscard]] std::string section_name(const Comparison& comparison);

/// What is known of the two sides beside each other: name, base, new. Lines that neither has are left out.
struct FactLine {
    std::string what, base, next;
};
[[nodiscard]] std::vector<FactLine> fact_lines(const Comparison& comparison);

/// The rows of one table in the order of the run, with what stands above it; tables without rows are left out.
struct RowGroup {
    std::string title;  ///< "Per-call cost"
    std::vector<const SeriesRow*> rows;
};
[[nodiscard]] std::vector<RowGroup> row_groups(const Comparison& comparison);

/// What cannot be told, a line a series: why, and how many launches it needs.
[[nodiscard]] std::vector<std::string> unclear_lines(const Comparison& comparison);
/// The series that one side has alone, and those whose figures are of passes; a sentence each.
[[nodiscard]] std::vector<std::string> notes(const Comparison& comparison);
/// How the columns came about, in one line.
[[nodiscard]] const char* legend() noexcept;

/// How to repeat it: what for, and the command, quoted for a shell.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> commands(const Comparison& comparison);

/// Whether an address may be a link: https, and only characters that mean nothing to Markdown or HTML but the `&`
/// between parameters.
[[nodiscard]] bool is_plain_address(const std::string& address);

}  // namespace foxbench::compare
