#include "service/report/render.hpp"

#include <array>

#include "service/error.hpp"
#include "service/report/csv.hpp"
#include "service/report/html.hpp"
#include "service/report/json.hpp"
#include "service/report/markdown.hpp"
#include "service/report/tables.hpp"

namespace foxbench::report {
namespace {

struct FormatEntry {
    Format format;
    std::string_view word;
    std::string_view media_type;
    std::string (*report)(const document::RunDocument&, const Tables&);
    std::string (*table)(const document::RunDocument&, const Tables&, Table);
};

/// In the order of the enumeration.
constexpr std::array<FormatEntry, 4> kFormats{{
    {Format::md, "md", "text/markdown; charset=utf-8", markdown_report, markdown_table},
    {Format::csv, "csv", "text/csv; charset=utf-8; header=present", csv_report, csv_table},
    {Format::json, "json", "application/json", json_report, json_table},
    {Format::html, "html", "text/html; charset=utf-8", html_report, html_table},
}};

constexpr std::array<std::string_view, 4> kTables{"per-call", "per-file", "latency", "derived"};

const FormatEntry& entry_of(Format format) noexcept {
    return kFormats[static_cast<std::size_t>(format)];
}

}  // namespace

Format format_from(std::string_view word) {
    for (const auto& entry : kFormats) {
        if (entry.word == word) return entry.format;
    }
    throw Error(ErrorCode::usage,
                "unknown report format '" + std::string(word) + "': known are md, csv, json and html");
}

std::string_view to_string(Format format) noexcept {
    return entry_of(format).word;
}

std::string_view media_type(Format format) noexcept {
    return entry_of(format).media_type;
}

Table table_from(std::string_view word) {
    for (std::size_t i = 0; i < kTables.size(); ++i) {
        if (kTables[i] == word) return static_cast<Table>(i);
    }
    throw Error(ErrorCode::usage,
                "unknown table '" + std::string(word) + "': known are per-call, per-file, latency and derived");
}

std::string_view to_string(Table table) noexcept {
    return kTables[static_cast<std::size_t>(table)];
}

std::string render(const document::RunDocument& document, Format format) {
    if (format == Format::md && document.report_markdown) return *document.report_markdown;
    return entry_of(format).report(document, make_tables(document));
}

std::string render_table(const document::RunDocument& document, Table table, Format format) {
    return entry_of(format).table(document, make_tables(document), table);
}

}  // namespace foxbench::report
