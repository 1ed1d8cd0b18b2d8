#include "service/report/quality.hpp"

#include <algorithm>
#include <set>

#include "service/document/purpose.hpp"
#include "service/host/noise_rules.hpp"
#include "service/report/numbers.hpp"
#include "service/report/opfs_sync_write.hpp"
#include "service/report/wording.hpp"
#include "service/stats/measured_passes.hpp"

namespace foxbench::report {
namespace {

using document::Json;
using document::RunDocument;
using document::Target;

/// A mean of fewer steps of the clock than this has percentiles that can only take a handful of values.
constexpr double kStepsForPercentiles = 20;
void join(std::string& line, const std::string& part, const char* separator) {
    if (!line.empty()) line += separator;
    line += part;
}

/// The number at a path of member names, if there is one.
std::optional<double> number_at(const Json& json, std::initializer_list<const char*> path) {
    const Json* at = &json;
    for (const char* name : path) {
        if (!at->is_object()) return std::nullopt;
        const auto member = at->find(name);
        if (member == at->end()) return std::nullopt;
        at = &*member;
    }
    if (!at->is_number()) return std::nullopt;
    return at->get<double>();
}

void keep_greatest(std::optional<double>& greatest, std::optional<double> value) {
    if (value && (!greatest || *value > *greatest)) greatest = value;
}

bool tells_of_quality(const RunDocument& document) {
    if (document.state != document::RunState::completed) return true;
    for (const auto& target : document.targets) {
        for (const auto& launch : target.launches) {
            if (launch.noise || launch.failure) return true;
            for (const auto& series : launch.series) {
                const auto passes = stats::measured_passes(series);
                if (std::any_of(passes.begin(), passes.end(),
                                [](const stats::MeasuredPass& pass) { return pass.verified != nullptr; })) {
                    return true;
                }
            }
        }
    }
    return false;
}

/// Every series that the run should have: what its configuration says, and what any of its targets has.
std::vector<std::string> series_asked_for(const RunDocument& document, const Tables& tables) {
    std::vector<std::string> names;
    if (document.workload == kOpfsSyncWrite && document.config.is_object())
        names = opfs_expected_series(document.config);
    std::set<std::string> known(names.begin(), names.end());
    for (const auto& target : tables.targets) {
        for (const auto& row : target.rows) {
            if (known.insert(row.series).second) names.push_back(row.series);
        }
    }
    return names;
}

std::string missing_passes(const RunDocument& document, const Target& target, const TargetTables& tables,
                           const std::vector<std::string>& names) {
    const auto asked = asked_passes(document, target) * asked_launches(document, target);
    std::string line;
    for (const auto& name : names) {
        const auto* row = find_row(tables.rows, name);
        // Of an imported report's figures nobody knows how many passes they are of.
        if (row != nullptr && row->figures.passes == 0) continue;
        const auto measured = row == nullptr ? 0 : row->figures.passes;
        if (measured < asked) join(line, name + " " + std::to_string(measured) + " of " + std::to_string(asked), ", ");
    }
    return line.empty() ? line : "Fewer passes than asked: " + line;
}

std::string verified(const Target& target) {
    std::int64_t passes = 0, checked = 0;
    double blocks = 0, bytes = 0;
    for (const auto& launch : target.launches) {
        for (const auto& series : launch.series) {
            for (const auto& pass : stats::measured_passes(series)) {
                ++passes;
                if (pass.verified == nullptr) continue;
                ++checked;
                blocks += number_at(*pass.verified, {"blocks"}).value_or(0);
                bytes += number_at(*pass.verified, {"bytes"}).value_or(0);
            }
        }
    }
    if (checked == 0) return {};
    std::string line = "Verified: " + integer(checked) + " of " + integer(passes) + " passes";
    if (bytes > 0)
        line += "; " + decimal(bytes / 1e6, 1) + " MB in " + integer(blocks) + " blocks read back and compared";
    return line;
}

std::string noise(const Target& target) {
    std::optional<double> other_cpu, load, io;
    std::set<std::string> governors;
    for (const auto& launch : target.launches) {
        if (!launch.noise) continue;
        keep_greatest(other_cpu, number_at(*launch.noise, {"other_cpu_percent"}));
        keep_greatest(load, number_at(*launch.noise, {"before", "load_1m"}));
        for (const char* moment : {"before", "after"})
            keep_greatest(io, number_at(*launch.noise, {moment, "pressure", "io"}));
        if (!launch.noise->is_object()) continue;
        const auto governor = launch.noise->find("governor");
        if (governor != launch.noise->end() && governor->is_string()) governors.insert(governor->get<std::string>());
    }
    std::string line;
    if (other_cpu) join(line, "other processes used " + decimal(*other_cpu, 1) + " % of one processor", "; ");
    if (load) join(line, "load before " + decimal(*load, 2), "; ");
    if (io) join(line, "waiting for the disk " + decimal(*io, 1) + " % of the time", "; ");
    for (const auto& governor : governors) join(line, "governor " + governor, "; ");
    if (line.empty()) return {};
    if (target.launches.size() > 1) line += " (the highest of its launches)";
    return "Noise: " + line;
}

/// Which launches were noisy and why; empty where none was.
std::string noisy_launches(const RunDocument& document, const Target& target) {
    std::string line;
    for (std::size_t i = 0; i < target.launches.size(); ++i) {
        std::string reasons;
        for (const auto& reason : host::noise_flags(target.launches[i], document)) join(reasons, reason, ", ");
        if (!reasons.empty()) join(line, "launch " + std::to_string(i + 1) + " (" + reasons + ")", "; ");
    }
    return line.empty() ? line : "Noisy: " + line;
}

std::string clock(const Target& target, const TargetTables& tables) {
    std::optional<double> step_us;
    for (const auto& launch : target.launches) {
        if (launch.environment) keep_greatest(step_us, launch.environment->timer_resolution_us);
    }
    if (!step_us) return {};
    std::string coarse;
    for (const auto& row : tables.rows) {
        if (row.figures.mean_us && *row.figures.mean_us < kStepsForPercentiles * *step_us)
            join(coarse, row.series, ", ");
    }
    std::string line = "Clock: it moves in steps of " + resolution(*step_us);
    if (!coarse.empty()) line += "; percentiles are only as fine as that (mean under 20 steps) for " + coarse;
    return line;
}

std::string planted_line(const std::string& what, double us) {
    return "every timed call" + what + " was slowed down by " + in_full(us) +
           " µs on purpose; these figures are no browser's";
}

}  // namespace

std::vector<std::string> planted_lines(const RunDocument& document, const Tables& tables) {
    std::vector<std::string> lines;
    if (!document::is_planted(document)) return lines;
    std::set<double> different;
    for (const auto& target : document.targets) different.insert(document::planted_us(document, target));
    if (different.size() < 2)
        return {planted_line(
            "", document::planted_us(document, document.targets.empty() ? Target() : document.targets.front()))};
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        const double us = document::planted_us(document, document.targets[i]);
        if (us > 0) lines.push_back(planted_line(" of " + tables.targets[i].header, us));
    }
    return lines;
}

std::vector<std::string> quality_lines(const RunDocument& document, const Tables& tables) {
    std::vector<std::string> lines;
    if (!tells_of_quality(document)) return lines;
    lines.push_back("State: " + state(document));
    const auto names = series_asked_for(document, tables);
    for (std::size_t i = 0; i < document.targets.size(); ++i) {
        const auto& target = document.targets[i];
        const auto add = [&](const std::string& line) {
            if (line.empty()) return;
            lines.push_back(document.targets.size() > 1 ? tables.targets[i].header + ": " + line : line);
        };
        add(missing_passes(document, target, tables.targets[i], names));
        for (std::size_t launch = 0; launch < target.launches.size(); ++launch) {
            const auto& failure = target.launches[launch].failure;
            if (failure) add("Launch " + std::to_string(launch + 1) + ": " + *failure);
        }
        add(verified(target));
        add(noise(target));
        add(noisy_launches(document, target));
        add(clock(target, tables.targets[i]));
    }
    return lines;
}

}  // namespace foxbench::report
