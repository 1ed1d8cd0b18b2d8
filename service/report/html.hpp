#pragma once

#include <string>

#include "service/report/render.hpp"
#include "service/report/tables.hpp"

/// The report as one page that needs nothing else: facts, the dot plot of the means, the tables, what follows from
/// them.
namespace foxbench::report {

[[nodiscard]] std::string html_report(const document::RunDocument& document, const Tables& tables);
[[nodiscard]] std::string html_table(const document::RunDocument& document, const Tables& tables, Table table);

}  // namespace foxbench::report
