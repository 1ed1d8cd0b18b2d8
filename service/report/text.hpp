#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Free text (labels, notes, reasons, whatever else a document carries) made safe for the place it is written to.
namespace foxbench::report {

/// Line breaks (CR LF counts once) become spaces, other control characters go.
[[nodiscard]] std::string one_line(std::string_view text);

/// One line for Markdown: `<`, `>` and `&` become entities; `_`, `*` and the rest stay.
[[nodiscard]] std::string markdown_text(std::string_view text);
/// The same for a table's cell: `|` is escaped too, and the backslashes right before one.
[[nodiscard]] std::string markdown_cell(std::string_view text);
/// The same between backticks: those of the text become apostrophes, so that the span ends where it should.
[[nodiscard]] std::string markdown_code(std::string_view text);

/// One line for HTML, in an element or in a quoted attribute.
[[nodiscard]] std::string html_text(std::string_view text);

/// One line for XML, which an SVG file of its own is: as for HTML, and bytes that are no UTF-8 and what XML does not
/// allow become `?`, since its readers refuse the whole file otherwise.
[[nodiscard]] std::string xml_text(std::string_view text);
/// One line for a terminal, at most `max_bytes` and "..." of it: nothing that the terminal would obey, only UTF-8.
[[nodiscard]] std::string terminal_text(std::string_view text, std::size_t max_bytes = 120);

/// A text cell of RFC 4180: quoted where it has to be. One that a spreadsheet would take for a formula (it begins with
/// `=`, `+`, `-` or `@`, maybe after tabs and line breaks, and is no number) gets a leading apostrophe. Control
/// characters other than tabs and line breaks go.
[[nodiscard]] std::string csv_cell(std::string_view text);

}  // namespace foxbench::report
