#pragma once

#include <string>
#include <vector>

#include "service/report/tables.hpp"

namespace foxbench::report {

/// How far the run can be trusted, a line each, unescaped: its state, series with fewer passes than asked, launches
/// that failed, what was verified, noise, launches that were noisy, the clock's step and the series whose percentiles
/// are only as fine as it.
///
/// Empty, and the report has no such section, where the document tells nothing of the kind: it is `completed`, says of
/// no pass what was verified, and of no launch what else went on or went wrong. The clock's step alone makes no
/// section.
[[nodiscard]] std::vector<std::string> quality_lines(const document::RunDocument& document, const Tables& tables);

/// What was slowed down on purpose, a line for the whole run or for each such target, unescaped; empty for every run
/// that is not planted. It stands at the very top of a report, since the figures are then no browser's.
[[nodiscard]] std::vector<std::string> planted_lines(const document::RunDocument& document, const Tables& tables);

}  // namespace foxbench::report
