#include "service/report/html.hpp"

#include "service/report/chart.hpp"
#include "service/report/html_page.hpp"
#include "service/report/numbers.hpp"
#include "service/report/quality.hpp"
#include "service/report/text.hpp"
#include "service/report/wording.hpp"

namespace foxbench::report {
namespace {

using document::RunDocument;

template <class Value, class Write>
std::string cell(const std::optional<Value>& value, Write write) {
    return "<td>" + (value ? write(*value) : std::string(kNone)) + "</td>";
}

std::string tenths(const std::optional<double>& value) {
    return cell(value, [](double v) { return decimal(v, 1); });
}

template <class Value>
std::string whole(const std::optional<Value>& value) {
    return cell(value, [](Value v) { return integer(v); });
}

std::string range(const std::optional<double>& least, const std::optional<double>& greatest) {
    return "<td>" + (least && greatest ? decimal(*least, 1) + "–" + decimal(*greatest, 1) : std::string(kNone)) +
           "</td>";
}

std::string table_head(const char* style, const std::vector<std::string>& columns) {
    constexpr std::string_view kUnit = "µs/call";
    std::string html = std::string("<div class=\"card scroll\">\n<table class=\"") + style + "\">\n<thead><tr>";
    for (const std::string_view column : columns) {
        const auto text = column.substr(0, column.ends_with(kUnit) ? column.size() - kUnit.size() : column.size());
        html += "<th scope=\"col\">" + html_text(text);
        if (text.size() < column.size()) html += std::string("<span class=\"unit\">") + std::string(kUnit) + "</span>";
        html += "</th>";
    }
    return html + "</tr></thead>\n<tbody>\n";
}

constexpr const char* kTableEnd = "</tbody>\n</table>\n</div>\n";

std::string row_head(const std::string& series) {
    return "<tr><th scope=\"row\">" + html_text(series) + "</th>";
}

std::string cost_table(const std::vector<CostRow>& rows, const Tables& tables) {
    std::vector<std::string> columns{"Workload"};
    for (const auto& target : tables.targets) columns.push_back(target.header + " µs/call");
    for (std::size_t i = 1; i < tables.targets.size(); ++i) {
        columns.push_back(tables.targets[i].header + " ÷ " + tables.targets[0].header);
    }
    for (const auto& target : tables.targets) columns.push_back(target.header + " total");

    std::string html = table_head("cost", columns);
    for (const auto& row : rows) {
        html += row_head(row.series);
        for (const auto& each : row.cells) html += cell(each.mean_us, cost);
        for (std::size_t i = 1; i < row.cells.size(); ++i) html += cell(row.cells[i].ratio, ratio);
        for (const auto& each : row.cells) html += cell(each.total_ms, total);
        html += "</tr>\n";
    }
    return html + kTableEnd;
}

std::string latency_table(const TargetTables& target) {
    std::string html =
        table_head("latency", {"Workload", "Calls", "Bytes/call", "Total (ms)", "Total min–max (ms)", "ops/s", "MB/s",
                               "p50 (µs)", "p90 (µs)", "p99 (µs)", "max (µs)", "1st call (µs)"});
    for (const auto& row : target.rows) {
        const auto& figures = row.figures.summary;
        html += row_head(row.series) + whole(figures.calls) + whole(row.bytes_per_call) + tenths(figures.total_ms) +
                range(figures.total_min_ms, figures.total_max_ms) + whole(figures.ops_per_s) +
                tenths(figures.mb_per_s) + tenths(figures.p50_us) + tenths(figures.p90_us) + tenths(figures.p99_us) +
                tenths(figures.max_us) + tenths(figures.first_us) + "</tr>\n";
    }
    return html + kTableEnd;
}

std::string list_of(const std::vector<std::string>& lines) {
    std::string html = "<ul>\n";
    for (const auto& line : lines) html += "<li>" + html_text(line) + "</li>\n";
    return html + "</ul>\n";
}

std::string derived_list(const TargetTables& target) {
    std::vector<std::string> lines;
    for (const auto& line : target.derived) lines.push_back(line.text);
    return list_of(lines);
}

/// What stands between backticks becomes code.
std::string with_code(const std::string& text) {
    std::string html;
    bool code = false;
    for (const char c : html_text(text)) {
        if (c != '`') {
            html += c;
            continue;
        }
        html += code ? "</code>" : "<code>";
        code = !code;
    }
    return code ? html + "</code>" : html;
}

/// A list of facts; what is not known is left out.
class Facts {
public:
    Facts& add(const char* name, const std::string& value) {
        if (!value.empty()) html_ += std::string("<dt>") + name + "</dt><dd>" + html_text(value) + "</dd>\n";
        return *this;
    }

    [[nodiscard]] std::string html() const { return "<div class=\"card\"><dl>\n" + html_ + "</dl></div>\n"; }

private:
    std::string html_;
};

std::string run_facts(const RunDocument& document, const Tables& tables) {
    std::string browsers;
    for (const auto& target : tables.targets) browsers += (browsers.empty() ? "" : ", ") + target.header;
    return Facts()
        .add("Browsers", browsers)
        .add("Host", host(document))
        .add("Profiles on", profiles(document))
        .add("Configuration", configuration(document))
        .add("Label", document.label.value_or(""))
        .add("Note", document.note.value_or(""))
        .add("Date", document.started_at.value_or(""))
        .html();
}

std::string target_facts(const document::Target& target) {
    const auto seen = environment(target);
    const auto& browser = target.browser;
    return Facts()
        .add("Target", target.name)
        .add("Version", browser.version)
        .add("Build", browser.build_id.value_or(""))
        .add("Source", browser.source_stamp.value_or(""))
        .add(browser.local_build.value_or(false) ? "Local build" : "Binary", browser.binary.value_or(""))
        .add("Note", target.note.value_or(""))
        .add("User agent", seen.user_agent)
        .add("Platform", seen.platform)
        .add("Timestamp", seen.timestamp)
        .add("Clock's step", seen.resolution)
        .add("Storage of the site", seen.estimate)
        .html();
}

std::string page_head(const RunDocument& document, const Tables& tables) {
    const bool completed = document.state == document::RunState::completed;
    std::string html = "<h1>" + html_text(heading(document)) + "</h1>\n<p class=\"id\"><span class=\"mono\">" +
                       html_text(document.id) + "</span> <span class=\"state" + (completed ? "" : " bad") + "\">" +
                       document::to_string(document.state) + "</span></p>\n";
    for (const auto& line : planted_lines(document, tables))
        html += "<p><span class=\"state bad\">planted</span> " + html_text(line) + "</p>\n";
    if (!completed && document.reason) html += "<p>" + html_text(*document.reason) + "</p>\n";
    return html;
}

std::string target_section(const RunDocument& document, const document::Target& target, const TargetTables& tables) {
    std::string html = "<section>\n<h2>" + html_text(tables.header) + "</h2>\n" + target_facts(target) + "<h3>" +
                       with_code(title(document)) + "</h3>\n";
    if (tables.rows.empty()) return html + "<p>Nothing was measured.</p>\n</section>\n";
    html += "<p class=\"hint\">" + html_text(median_run(document, target)) + "</p>\n" + latency_table(tables);
    if (!tables.derived.empty()) html += "<h3>Derived</h3>\n" + derived_list(tables);
    return html + "</section>\n";
}

}  // namespace

std::string html_report(const RunDocument& document, const Tables& tables) {
    constexpr const char* kHow = "<small>median run, mean time per call</small>";
    std::string html = page_head(document, tables) + run_facts(document, tables);
    const auto plot = dot_plot(tables);
    if (!plot.empty()) {
        html +=
            "<h2>Mean time per call<small>logarithmic; whiskers: fastest to slowest pass</small></h2>\n<figure "
            "class=\"card\">\n" +
            plot + "</figure>\n";
    }
    const auto add_costs = [&](const char* title, const auto& rows) {
        if (rows.empty()) return;
        html.append("<h2>").append(title).append(kHow).append("</h2>\n").append(cost_table(rows, tables));
    };
    add_costs("Per-call write cost", tables.per_call);
    add_costs("Per-file cost", tables.per_file);
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        html += target_section(document, document.targets[i], tables.targets[i]);
    }
    const auto quality = quality_lines(document, tables);
    if (!quality.empty()) html += "<h2>Run quality</h2>\n<div class=\"card\">" + list_of(quality) + "</div>\n";
    return html_page(heading(document) + ": " + document.id, html);
}

std::string html_table(const RunDocument& document, const Tables& tables, Table table) {
    std::string html = page_head(document, tables);
    if (table == Table::per_call || table == Table::per_file) {
        html += cost_table(table == Table::per_call ? tables.per_call : tables.per_file, tables);
    } else {
        for (const auto& target : tables.targets) {
            html += "<h2>" + html_text(target.header) + "</h2>\n";
            html += table == Table::latency ? latency_table(target) : derived_list(target);
        }
    }
    return html_page(std::string(to_string(table)) + ": " + document.id, html);
}

}  // namespace foxbench::report
