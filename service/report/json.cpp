#include "service/report/json.hpp"

#include "service/document/json_text.hpp"
#include "service/document/object_reader.hpp"
#include "service/document/purpose.hpp"
#include "service/host/noise_rules.hpp"
#include "service/report/json_values.hpp"
#include "service/report/quality.hpp"

namespace foxbench::report {
namespace {

using document::Json;
using document::RunDocument;

Json cost_rows(const std::vector<CostRow>& rows, const Tables& tables) {
    Json written = Json::array();
    for (const auto& row : rows) {
        Json targets = Json::array();
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const auto& cell = row.cells[i];
            targets.push_back({{"target", tables.targets[i].name},
                               {"mean_us", number_or_null(cell.mean_us)},
                               {"total_ms", number_or_null(cell.total_ms)},
                               {"ratio_to_first", number_or_null(cell.ratio)}});
        }
        written.push_back({{"series", row.series}, {"targets", std::move(targets)}});
    }
    return written;
}

Json latency_rows(const TargetTables& target) {
    Json written = Json::array();
    for (const auto& row : target.rows) {
        const auto& figures = row.figures.summary;
        written.push_back({{"series", row.series},
                           {"table", row.table},
                           {"passes", row.figures.passes > 0 ? Json(row.figures.passes) : Json(nullptr)},
                           {"calls", value_or_null(figures.calls)},
                           {"bytes_per_call", value_or_null(row.bytes_per_call)},
                           {"bytes_total", value_or_null(row.bytes_total)},
                           {"mean_us", number_or_null(row.figures.mean_us)},
                           {"mean_min_us", number_or_null(row.figures.mean_min_us)},
                           {"mean_max_us", number_or_null(row.figures.mean_max_us)},
                           {"total_ms", number_or_null(figures.total_ms)},
                           {"total_min_ms", number_or_null(figures.total_min_ms)},
                           {"total_max_ms", number_or_null(figures.total_max_ms)},
                           {"ops_per_s", number_or_null(figures.ops_per_s)},
                           {"mb_per_s", number_or_null(figures.mb_per_s)},
                           {"p50_us", number_or_null(figures.p50_us)},
                           {"p90_us", number_or_null(figures.p90_us)},
                           {"p99_us", number_or_null(figures.p99_us)},
                           {"max_us", number_or_null(figures.max_us)},
                           {"first_us", number_or_null(figures.first_us)},
                           {"first_min_us", number_or_null(figures.first_min_us)},
                           {"first_max_us", number_or_null(figures.first_max_us)}});
    }
    return written;
}

Json derived_rows(const TargetTables& target) {
    Json written = Json::array();
    for (const auto& line : target.derived) {
        Json figures = Json::object();
        for (const auto& [name, value] : line.figures) figures[name] = number_or_null(value);
        written.push_back({{"line", line.id}, {"text", line.text}, {"figures", std::move(figures)}});
    }
    return written;
}

Json environment_of(const document::Target& target) {
    for (const auto& launch : target.launches) {
        if (!launch.environment) continue;
        const auto& seen = *launch.environment;
        return {{"user_agent", value_or_null(seen.user_agent)},
                {"platform", value_or_null(seen.platform)},
                {"hardware_concurrency", value_or_null(seen.hardware_concurrency)},
                {"timestamp", value_or_null(seen.timestamp)},
                {"timer_resolution_us", number_or_null(seen.timer_resolution_us)},
                {"cross_origin_isolated", value_or_null(seen.cross_origin_isolated)},
                {"storage_usage_bytes", number_or_null(seen.storage_usage_bytes)},
                {"storage_quota_bytes", number_or_null(seen.storage_quota_bytes)}};
    }
    return nullptr;
}

/// Members that are only there where there is something to say.
void add_exceptions(Json& written, const RunDocument& document, const document::Target& target) {
    if (const double us = document::planted_us(document, target); us > 0)
        written[document::kPlanted] = document::number_to_json(us);
    Json noisy = Json::array();
    for (std::size_t i = 0; i < target.launches.size(); ++i) {
        const auto reasons = host::noise_flags(target.launches[i], document);
        if (!reasons.empty()) noisy.push_back({{"launch", i + 1}, {"reasons", reasons}});
    }
    if (!noisy.empty()) written["noisy_launches"] = std::move(noisy);
}

Json target_of(const RunDocument& document, const document::Target& target, const TargetTables& tables) {
    const auto& browser = target.browser;
    Json json = {{"target", tables.name},
                 {"browser", tables.header},
                 {"product", browser.name},
                 {"version", browser.version},
                 {"build_id", value_or_null(browser.build_id)},
                 {"source_stamp", value_or_null(browser.source_stamp)},
                 {"binary", value_or_null(browser.binary)},
                 {"local_build", value_or_null(browser.local_build)},
                 {"note", value_or_null(target.note)},
                 {"launches", target.launches.size()},
                 {"environment", environment_of(target)},
                 {"latency", latency_rows(tables)},
                 {"derived", derived_rows(tables)}};
    add_exceptions(json, document, target);
    return json;
}

Json host_of(const RunDocument& document) {
    if (!document.host) return nullptr;
    const auto& machine = *document.host;
    return {{"name", value_or_null(machine.name)},
            {"id", value_or_null(machine.id)},
            {"cpu", value_or_null(machine.cpu)},
            {"threads", value_or_null(machine.threads)},
            {"memory_bytes", number_or_null(machine.memory_bytes)},
            {"os", value_or_null(machine.os)},
            {"kernel", value_or_null(machine.kernel)},
            {"arch", value_or_null(machine.arch)}};
}

Json profiles_of(const RunDocument& document) {
    if (!document.profiles) return nullptr;
    const auto& folder = *document.profiles;
    Json json = {{"filesystem", value_or_null(folder.filesystem)},
                 {"mount", value_or_null(folder.mount)},
                 {"device", value_or_null(folder.device)},
                 {"options", value_or_null(folder.options)}};
    if (folder.extra.is_object() && folder.extra.contains("disk")) json["disk"] = folder.extra["disk"];
    return json;
}

/// Text that is no UTF-8 gets U+FFFD: a report of a damaged document is better than none.
std::string written(const Json& json) {
    return document::to_text(json, 2) + "\n";
}

}  // namespace

std::string json_report(const RunDocument& document, const Tables& tables) {
    Json targets = Json::array();
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        targets.push_back(target_of(document, document.targets[i], tables.targets[i]));
    }
    return written({{"run", document.id},
                    {"workload", document.workload},
                    {"label", value_or_null(document.label)},
                    {"note", value_or_null(document.note)},
                    {"state", document::to_string(document.state)},
                    {"reason", value_or_null(document.reason)},
                    {"started_at", value_or_null(document.started_at)},
                    {"finished_at", value_or_null(document.finished_at)},
                    {"host", host_of(document)},
                    {"profiles", profiles_of(document)},
                    {"config", document.config},
                    {"per_call", cost_rows(tables.per_call, tables)},
                    {"per_file", cost_rows(tables.per_file, tables)},
                    {"targets", std::move(targets)},
                    {"quality", quality_lines(document, tables)}});
}

std::string json_table(const RunDocument& document, const Tables& tables, Table table) {
    Json json = {{"run", document.id}, {"table", std::string(to_string(table))}};
    if (table == Table::per_call || table == Table::per_file) {
        json["rows"] = cost_rows(table == Table::per_call ? tables.per_call : tables.per_file, tables);
        return written(json);
    }
    Json targets = Json::array();
    for (const auto& target : tables.targets) {
        targets.push_back({{"target", target.name},
                           {"browser", target.header},
                           {"rows", table == Table::latency ? latency_rows(target) : derived_rows(target)}});
    }
    json["targets"] = std::move(targets);
    return written(json);
}

}  // namespace foxbench::report
