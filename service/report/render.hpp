#pragma once

#include <string>
#include <string_view>

#include "service/document/run_document.hpp"

/// Reports: pure functions from a run document to text. No clock, no I/O, no state; safe to call from any thread.
namespace foxbench::report {

/// In what a report is written.
enum class Format { md, csv, json, html };

/// The parts of a report that can be had on their own.
enum class Table {
    per_call,  ///< mean time per call of the per-call series, every target beside each other
    per_file,  ///< the same of the per-file series
    latency,   ///< the detail table of every target: calls, totals, throughput, percentiles
    derived    ///< what follows from several series together, a line each
};

/// "md", "csv", "json" or "html". Throws foxbench::Error (usage) for anything else, naming these.
[[nodiscard]] Format format_from(std::string_view word);
[[nodiscard]] std::string_view to_string(Format format) noexcept;
/// The Content-Type of a report in this format.
[[nodiscard]] std::string_view media_type(Format format) noexcept;

/// "per-call", "per-file", "latency" or "derived". Throws foxbench::Error (usage) for anything else, naming these.
[[nodiscard]] Table table_from(std::string_view word);
[[nodiscard]] std::string_view to_string(Table table) noexcept;

/// The whole report, ending with one newline. As Markdown an imported report is given back word for word.
[[nodiscard]] std::string render(const document::RunDocument& document, Format format);

/// One table of it. In Markdown and HTML figures are rounded as docs/report-format.md says; CSV and JSON have them in
/// full.
[[nodiscard]] std::string render_table(const document::RunDocument& document, Table table, Format format);

}  // namespace foxbench::report
