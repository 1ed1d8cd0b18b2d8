#pragma once

#include <map>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"

/// Runs for tests and benchmarks, with given means.
namespace foxbench::history {

/// One target as it is to be seen.
struct SampleTarget {
    std::string name = "firefox";
    std::string build_id = "20260901000000";
    std::string source_stamp = "8d76a2ba4c00";
    std::map<std::string, std::vector<double>> means_us;  ///< of each series, the mean of each launch
};

/// A completed run on host lab-3, with one pass of one call a launch, whose latency is the mean.
inline document::RunDocument sample_run(const std::string& id, const std::vector<SampleTarget>& targets) {
    document::RunDocument run;
    run.id = id;
    run.workload = "opfs-sync-write";
    run.state = document::RunState::completed;
    run.started_at = "2026-09-01T00:00:05Z";
    run.finished_at = "2026-09-01T00:05:00Z";
    run.trigger = document::Json{{"kind", "cli"}};
    run.host.emplace();
    run.host->name = "lab-3";
    run.host->id = "5f2c5f2c5f2c5f2c";
    run.profiles.emplace();
    run.profiles->filesystem = "ext4";
    run.profiles->mount = "/";
    run.config = {{"preset", "quick"}, {"calls", 1}, {"bytes", 4096}, {"launches", 1}};
    for (const auto& sample : targets) {
        auto& target = run.targets.emplace_back();
        target.name = sample.name;
        target.browser.version = "158.0a1";
        target.browser.build_id = sample.build_id;
        target.browser.source_stamp = sample.source_stamp;
        target.browser.source_repository = "https://hg.mozilla.org/mozilla-central";
        for (const auto& [name, means] : sample.means_us) {
            if (target.launches.size() < means.size()) target.launches.resize(means.size());
            for (std::size_t i = 0; i < means.size(); ++i) {
                target.launches[i].environment.emplace();
                target.launches[i].environment->timer_resolution_us = 0.1;
                auto& series = target.launches[i].series.emplace_back();
                series.name = name;
                series.bytes_per_call = 4096;
                series.bytes_total = 4096;
                auto& pass = series.passes.emplace_back();
                pass.total_ms = means[i] / 1000;
                pass.latencies_us = {means[i]};
            }
        }
    }
    return run;
}

/// The run of a schedule's night.
inline document::RunDocument sample_night(const std::string& night, const std::vector<SampleTarget>& targets) {
    auto run = sample_run("night-" + night, targets);
    run.started_at = night + "T00:00:05Z";
    run.finished_at = night + "T00:05:00Z";
    run.trigger = document::Json{{"kind", "schedule"}, {"name", "nightly"}, {"night", night}};
    return run;
}

/// "2026-09-01" and the days after it; up to a year.
inline std::string sample_date(int day) {
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month = 8;
    int year = 2026;
    while (day >= kDays[month]) {
        day -= kDays[month];
        if (++month == 12) {
            month = 0;
            ++year;
        }
    }
    const auto two = [](int value) { return (value < 10 ? "0" : "") + std::to_string(value); };
    return std::to_string(year) + "-" + two(month + 1) + "-" + two(day + 1);
}

}  // namespace foxbench::history
