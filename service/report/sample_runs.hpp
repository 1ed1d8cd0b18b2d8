#pragma once

#include <fstream>
#include <sstream>
#include <string>

#include "service/document/run_document.hpp"

/// Documents for the tests of reports.
namespace foxbench::report {

[[nodiscard]] inline std::string read_fixture(const std::string& name) {
    std::ifstream file(std::string(FOXBENCH_SOURCE_DIR) + "/tests/fixtures/" + name, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The run whose report is the reference.
[[nodiscard]] inline document::RunDocument seed_run() {
    return document::parse(read_fixture("seed/run.json"), "seed/run.json");
}

/// A series with passes of `calls` calls that take `us` each; every pass one percent longer than the one before.
[[nodiscard]] inline document::Series sample_series(const std::string& name, const char* table, double us,
                                                    std::size_t calls, std::size_t passes) {
    document::Series series;
    series.name = name;
    series.table = table;
    for (std::size_t i = 0; i < passes; ++i) {
        auto& pass = series.passes.emplace_back();
        const double each = us * (1 + static_cast<double>(i) / 100);
        pass.latencies_us.assign(calls, each);
        pass.total_ms = each * static_cast<double>(calls) / 1000;
    }
    return series;
}

[[nodiscard]] inline document::Launch sample_launch(double us, std::size_t passes) {
    document::Launch launch;
    auto& environment = launch.environment.emplace();
    environment.user_agent = "Mozilla/5.0";
    environment.timer_resolution_us = 20;
    environment.cross_origin_isolated = true;
    launch.series = {sample_series("small-append", document::kPerCall, us, 100, passes),
                     sample_series("new-file: close", document::kPerFile, us * 50, 10, passes)};
    launch.series[0].bytes_per_call = 4096;
    launch.series[0].bytes_total = 409600;
    return launch;
}

[[nodiscard]] inline document::Target sample_target(const std::string& name, const std::string& version, double us,
                                                    std::size_t launches, std::size_t passes) {
    document::Target target;
    target.name = name;
    target.browser.version = version;
    for (std::size_t i = 0; i < launches; ++i) target.launches.push_back(sample_launch(us, passes));
    return target;
}

/// Two targets of the same version and one of another, `launches` launches each of 3 passes.
[[nodiscard]] inline document::RunDocument several_targets(std::size_t launches) {
    document::RunDocument run;
    run.id = "2026-01-01_00-00-00-nightly";
    run.workload = "opfs-sync-write";
    run.started_at = "2026-01-01T00:00:00.000Z";
    run.config = {
        {"preset", "quick+overrides"},           {"calls", 100},        {"bytes", 4096}, {"passes", 3}, {"files", 10},
        {"cases", {"small-append", "new-file"}}, {"launches", launches}};
    run.targets = {sample_target("base", "158.0a1", 40, launches, 3),
                   sample_target("wal-full", "158.0a1", 80, launches, 3),
                   sample_target("esr", "153.2.0esr", 6000, launches, 3)};
    return run;
}

}  // namespace foxbench::report
