#pragma once

#include <cstddef>
#include <string_view>

#include "service/document/run_document.hpp"

namespace foxbench::report {

/// The longest report that is read. One with a hundred targets has a quarter of a megabyte.
inline constexpr std::size_t kMaxReportBytes = 4 * 1024 * 1024;

/// Whether `text` begins as a report does. For a caller that has to tell a report from a run document.
[[nodiscard]] bool looks_like_report(std::string_view text);

/// Reads a report of the OPFS sync write workload: what render() writes as Markdown, also with several targets. The
/// document has the figures as printed (rounded) in Series::summary, no samples, and the text itself in
/// `report_markdown`, so that it renders to the same bytes. `origin` names the source in messages ("summary.md").
/// Throws foxbench::Error (usage) with the line's number and what was expected for text that is no such report.
[[nodiscard]] document::RunDocument import_markdown(std::string_view text, std::string_view origin);

}  // namespace foxbench::report
