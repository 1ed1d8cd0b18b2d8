#include "service/report/markdown.hpp"

#include <algorithm>
#include <cctype>

#include "service/report/markdown_table.hpp"
#include "service/report/numbers.hpp"
#include "service/report/quality.hpp"
#include "service/report/text.hpp"
#include "service/report/wording.hpp"

namespace foxbench::report {
namespace {

using document::RunDocument;

template <class Value, class Write>
std::string figure(const std::optional<Value>& value, Write write) {
    return value ? write(*value) : std::string(kNone);
}

std::string one_decimal(const std::optional<double>& value) {
    return figure(value, [](double v) { return decimal(v, 1); });
}

std::string whole(const std::optional<double>& value) {
    return figure(value, [](double v) { return integer(v); });
}

std::string whole(const std::optional<std::int64_t>& value) {
    return figure(value, [](std::int64_t v) { return integer(v); });
}

std::string range(const std::optional<double>& least, const std::optional<double>& greatest) {
    return least && greatest ? decimal(*least, 1) + "–" + decimal(*greatest, 1) : std::string(kNone);
}

std::string cost_table(const std::vector<CostRow>& rows, const Tables& tables) {
    std::vector<std::string> headers, columns{"Workload"};
    for (const auto& target : tables.targets) headers.push_back(markdown_cell(target.header));
    for (const auto& header : headers) columns.push_back(header + " µs/call");
    for (std::size_t i = 1; i < headers.size(); ++i) columns.push_back(headers[i] + " ÷ " + headers[0]);
    for (const auto& header : headers) columns.push_back(header + " total");

    std::string text = markdown_table_head(columns);
    for (const auto& row : rows) {
        std::vector<std::string> cells{markdown_cell(row.series)};
        for (const auto& cell : row.cells) cells.push_back(figure(cell.mean_us, cost));
        for (std::size_t i = 1; i < row.cells.size(); ++i) cells.push_back(figure(row.cells[i].ratio, ratio));
        for (const auto& cell : row.cells) cells.push_back(figure(cell.total_ms, total));
        text += markdown_row(cells);
    }
    return text;
}

std::string latency_table(const TargetTables& target) {
    std::string text =
        markdown_table_head({"Workload", "Calls", "Bytes/call", "Total (ms)", "Total min–max (ms)", "ops/s", "MB/s",
                             "p50 (µs)", "p90 (µs)", "p99 (µs)", "max (µs)", "1st call (µs)"});
    for (const auto& row : target.rows) {
        const auto& figures = row.figures.summary;
        text += markdown_row({markdown_cell(row.series), whole(figures.calls), whole(row.bytes_per_call),
                              one_decimal(figures.total_ms), range(figures.total_min_ms, figures.total_max_ms),
                              whole(figures.ops_per_s), one_decimal(figures.mb_per_s), one_decimal(figures.p50_us),
                              one_decimal(figures.p90_us), one_decimal(figures.p99_us), one_decimal(figures.max_us),
                              one_decimal(figures.first_us)});
    }
    return text;
}

std::string derived_list(const TargetTables& target) {
    std::string text;
    for (const auto& line : target.derived) text += "- " + markdown_text(line.text) + "\n";
    return text;
}

/// The lines under the title. Two spaces at the end of a line are Markdown's line break, so the last one has none.
std::string head_lines(const RunDocument& document, const Tables& tables) {
    std::vector<std::string> lines;
    const auto add = [&](const char* what, const std::string& value) {
        if (!value.empty()) lines.push_back(std::string(what) + markdown_text(value));
    };
    if (document.state != document::RunState::completed) add("State: ", state(document));
    for (const auto& line : planted_lines(document, tables)) add("Planted: ", line);
    add("Host: ", host(document));
    add("Config: ", configuration(document));
    std::string browsers;
    for (const auto& target : tables.targets) browsers += (browsers.empty() ? "" : ", ") + target.header;
    add("Browsers: ", browsers);
    add("Profiles on: ", profiles(document));
    if (document.targets.size() == 1) {
        std::string product = document.targets.front().browser.name;
        std::transform(product.begin(), product.end(), product.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        add("", "Single-browser run (" + product + "): no cross-browser comparison.");
    }
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        const auto& browser = document.targets[i].browser;
        if (!browser.local_build.value_or(false)) continue;
        add("Local build: ", tables.targets[i].header + (browser.binary ? " from " + *browser.binary : "") + ".");
    }
    add("Note: ", document.note.value_or(""));
    add("Date: ", document.started_at.value_or(""));

    std::string text;
    for (const auto& line : lines) text += (text.empty() ? "" : "  \n") + line;
    return text + "\n";
}

std::string environment_list(const RunDocument& document, const document::Target& target) {
    const auto seen = environment(target);
    std::string text = "Environment:\n";
    const auto add = [&](const std::string& what, const std::string& value) {
        if (!value.empty()) text += "- " + what + value + "\n";
    };
    add("User agent: ", seen.user_agent.empty() ? "" : "`" + markdown_code(seen.user_agent) + "`");
    add("Platform: ", markdown_text(seen.platform));
    add("Timestamp: ", markdown_text(seen.timestamp));
    add("performance.now() resolution in the worker: ", seen.resolution);
    add("navigator.storage.estimate(): ", seen.estimate);
    add("Config: ", markdown_text(configuration(document)));
    return text;
}

std::string target_section(const RunDocument& document, const document::Target& target, const TargetTables& tables) {
    std::string text = "\n## " + markdown_text(tables.header) + "\n\n**" + markdown_text(title(document)) + "**\n\n" +
                       environment_list(document, target);
    if (tables.rows.empty()) return text + "\nNothing was measured.\n";
    text += "\n" + median_run(document, target) + "\n\n" + latency_table(tables);
    if (!tables.derived.empty()) text += "\nDerived:\n" + derived_list(tables);
    return text;
}

}  // namespace

std::string markdown_report(const RunDocument& document, const Tables& tables) {
    std::string text = "# " + markdown_text(heading(document)) + ": " + markdown_text(document.id) + "\n\n";
    text += head_lines(document, tables);
    if (!tables.per_call.empty()) {
        text += "\n## Per-call write cost (median run, mean time per call)\n\n" + cost_table(tables.per_call, tables);
    }
    if (!tables.per_file.empty()) {
        text += "\n## Per-file cost (median run, mean time per call)\n\n" + cost_table(tables.per_file, tables);
    }
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        text += target_section(document, document.targets[i], tables.targets[i]);
    }
    const auto quality = quality_lines(document, tables);
    if (!quality.empty()) {
        text += "\n## Run quality\n\n";
        for (const auto& line : quality) text += "- " + markdown_text(line) + "\n";
    }
    return text;
}

std::string markdown_table(const RunDocument&, const Tables& tables, Table table) {
    if (table == Table::per_call) return cost_table(tables.per_call, tables);
    if (table == Table::per_file) return cost_table(tables.per_file, tables);
    std::string text;
    for (const auto& target : tables.targets) {
        if (tables.targets.size() > 1) text += (text.empty() ? "## " : "\n## ") + markdown_text(target.header) + "\n\n";
        text += table == Table::latency ? latency_table(target) : derived_list(target);
    }
    return text;
}

}  // namespace foxbench::report
