#include "service/compare/formats.hpp"
#include "service/compare/wording.hpp"
#include "service/report/markdown_table.hpp"
#include "service/report/numbers.hpp"
#include "service/report/text.hpp"

namespace foxbench::compare {
namespace {

using report::markdown_code;
using report::markdown_row;
using report::markdown_table_head;
using report::markdown_text;

/// A cell of free text. A backslash before a pipe would undo the pipe's own.
std::string cell(const std::string& text) {
    std::string safe;
    for (const char c : report::markdown_text(text)) {
        if (c == '\\')
            safe += "&#92;";
        else if (c == '|')
            safe += "\\|";
        else
            safe += c;
    }
    return safe.empty() ? report::kNone : safe;
}

std::string list_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const auto& line : lines) text += "- " + markdown_text(line) + "\n";
    return text;
}

std::string warnings(const Comparison& comparison) {
    std::string text;
    for (const auto& warning : comparison.warnings) text += "- **Warning:** " + markdown_text(warning) + "\n";
    return text.empty() ? text : text + "\n";
}

std::string facts(const Comparison& comparison) {
    std::string text = markdown_table_head({"", "Base", "New"}, 3);
    for (const auto& line : fact_lines(comparison)) text += markdown_row({line.what, cell(line.base), cell(line.next)});
    return text;
}

std::string range(const SourceRange& range) {
    std::string text = "\nSource range: `" + markdown_code(range.from) + "` to `" + markdown_code(range.to) + "`";
    if (!range.repository.empty()) text += " of `" + markdown_code(range.repository) + "`";
    if (is_plain_address(range.address))
        text += ": " + range.address;
    else if (!range.address.empty())
        text += ": `" + markdown_code(range.address) + "`";
    return text + "\n";
}

std::string differences(const std::vector<Difference>& all) {
    if (all.empty()) return {};
    std::string text = "\n### Where they differ\n\n" + markdown_table_head({"What", "Base", "New"}, 3);
    for (const auto& one : all) text += markdown_row({cell(one.what), cell(one.base), cell(one.next)});
    return text;
}

std::string verdict_cell(const stats::SeriesVerdict& of) {
    const bool changed = of.verdict == stats::Verdict::slower || of.verdict == stats::Verdict::faster;
    return changed ? "**" + verdict(of) + "**" : verdict(of);
}

std::string rows(const RowGroup& group) {
    std::string text = "\n### " + group.title + "\n\n";
    text += markdown_table_head({"Series", "Base mean", "New mean", "Shift (95 % interval)", "p", "Cliff's delta",
                                 "Verdict", "Smallest detectable change"});
    for (const SeriesRow* row : group.rows) {
        const auto& of = row->verdict;
        text += markdown_row({cell(row->series), mean(of.base_mean_us), mean(of.next_mean_us), shift(of.shift),
                              p_value(of.p), delta(of.delta), verdict_cell(of), detectable(of)});
    }
    return text;
}

std::string filters(const Comparison& comparison) {
    std::string text = "\n### Why\n";
    for (const auto& row : comparison.rows) {
        const auto& of = row.verdict;
        text += "\n**" + markdown_text(row.series) + "**: " + verdict(of);
        if (!of.reason.empty()) text += "; " + markdown_text(of.reason);
        text += ".\n";
        if (of.filters.empty()) continue;
        text += "\n" + markdown_table_head({"Filter", "Value", "Threshold", "Passed"});
        for (const auto& one : of.filters) {
            text += markdown_row({cell(one.name), cell(quantity(one.value, one.unit)),
                                  cell(quantity(one.threshold, one.unit)), one.passed ? "yes" : "no"});
        }
    }
    return text;
}

std::string section(const Comparison& comparison, bool explain) {
    std::string text = "\n## " + markdown_text(section_name(comparison)) + "\n\n";
    text += warnings(comparison) + facts(comparison);
    if (comparison.range) text += range(*comparison.range);
    text += differences(comparison.differences);
    const auto groups = row_groups(comparison);
    for (const auto& group : groups) text += rows(group);
    if (groups.empty()) text += "\nNo series is on both sides: there is nothing to compare.\n";
    const auto said = notes(comparison);
    if (!said.empty()) text += "\n" + list_of(said);
    const auto unclear = unclear_lines(comparison);
    if (!unclear.empty()) text += "\n### What cannot be told\n\n" + list_of(unclear);
    if (explain && !comparison.rows.empty()) text += filters(comparison);
    text += "\n### To repeat it\n\n";
    for (const auto& [what, command] : commands(comparison))
        text += "- " + what + ": `" + markdown_code(command) + "`\n";
    return text;
}

}  // namespace

std::string to_markdown(const std::vector<Comparison>& comparisons, bool explain) {
    std::string text = "# Comparison: " + headline(comparisons) + "\n";
    for (const auto& comparison : comparisons) text += section(comparison, explain);
    return text + "\n" + legend() + "\n";
}

}  // namespace foxbench::compare
