#pragma once

#include <string>

#include "service/report/render.hpp"
#include "service/report/tables.hpp"

/// The report in Markdown; docs/report-format.md describes every line of it.
namespace foxbench::report {

[[nodiscard]] std::string markdown_report(const document::RunDocument& document, const Tables& tables);
[[nodiscard]] std::string markdown_table(const document::RunDocument& document, const Tables& tables, Table table);

}  // namespace foxbench::report
