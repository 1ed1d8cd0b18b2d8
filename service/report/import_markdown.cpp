#include "service/report/import_markdown.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "service/document/ids.hpp"
#include "service/document/object_reader.hpp"
#include "service/document/purpose.hpp"
#include "service/error.hpp"
#include "service/report/opfs_sync_write.hpp"
#include "service/report/report_facts.hpp"
#include "service/report/report_lines.hpp"
#include "service/report/tables.hpp"

namespace foxbench::report {
namespace {

using document::Json;
using document::RunDocument;
using document::Series;
using document::Target;

constexpr std::string_view kTitle = "# OPFS sync write benchmark: ";
constexpr std::string_view kPerCallHeading = "Per-call write cost (median run, mean time per call)";
constexpr std::string_view kPerFileHeading = "Per-file cost (median run, mean time per call)";
constexpr std::string_view kCostColumn = " µs/call";
/// More than a run can have (eight chunk sizes and nine further series; targets are named by hand): what has more is no
/// report.
constexpr std::size_t kMostSeries = 100;
constexpr std::size_t kMostTargets = 100;

/// Reads a report from top to bottom.
class Importer {
public:
    Importer(std::string_view text, std::string_view origin) : lines_(text, origin) {}

    RunDocument read() {
        read_title();
        read_head();
        while (!lines_.at_end()) {
            const auto line = lines_.take();
            if (!line.starts_with("## ")) continue;
            const auto section = line.substr(3);
            if (section == kPerCallHeading) {
                read_cost_table(document::kPerCall);
            } else if (section == kPerFileHeading) {
                read_cost_table(document::kPerFile);
            } else if (auto target = target_from(unescaped(section))) {
                read_target(std::move(*target), unescaped(section));
            }
        }
        finish();
        return std::move(document_);
    }

private:
    [[noreturn]] void fail(const std::string& expected) const { lines_.fail(expected); }

    void read_title() {
        const auto line = lines_.at_end() ? std::string_view{} : lines_.take();
        if (!line.starts_with(kTitle) || line.size() == kTitle.size()) {
            fail("expected a report that begins with '" + std::string(kTitle) + "<run id>'");
        }
        document_.workload = kOpfsSyncWrite;
        document_.id = unescaped(line.substr(kTitle.size()));
        if (!document::is_run_id(document_.id))
            fail(std::string("expected a run's id in the title: ") + document::kRunIdRule);
        document_.label = label_from(document_.id);
    }

    /// The lines from under the title to the first section.
    void read_head() {
        while (!lines_.at_end() && !lines_.peek().starts_with("## ")) {
            auto line = lines_.take();
            if (line.ends_with("  ")) line.remove_suffix(2);
            std::string_view rest;
            if (after(line, "State: ", rest)) {
                read_state(rest);
            } else if (after(line, "Host: ", rest)) {
                document_.host = host_from(unescaped(rest));
            } else if (after(line, "Config: ", rest)) {
                read_configuration(unescaped(rest));
            } else if (after(line, "Profiles on: ", rest)) {
                document_.profiles = profiles_from(unescaped(rest));
            } else if (after(line, "Planted: ", rest)) {
                planted_.push_back(unescaped(rest));
            } else if (after(line, "Local build: ", rest)) {
                local_builds_.push_back(unescaped(rest));
            } else if (after(line, "Note: ", rest)) {
                document_.note = unescaped(rest);
            } else if (after(line, "Date: ", rest)) {
                document_.started_at = unescaped(rest);
            }
        }
    }

    void read_state(std::string_view rest) {
        const auto end = rest.find('.');
        const auto word = rest.substr(0, end);
        if (word != "partial" && word != "invalid" && word != "failed" && word != "cancelled") {
            fail("expected a state: partial, invalid, failed or cancelled");
        }
        document_.state = document::run_state_from(std::string(word));
        if (end != std::string_view::npos && rest.size() > end + 2) document_.reason = unescaped(rest.substr(end + 2));
    }

    void read_configuration(std::string_view line) {
        for (const auto part : split(line, ", ")) {
            const auto equals = part.find('=');
            if (equals == std::string_view::npos)
                fail("expected 'name=value' pairs with commas between them after 'Config: '");
            const auto name = part.substr(0, equals), value = part.substr(equals + 1);
            static const std::map<std::string_view, const char*> kCounts{
                {"N", "calls"}, {"R", "passes"}, {"M", "files"}};
            if (name == "preset") {
                document_.config["preset"] = std::string(value);
            } else if (const auto count = kCounts.find(name); count != kCounts.end()) {
                document_.config[count->second] =
                    required(integer_from(value), "an integer after '" + std::string(name) + "='");
            } else if (name == "S") {
                document_.config["bytes"] = required(size_from(value), "a size like '4096 B' after 'S='");
            } else if (name == "chunks") {
                Json chunks = Json::array();
                for (const auto chunk : split(value, " / ")) {
                    chunks.push_back(required(size_from(chunk), "sizes like '64 KiB / 1 MiB' after 'chunks='"));
                }
                document_.config["chunks"] = std::move(chunks);
            }
        }
    }

    template <class Value>
    Value required(const std::optional<Value>& value, const std::string& what) const {
        if (!value) fail("expected " + what);
        return *value;
    }

    /// One of the two first tables: which series belong to it, and their means as printed.
    void read_cost_table(const char* table) {
        lines_.skip_to_table();
        const auto columns = lines_.take_cells();
        lines_.take();  // the line under the header
        while (lines_.at_row()) {
            const auto cells = lines_.take_cells();
            if (cells.size() != columns.size())
                fail("expected " + std::to_string(columns.size()) + " cells in this row");
            if (tables_.size() >= kMostSeries) fail("expected at most " + std::to_string(kMostSeries) + " series");
            tables_.emplace(cells.front(), table);
            for (std::size_t i = 1; i < columns.size(); ++i) {
                const std::string_view column = columns[i];
                if (!column.ends_with(kCostColumn) || cells[i] == "–") continue;
                const auto mean =
                    required(cost_from(cells[i]), "a mean like '40.0 µs' or '16.2 ms', not '" + cells[i] + "'");
                means_[{std::string(column.substr(0, column.size() - kCostColumn.size())), cells.front()}] = mean;
            }
        }
    }

    void read_target(Target target, const std::string& header) {
        if (document_.targets.size() >= kMostTargets)
            fail("expected at most " + std::to_string(kMostTargets) + " browsers");
        headers_.push_back(header);
        auto& launch = target.launches.emplace_back();
        document::Environment seen;
        Json derived = Json::array();
        bool in_derived = false, seen_any = false;
        while (!lines_.at_end() && !lines_.peek().starts_with("## ")) {
            if (lines_.at_row()) {
                read_latency_table(header, launch.series);
                continue;
            }
            const auto line = lines_.take();
            std::string_view rest;
            if (line.starts_with("Median run of R=")) {
                read_launches(line);
            } else if (line == "Derived:") {
                in_derived = true;
            } else if (after(line, "- ", rest)) {
                if (in_derived) {
                    derived.push_back(unescaped(rest));
                    read_first_call(unescaped(rest), launch.series);
                } else {
                    seen_any |= environment_from(rest, seen);
                }
            }
        }
        if (seen_any) launch.environment = std::move(seen);
        if (!derived.empty()) target.extra = Json{{kPrintedDerived, std::move(derived)}};
        document_.targets.push_back(std::move(target));
    }

    /// "Median run of R=15 (5 launches × 3) (by total time) ...": the launches; R stands in the configuration.
    void read_launches(std::string_view line) {
        const auto open = line.find(" ("), end = line.find(" launches × ");
        if (open == std::string_view::npos || end == std::string_view::npos || end < open) return;
        if (const auto launches = integer_from(line.substr(open + 2, end - open - 2)))
            document_.config["launches"] = *launches;
    }

    void read_latency_table(const std::string& header, std::vector<Series>& all) {
        const auto columns = lines_.take_cells();
        lines_.take();  // the line under the header
        const auto column = [&](std::string_view name) {
            return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) - columns.begin());
        };
        const auto calls = column("Calls"), bytes = column("Bytes/call"), total = column("Total (ms)"),
                   range = column("Total min–max (ms)"), ops = column("ops/s"), rate = column("MB/s"),
                   p50 = column("p50 (µs)"), p90 = column("p90 (µs)"), p99 = column("p99 (µs)"),
                   most = column("max (µs)"), first = column("1st call (µs)");
        if (std::max({calls, bytes, total, range, ops, rate, p50, p90, p99, most, first}) >= columns.size()) {
            fail(
                "expected the columns Calls, Bytes/call, Total (ms), Total min–max (ms), ops/s, MB/s, p50, p90, p99, "
                "max and 1st call");
        }
        while (lines_.at_row()) {
            const auto cells = lines_.take_cells();
            if (cells.size() != columns.size())
                fail("expected " + std::to_string(columns.size()) + " cells in this row");
            if (all.size() >= kMostSeries) fail("expected at most " + std::to_string(kMostSeries) + " series");
            const auto figure = [&](const std::string& cell) -> std::optional<double> {
                if (cell == "–") return std::nullopt;
                return required(number_from(cell), "a figure or '–', not '" + cell + "'");
            };
            const auto count = [&](const std::string& cell) -> std::optional<std::int64_t> {
                if (cell == "–") return std::nullopt;
                return required(integer_from(cell), "an integer or '–', not '" + cell + "'");
            };
            Series series;
            series.name = cells.front();
            if (std::ranges::find(all, series.name, &Series::name) != all.end())
                fail("'" + series.name + "' is in this table twice");
            series.table = table_of(series.name);
            series.bytes_per_call = count(cells[bytes]);
            auto& summary = series.summary.emplace();
            summary.calls = count(cells[calls]);
            summary.total_ms = figure(cells[total]);
            if (cells[range] != "–") {
                const auto ends = split(cells[range], "–");
                if (ends.size() != 2) fail("expected a range like '80.0–82.2', not '" + cells[range] + "'");
                summary.total_min_ms = figure(std::string(ends[0]));
                summary.total_max_ms = figure(std::string(ends[1]));
            }
            summary.ops_per_s = figure(cells[ops]);
            summary.mb_per_s = figure(cells[rate]);
            summary.p50_us = figure(cells[p50]);
            summary.p90_us = figure(cells[p90]);
            summary.p99_us = figure(cells[p99]);
            summary.max_us = figure(cells[most]);
            summary.first_us = figure(cells[first]);
            if (const auto mean = means_.find({header, series.name}); mean != means_.end()) {
                summary.extra = Json{{"mean_us", mean->second}};
            }
            series.bytes_total = bytes_of_a_pass(series);
            all.push_back(std::move(series));
        }
    }

    std::string table_of(const std::string& series) const {
        const auto known = tables_.find(series);
        if (known != tables_.end()) return known->second;
        return series.starts_with("new-file") ? document::kPerFile : document::kPerCall;
    }

    /// All per-call series write N x S bytes (docs/report-format.md), the last chunk what is left.
    std::optional<std::int64_t> bytes_of_a_pass(const Series& series) const {
        if (!series.bytes_per_call) return std::nullopt;
        const auto calls = document_.config.find("calls"), bytes = document_.config.find("bytes");
        if (series.name.starts_with("chunked-append")) {
            if (calls == document_.config.end() || bytes == document_.config.end()) return std::nullopt;
            return product(calls->get<std::int64_t>(), bytes->get<std::int64_t>());
        }
        if (!series.summary->calls) return std::nullopt;
        return product(*series.summary->calls, *series.bytes_per_call);
    }

    /// The smallest and largest first latency stand in a line only.
    static void read_first_call(std::string_view line, std::vector<Series>& all) {
        constexpr std::string_view kWhat = ": first call into the fresh file ", kRuns = "; across runs ";
        const auto name_end = line.find(kWhat), runs = line.rfind(kRuns);
        if (name_end == std::string_view::npos || runs == std::string_view::npos) return;
        const auto range = line.substr(runs + kRuns.size());
        const auto ends = split(range.substr(0, range.find(" µs")), "–");
        if (ends.size() != 2) return;
        for (auto& series : all) {
            if (series.name != line.substr(0, name_end)) continue;
            series.summary->first_min_us = number_from(ends[0]);
            series.summary->first_max_us = number_from(ends[1]);
        }
    }

    void finish() {
        const bool measured = std::any_of(document_.targets.begin(), document_.targets.end(),
                                          [](const Target& target) { return !target.launches.front().series.empty(); });
        if (!measured && document_.state == document::RunState::completed) {
            fail("expected a section '## <browser>' with a table of figures before the end of the report");
        }
        name_targets();
        for (const auto& line : planted_) mark_planted(line);
        for (const auto& line : local_builds_) {
            for (std::size_t i = 0; i < headers_.size(); ++i) {
                const auto from = headers_[i] + " from ";
                if (line != headers_[i] + "." && !line.starts_with(from)) continue;
                auto& browser = document_.targets[i].browser;
                browser.local_build = true;
                if (line.starts_with(from) && line.ends_with('.')) {
                    browser.binary = line.substr(from.size(), line.size() - from.size() - 1);
                }
            }
        }
    }

    /// "every timed call of Firefox 158 was slowed down by 50 µs ...": of one target, or of all where none is named.
    void mark_planted(std::string_view line) {
        constexpr std::string_view kStart = "every timed call", kEnd = " was slowed down by ", kUnit = " µs";
        const auto end = line.rfind(kEnd);
        if (!line.starts_with(kStart) || end == std::string_view::npos) return;
        const auto digits = line.substr(end + kEnd.size());
        const auto us = number_from(digits.substr(0, digits.find(kUnit)));
        if (!us) return;
        const auto which = line.substr(kStart.size(), end - kStart.size());
        if (which.empty()) document_.config[document::kPlanted] = document::number_to_json(*us);
        for (std::size_t i = 0; i < headers_.size(); ++i) {
            if (which == " of " + headers_[i])
                document_.targets[i].extra[document::kPlanted] = document::number_to_json(*us);
        }
    }

    /// A target whose name is not told is called by its product, and version where that is needed.
    void name_targets() {
        std::map<std::string, int> products;
        for (const auto& target : document_.targets) ++products[target.browser.name];
        std::set<std::string> taken;
        for (auto& target : document_.targets) {
            if (target.name.empty()) {
                target.name = lower_slug(target.browser.name);
                if (products[target.browser.name] > 1) target.name += "-" + lower_slug(target.browser.version);
            }
            const auto wanted = target.name;
            for (int number = 2; !taken.insert(target.name).second; ++number)
                target.name = wanted + "-" + std::to_string(number);
        }
    }

    ReportLines lines_;
    RunDocument document_;
    std::vector<std::string> headers_, local_builds_, planted_;
    std::map<std::string, std::string> tables_;                    ///< of each series
    std::map<std::pair<std::string, std::string>, double> means_;  ///< by header and series, as printed
};

}  // namespace

bool looks_like_report(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    return text.starts_with(kTitle);
}

RunDocument import_markdown(std::string_view text, std::string_view origin) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorCode::usage, std::string(origin) + ": " + why + ": not a foxbench report");
    };
    if (text.size() > kMaxReportBytes) refuse("longer than " + std::to_string(kMaxReportBytes / 1024 / 1024) + " MiB");
    if (!is_text(text)) refuse("not UTF-8 text without control characters");
    auto document = Importer(text, origin).read();
    document.report_markdown = std::string(text);
    return document;
}

}  // namespace foxbench::report
