#include "service/report/csv.hpp"

#include "service/report/csv_sheet.hpp"

namespace foxbench::report {
namespace {

using document::RunDocument;

std::string cost_sheet(const RunDocument& document, const Tables& tables, const std::vector<CostRow>& rows) {
    CsvSheet sheet({"run", "target", "browser", "series", "mean_us", "total_ms", "ratio_to_first"});
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            sheet.text(document.id).text(tables.targets[i].name).text(tables.targets[i].header).text(row.series);
            sheet.number(row.cells[i].mean_us).number(row.cells[i].total_ms).number(row.cells[i].ratio).end();
        }
    }
    return sheet.take();
}

std::string derived_sheet(const RunDocument& document, const Tables& tables) {
    CsvSheet sheet({"run", "target", "browser", "line", "figure", "value", "text"});
    for (const auto& target : tables.targets) {
        for (const auto& line : target.derived) {
            const auto row = [&](std::string_view name, std::optional<double> value) {
                sheet.text(document.id).text(target.name).text(target.header).text(line.id);
                sheet.text(name).number(value).text(line.text).end();
            };
            for (const auto& [name, value] : line.figures) row(name, value);
            if (line.figures.empty()) row("", std::nullopt);
        }
    }
    return sheet.take();
}

}  // namespace

std::string csv_report(const RunDocument& document, const Tables& tables) {
    CsvSheet sheet({"run",          "workload",       "state",       "started_at",   "target",
                    "browser",      "table",          "series",      "passes",       "mean_us",
                    "calls",        "bytes_per_call", "bytes_total", "total_ms",     "total_min_ms",
                    "total_max_ms", "ops_per_s",      "mb_per_s",    "p50_us",       "p90_us",
                    "p99_us",       "max_us",         "first_us",    "first_min_us", "first_max_us"});
    for (const auto& target : tables.targets) {
        for (const auto& row : target.rows) {
            const auto& figures = row.figures.summary;
            sheet.text(document.id).text(document.workload).text(document::to_string(document.state));
            sheet.text(document.started_at.value_or(""))
                .text(target.name)
                .text(target.header)
                .text(row.table)
                .text(row.series);
            const auto passes = static_cast<std::int64_t>(row.figures.passes);
            sheet.number(passes > 0 ? std::optional(passes) : std::nullopt)
                .number(row.figures.mean_us)
                .number(figures.calls);
            sheet.number(row.bytes_per_call)
                .number(row.bytes_total)
                .number(figures.total_ms)
                .number(figures.total_min_ms);
            sheet.number(figures.total_max_ms)
                .number(figures.ops_per_s)
                .number(figures.mb_per_s)
                .number(figures.p50_us);
            sheet.number(figures.p90_us).number(figures.p99_us).number(figures.max_us).number(figures.first_us);
            sheet.number(figures.first_min_us).number(figures.first_max_us).end();
        }
    }
    return sheet.take();
}

std::string csv_table(const RunDocument& document, const Tables& tables, Table table) {
    switch (table) {
        case Table::per_call:
            return cost_sheet(document, tables, tables.per_call);
        case Table::per_file:
            return cost_sheet(document, tables, tables.per_file);
        case Table::derived:
            return derived_sheet(document, tables);
        case Table::latency:
            break;
    }
    return csv_report(document, tables);
}

}  // namespace foxbench::report
