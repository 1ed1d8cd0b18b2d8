#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/stats/summary.hpp"

/// What a report says, as data: computed once, written in four formats.
namespace foxbench::report {

/// What one series costs with one target.
struct CostCell {
    std::optional<double> mean_us;
    std::optional<double> total_ms;
    std::optional<double> ratio;  ///< this mean by the first target's; empty for the first target
};

/// A row of the two first tables: a series with all targets beside each other, in the document's order.
struct CostRow {
    std::string series;
    std::vector<CostCell> cells;
};

/// A row of a target's detail table.
struct LatencyRow {
    std::string series;
    std::string table;  ///< document::kPerCall or kPerFile
    std::optional<std::int64_t> bytes_per_call;
    std::optional<std::int64_t> bytes_total;  ///< of one pass
    stats::SeriesFigures figures;
};

/// A line that follows from several series.
struct DerivedLine {
    std::string id;                                       ///< what it says, for programs: "fixed-per-call-floor"
    std::string text;                                     ///< unescaped
    std::vector<std::pair<std::string, double>> figures;  ///< in full, units in the names
};

/// The member of an imported target that holds its report's Derived lines as printed, an array of text.
inline constexpr const char* kPrintedDerived = "derived";

struct TargetTables {
    std::string name;    ///< the target's
    std::string header;  ///< what it is called in columns and sections: "Firefox 158", "Firefox 158 (wal-full)"
    std::vector<LatencyRow> rows;
    std::vector<DerivedLine> derived;
};

struct Tables {
    std::vector<CostRow> per_call;
    std::vector<CostRow> per_file;
    std::vector<TargetTables> targets;  ///< in the document's order
};

[[nodiscard]] Tables make_tables(const document::RunDocument& document);

/// How each target's browser is called in this run, in the document's order: product and major version ("Firefox 158"),
/// and behind it the target's name where another target of the run would be called the same.
[[nodiscard]] std::vector<std::string> target_headers(const document::RunDocument& document);

/// The row of the series called `name`, or null.
[[nodiscard]] const LatencyRow* find_row(const std::vector<LatencyRow>& rows, std::string_view name);

}  // namespace foxbench::report
