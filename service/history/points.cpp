#include "service/history/points.hpp"

#include <algorithm>

#include "service/document/purpose.hpp"
#include "service/document/utc_time.hpp"
#include "service/host/noise_rules.hpp"
#include "service/stats/spread.hpp"
#include "service/stats/summary.hpp"

namespace foxbench::history {
namespace {

using document::Launch;
using document::RunDocument;
using document::Series;
using document::Target;

constexpr std::size_t kDateCharacters = 10;  // "2026-09-16"

/// Members of `config` that say how often and which parts, not what a call does; and a planted slowdown, which is not
/// other work, but what is to be seen.
constexpr const char* kNotWork[] = {"preset", "launches", "cases", document::kPlanted};

const Series* find_series(const Launch& launch, const std::string& name) {
    const auto found = std::ranges::find(launch.series, name, &Series::name);
    return found == launch.series.end() ? nullptr : &*found;
}

/// Each series of a target once, in the order in which they appear.
std::vector<const Series*> series_of(const Target& target) {
    std::vector<const Series*> all;
    for (const auto& launch : target.launches) {
        for (const auto& series : launch.series) {
            const auto same = [&](const Series* known) { return known->name == series.name; };
            if (std::ranges::none_of(all, same)) all.push_back(&series);
        }
    }
    return all;
}

bool is_nightly(const RunDocument& run) {
    return run.trigger && run.trigger->is_object() &&
           run.trigger->value("kind", document::Json()) == document::Json("schedule");
}

double clock_step(const Target& target) {
    for (const auto& launch : target.launches) {
        if (launch.environment && launch.environment->timer_resolution_us)
            return *launch.environment->timer_resolution_us;
    }
    return 0;
}

Point point_of(const RunDocument& run, const Target& target, const Series& series) {
    Point point;
    point.run = run.id;
    point.night = night_of(run);
    point.at_ms = document::utc_milliseconds(run.started_at.value_or("")).value_or(0);
    point.clock_step_us = clock_step(target);
    point.calls = std::max<std::int64_t>(1, stats::summarise(series).summary.calls.value_or(1));
    point.build = {target.browser.version, target.browser.build_id, target.browser.source_stamp,
                   target.browser.source_repository};
    const auto all = launch_means(run, target, series.name);
    const auto quiet = launch_means(run, target, series.name, true);
    point.launch_means_us = quiet.empty() ? all : quiet;
    if (run.state != document::RunState::completed) {
        point.not_used = document::to_string(run.state);
    } else if (run.report_markdown) {
        point.not_used = "imported from a report: it has no samples";
    } else if (quiet.empty()) {
        point.not_used = all.size() == 1 ? "its launch was noisy" : "all of its launches were noisy";
    }
    return point;
}

/// What comparing the halves of an A/A run says, the launches going to one side and the other as those of two targets
/// would: A B B A.
stats::SeriesVerdict compare_halves(const std::vector<double>& means, double clock_step_us, std::int64_t calls) {
    std::vector<double> halves[2];
    for (std::size_t i = 0; i < means.size(); ++i) halves[(i % 4 == 1 || i % 4 == 2) ? 1 : 0].push_back(means[i]);
    stats::ComparisonTerms terms;
    terms.clock_step_us = clock_step_us;
    terms.calls = calls;
    return stats::compare_series({halves[0], {}}, {halves[1], {}}, terms);
}

}  // namespace

SeriesKey key_of(const RunDocument& run, const Target& target, const Series& series) {
    SeriesKey key;
    if (run.host) {
        key.host_name = run.host->name.value_or("");
        key.host = run.host->id.value_or(key.host_name);
    }
    key.workload = run.workload;
    key.target = target.name;
    key.series = series.name;
    key.table = series.table;
    key.parameters = document::Json::object();
    for (const auto& [name, value] : run.config.items()) {
        if (std::ranges::find(kNotWork, name) == std::end(kNotWork)) key.parameters[name] = value;
    }
    return key;
}

std::string night_of(const RunDocument& run) {
    if (run.trigger && run.trigger->is_object()) {
        if (const auto night = run.trigger->find("night"); night != run.trigger->end() && night->is_string())
            return night->get<std::string>();
    }
    return run.started_at.value_or("").substr(0, kDateCharacters);
}

std::vector<double> launch_means(const RunDocument& run, const Target& target, const std::string& series,
                                 bool quiet_only) {
    std::vector<double> means;
    for (const auto& launch : target.launches) {
        const Series* found = find_series(launch, series);
        if (found == nullptr || (quiet_only && !host::noise_flags(launch, run).empty())) continue;
        if (const auto mean = stats::summarise(*found).mean_us) means.push_back(*mean);
    }
    return means;
}

std::vector<Contribution> contributions(const RunDocument& run, bool planted_too) {
    std::vector<Contribution> all;
    if (!is_nightly(run) || document::is_aa(run) || night_of(run).empty()) return all;
    if (document::is_planted(run) && !planted_too) return all;
    for (std::size_t i = 0; i < run.targets.size(); ++i) {
        const auto& target = run.targets[i];
        for (const auto* series : series_of(target)) {
            auto point = point_of(run, target, *series);
            if (point.launch_means_us.empty()) continue;
            all.push_back({key_of(run, target, *series), i, std::move(point)});
        }
    }
    return all;
}

std::vector<AaResult> aa_results(const RunDocument& run) {
    std::vector<AaResult> all;
    if (!document::is_aa(run) || document::is_planted(run) || run.state != document::RunState::completed) return all;
    for (const auto& target : run.targets) {
        for (const auto* series : series_of(target)) {
            const auto means = launch_means(run, target, series->name);
            if (means.size() < 2 || std::ranges::any_of(means, [](double mean) { return !(mean > 0); })) continue;
            AaResult result;
            result.key = key_of(run, target, *series);
            result.spread = {stats::log_sd(means), means.size()};
            result.median_us = stats::median(means);
            const auto calls = std::max<std::int64_t>(1, stats::summarise(*series).summary.calls.value_or(1));
            const auto halves = compare_halves(means, clock_step(target), calls);
            result.compared = halves.smallest_p <= stats::kSignificance;
            result.false_call = halves.verdict == stats::Verdict::slower || halves.verdict == stats::Verdict::faster;
            all.push_back(std::move(result));
        }
    }
    return all;
}

}  // namespace foxbench::history
