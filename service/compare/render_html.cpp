#include "service/compare/formats.hpp"
#include "service/compare/interval_plot.hpp"
#include "service/compare/wording.hpp"
#include "service/report/html_page.hpp"
#include "service/report/numbers.hpp"
#include "service/report/text.hpp"

namespace foxbench::compare {
namespace {

using report::html_text;

constexpr const char* kTableEnd = "</tbody>\n</table>\n</div>\n";

std::string table_head(const char* style, const std::vector<std::string>& columns) {
    std::string html = std::string("<div class=\"card scroll\">\n<table class=\"") + style + "\">\n<thead><tr>";
    for (const auto& column : columns) html += "<th scope=\"col\">" + html_text(column) + "</th>";
    return html + "</tr></thead>\n<tbody>\n";
}

std::string row_head(const std::string& text) {
    return "<tr><th scope=\"row\">" + html_text(text) + "</th>";
}

std::string cell(const std::string& text) {
    return "<td>" + (text.empty() ? std::string(report::kNone) : html_text(text)) + "</td>";
}

std::string list_of(const std::vector<std::string>& lines) {
    std::string html = "<ul>\n";
    for (const auto& line : lines) html += "<li>" + html_text(line) + "</li>\n";
    return html + "</ul>\n";
}

/// The verdict with a colour of its own; its word says it as well.
std::string badge(const stats::SeriesVerdict& of) {
    const char* style = "state neutral";
    if (of.verdict == stats::Verdict::slower) style = "state bad";
    if (of.verdict == stats::Verdict::faster) style = "state";
    return std::string("<td><span class=\"") + style + "\">" + html_text(verdict(of)) + "</span></td>";
}

std::string warnings(const Comparison& comparison) {
    if (comparison.warnings.empty()) return {};
    return "<div class=\"card warning\" role=\"note\"><strong>Warning</strong>\n" + list_of(comparison.warnings) +
           "</div>\n";
}

std::string facts(const Comparison& comparison) {
    std::string html = table_head("words", {"", "Base", "New"});
    for (const auto& line : fact_lines(comparison))
        html += row_head(line.what) + cell(line.base) + cell(line.next) + "</tr>\n";
    return html + kTableEnd;
}

std::string range(const SourceRange& range) {
    std::string html =
        "<p>Source range: <code>" + html_text(range.from) + "</code> to <code>" + html_text(range.to) + "</code>";
    if (!range.repository.empty()) html += " of <code>" + html_text(range.repository) + "</code>";
    const auto address = html_text(range.address);
    if (is_plain_address(range.address))
        html += ": <a href=\"" + address + "\" rel=\"noreferrer\">" + address + "</a>";
    else if (!address.empty())
        html += ": <code>" + address + "</code>";
    return html + "</p>\n";
}

std::string differences(const std::vector<Difference>& all) {
    if (all.empty()) return {};
    std::string html = "<h3>Where they differ</h3>\n" + table_head("words", {"What", "Base", "New"});
    for (const auto& one : all) html += row_head(one.what) + cell(one.base) + cell(one.next) + "</tr>\n";
    return html + kTableEnd;
}

std::string rows(const RowGroup& group) {
    const IntervalPlot plot(group.rows);
    std::string html = "<h3>" + group.title + "</h3>\n";
    const auto scale = "±" + report::decimal(plot.reach() * 100, 0) + " %";
    html += table_head("latency compared",
                       {"Series", "Base mean", "New mean", "Shift within " + scale, "Shift (95 % interval)", "p",
                        "Cliff's delta", "Verdict", "Smallest detectable change"});
    for (const SeriesRow* row : group.rows) {
        const auto& of = row->verdict;
        html += row_head(row->series) + cell(mean(of.base_mean_us)) + cell(mean(of.next_mean_us));
        html += "<td>" + plot.of(*row) + "</td>" + cell(shift(of.shift)) + cell(p_value(of.p)) + cell(delta(of.delta));
        html += badge(of) + cell(detectable(of)) + "</tr>\n";
    }
    return html + kTableEnd;
}

std::string filters(const Comparison& comparison) {
    std::string html = "<h3>Why</h3>\n";
    for (const auto& row : comparison.rows) {
        const auto& of = row.verdict;
        html += "<p><strong>" + html_text(row.series) + "</strong>: " + html_text(verdict(of));
        if (!of.reason.empty()) html += "; " + html_text(of.reason);
        html += ".</p>\n";
        if (of.filters.empty()) continue;
        html += table_head("latency", {"Filter", "Value", "Threshold", "Passed"});
        for (const auto& one : of.filters) {
            html += row_head(one.name) + cell(quantity(one.value, one.unit)) + cell(quantity(one.threshold, one.unit)) +
                    cell(one.passed ? "yes" : "no") + "</tr>\n";
        }
        html += kTableEnd;
    }
    return html;
}

std::string section(const Comparison& comparison, bool explain) {
    std::string html = "<section>\n<h2>" + html_text(section_name(comparison)) + "</h2>\n";
    html += warnings(comparison) + facts(comparison);
    if (comparison.range) html += range(*comparison.range);
    html += differences(comparison.differences);
    const auto groups = row_groups(comparison);
    for (const auto& group : groups) html += rows(group);
    if (groups.empty()) html += "<p>No series is on both sides: there is nothing to compare.</p>\n";
    const auto said = notes(comparison);
    if (!said.empty()) html += list_of(said);
    const auto unclear = unclear_lines(comparison);
    if (!unclear.empty()) html += "<h3>What cannot be told</h3>\n" + list_of(unclear);
    if (explain && !comparison.rows.empty()) html += filters(comparison);
    html += "<h3>To repeat it</h3>\n<ul>\n";
    for (const auto& [what, command] : commands(comparison))
        html += "<li>" + html_text(what) + ": <code>" + html_text(command) + "</code></li>\n";
    return html + "</ul>\n</section>\n";
}

}  // namespace

std::string to_html(const std::vector<Comparison>& comparisons, bool explain) {
    const std::string title = "Comparison: " + headline(comparisons);
    std::string html = "<h1>" + html_text(title) + "</h1>\n";
    for (const auto& comparison : comparisons) html += section(comparison, explain);
    html += "<p class=\"hint\">" + html_text(legend()) +
            " In the plots the band is the threshold, the whisker the interval.</p>\n";
    return report::html_page(title, html);
}

}  // namespace foxbench::compare
