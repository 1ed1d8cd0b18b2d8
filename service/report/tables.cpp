#include "service/report/tables.hpp"

#include <algorithm>
#include <map>

#include "service/report/opfs_sync_write.hpp"

namespace foxbench::report {
namespace {

using document::Browser;
using document::RunDocument;
using document::Series;
using document::Target;

std::string product_and_major(const Browser& browser) {
    const auto major = browser.version.substr(0, browser.version.find('.'));
    return major.empty() ? browser.name : browser.name + " " + major;
}

/// Series by name, in the order of measurement over several sequences that may each lack some: an unknown one comes
/// right behind the one it followed.
class SeriesOrder {
public:
    void start() { next_ = 0; }

    void add(const std::string& name) {
        const auto known = std::find(names_.begin(), names_.end(), name);
        if (known != names_.end()) {
            next_ = static_cast<std::size_t>(known - names_.begin()) + 1;
        } else {
            names_.insert(names_.begin() + static_cast<std::ptrdiff_t>(next_), name);
            ++next_;
        }
    }

    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

private:
    std::vector<std::string> names_;
    std::size_t next_ = 0;
};

std::vector<LatencyRow> latency_rows(const Target& target) {
    SeriesOrder order;
    std::map<std::string, std::vector<const Series*>> launches_of;
    for (const auto& launch : target.launches) {
        order.start();
        for (const auto& series : launch.series) {
            // A series that was begun but has no measured pass yet has no figures.
            if (series.passes.empty() && !series.summary) continue;
            order.add(series.name);
            launches_of[series.name].push_back(&series);
        }
    }
    std::vector<LatencyRow> rows;
    for (const auto& name : order.names()) {
        const auto& launches = launches_of[name];
        rows.push_back({name, launches.front()->table, launches.front()->bytes_per_call, launches.front()->bytes_total,
                        stats::summarise(launches)});
    }
    return rows;
}

CostCell cost_cell(const LatencyRow* row, const LatencyRow* base) {
    CostCell cell;
    if (row == nullptr) return cell;
    cell.mean_us = row->figures.mean_us;
    cell.total_ms = row->figures.summary.total_ms;
    if (base != nullptr && base != row && cell.mean_us && base->figures.mean_us.value_or(0) > 0) {
        cell.ratio = *cell.mean_us / *base->figures.mean_us;
    }
    return cell;
}

/// Lines that came with an imported report. They are kept as printed, since what follows from rounded figures is not
/// what the report says.
std::optional<std::vector<DerivedLine>> printed_lines(const Target& target) {
    if (!target.extra.is_object()) return std::nullopt;
    const auto lines = target.extra.find(kPrintedDerived);
    if (lines == target.extra.end() || !lines->is_array()) return std::nullopt;
    std::vector<DerivedLine> derived;
    for (const auto& line : *lines) {
        if (line.is_string()) derived.push_back({"as-printed", line.get<std::string>(), {}});
    }
    return derived;
}

}  // namespace

std::vector<std::string> target_headers(const RunDocument& document) {
    std::vector<std::string> headers;
    for (const auto& target : document.targets) headers.push_back(product_and_major(target.browser));
    std::map<std::string, int> bearers;
    for (const auto& header : headers) ++bearers[header];
    for (std::size_t i = 0; i < headers.size(); ++i) {
        if (bearers[headers[i]] > 1) headers[i] += " (" + document.targets[i].name + ")";
    }
    return headers;
}

const LatencyRow* find_row(const std::vector<LatencyRow>& rows, std::string_view name) {
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const LatencyRow& each) { return each.series == name; });
    return row == rows.end() ? nullptr : &*row;
}

Tables make_tables(const RunDocument& document) {
    Tables tables;
    const auto headers = target_headers(document);
    SeriesOrder order;
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        TargetTables target{document.targets[i].name, headers[i], latency_rows(document.targets[i]), {}};
        if (auto printed = printed_lines(document.targets[i])) {
            target.derived = std::move(*printed);
        } else if (document.workload == kOpfsSyncWrite) {
            target.derived = opfs_derived_lines(target.rows);
        }
        order.start();
        for (const auto& row : target.rows) order.add(row.series);
        tables.targets.push_back(std::move(target));
    }
    for (const auto& name : order.names()) {
        CostRow row{name, {}};
        bool per_file = false;
        const auto* base = find_row(tables.targets.front().rows, name);
        for (const auto& target : tables.targets) {
            const auto* measured = find_row(target.rows, name);
            if (measured != nullptr) per_file = measured->table == document::kPerFile;
            row.cells.push_back(cost_cell(measured, base));
        }
        (per_file ? tables.per_file : tables.per_call).push_back(std::move(row));
    }
    return tables;
}

}  // namespace foxbench::report
