#include "service/compare/formats.hpp"
#include "service/report/csv_sheet.hpp"
#include "service/report/text.hpp"

namespace foxbench::compare {
namespace {

using report::CsvSheet;

/// A fraction in percent.
std::optional<double> percent_of(const std::optional<double>& fraction) {
    return fraction ? std::optional(*fraction * 100) : std::nullopt;
}

void add_side(CsvSheet& sheet, const SideFacts& side, std::size_t launches) {
    sheet.text(side.run).text(side.target).text(side.browser).text(side.build_id.value_or(""));
    sheet.text(side.source_stamp.value_or("")).text(side.host.value_or("")).count(launches);
}

void add_interval(CsvSheet& sheet, const std::optional<stats::Interval>& interval, double scale) {
    sheet.number(interval ? std::optional(interval->low * scale) : std::nullopt);
    sheet.number(interval ? std::optional(interval->high * scale) : std::nullopt);
}

/// "interval excludes no change: 8.1 % (0 %) passed; ..."
std::string filters_of(const stats::SeriesVerdict& verdict) {
    std::string text;
    const auto quantity = [](const std::optional<double>& value) { return value ? report::in_full(*value) : "none"; };
    for (const auto& filter : verdict.filters) {
        if (!text.empty()) text += "; ";
        text += filter.name + ": " + quantity(filter.value) + " against " + quantity(filter.threshold);
        if (!filter.unit.empty()) text += " " + filter.unit;
        text += filter.passed ? ", passed" : ", not passed";
    }
    return text;
}

}  // namespace

std::string to_csv(const std::vector<Comparison>& comparisons, bool explain) {
    std::vector<std::string_view> columns{"base_run",
                                          "base_target",
                                          "base_browser",
                                          "base_build_id",
                                          "base_source_stamp",
                                          "base_host",
                                          "base_launches",
                                          "new_run",
                                          "new_target",
                                          "new_browser",
                                          "new_build_id",
                                          "new_source_stamp",
                                          "new_host",
                                          "new_launches",
                                          "table",
                                          "series",
                                          "verdict",
                                          "base_mean_us",
                                          "new_mean_us",
                                          "shift_percent",
                                          "shift_low_percent",
                                          "shift_high_percent",
                                          "shift_us",
                                          "shift_low_us",
                                          "shift_high_us",
                                          "p",
                                          "smallest_p",
                                          "cliffs_delta",
                                          "spread_percent",
                                          "spread_from_aa",
                                          "threshold_percent",
                                          "detectable_percent",
                                          "launches_needed",
                                          "of_passes",
                                          "reason"};
    if (explain) columns.emplace_back("filters");
    CsvSheet sheet(columns);
    for (const auto& comparison : comparisons) {
        for (const auto& row : comparison.rows) {
            const auto& of = row.verdict;
            add_side(sheet, comparison.base, row.base_launches);
            add_side(sheet, comparison.next, row.next_launches);
            sheet.text(row.table).text(row.series).text(stats::to_string(of.verdict));
            sheet.number(of.base_mean_us).number(of.next_mean_us).number(percent_of(of.shift.relative));
            add_interval(sheet, of.shift.relative_interval, 100);
            sheet.number(of.shift.raw);
            add_interval(sheet, of.shift.raw_interval, 1);
            sheet.number(std::optional(of.p)).number(std::optional(of.smallest_p)).number(std::optional(of.delta));
            sheet.number(percent_of(of.spread)).yes_no(of.spread_from_aa).number(std::optional(of.threshold * 100));
            sheet.number(percent_of(of.detectable));
            if (of.launches_needed)
                sheet.count(*of.launches_needed);
            else
                sheet.text("");
            sheet.yes_no(of.of_passes).text(of.reason);
            if (explain) sheet.text(filters_of(of));
            sheet.end();
        }
    }
    return sheet.take();
}

}  // namespace foxbench::compare
