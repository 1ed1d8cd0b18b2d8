#pragma once

#include <string>

#include "service/document/run_document.hpp"

namespace foxbench::cli {

/// What an A/A run says, for a terminal: of each series the mean, how much its launches differ, the smallest change
/// that verdicts will go by, and whether comparing its halves called a change. Pure.
[[nodiscard]] std::string aa_table(const document::RunDocument& run);
/// The same for programs: an array of {"target", "series", "launches", "mean_us", "spread_percent",
/// "threshold_percent", "compared", "false_call"}. Pure.
[[nodiscard]] document::Json aa_json(const document::RunDocument& run);

}  // namespace foxbench::cli
