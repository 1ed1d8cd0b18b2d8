#pragma once

#include <string>

#include "service/report/render.hpp"
#include "service/report/tables.hpp"

/// JSON for programs: figures are numbers in full with units in their names, null where there is none.
namespace foxbench::report {

/// {"run", "workload", "label", ..., "state", "targets": [{"target", "browser", ..., "latency": [...], "derived":
/// [...]}], "per_call":
/// [...], "per_file": [...], "quality": [...]}
[[nodiscard]] std::string json_report(const document::RunDocument& document, const Tables& tables);

/// {"run", "table", "rows": [...]}; of latency and derived {"run", "table", "targets": [{"target", "browser", "rows":
/// [...]}]}.
[[nodiscard]] std::string json_table(const document::RunDocument& document, const Tables& tables, Table table);

}  // namespace foxbench::report
