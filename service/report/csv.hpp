#pragma once

#include <string>

#include "service/report/render.hpp"
#include "service/report/tables.hpp"

/// CSV for programs: RFC 4180 (lines end with CR LF, one header line), figures in full, an empty cell where there is
/// none. Columns do not depend on the document, so that files of many runs can be put one after another.
namespace foxbench::report {

/// A row a target and series: run, workload, state, started_at, target, browser, table, series, passes, mean_us, calls,
/// bytes_per_call, ... as in SeriesSummary. What the tables of the other formats show follows from it.
[[nodiscard]] std::string csv_report(const document::RunDocument& document, const Tables& tables);

/// per-call, per-file: a row a series and target (run, target, browser, series, mean_us, total_ms, ratio_to_first).
/// latency: as the report. derived: a row a figure (run, target, browser, line, figure, value, text).
[[nodiscard]] std::string csv_table(const document::RunDocument& document, const Tables& tables, Table table);

}  // namespace foxbench::report
