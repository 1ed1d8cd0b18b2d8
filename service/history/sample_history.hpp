#pragma once

#include <string>
#include <vector>

#include "service/document/utc_time.hpp"
#include "service/history/series_history.hpp"

/// Histories for the tests of their renderings: every figure is set by hand.
namespace foxbench::history {

/// The date so many days after 2026-08-01.
[[nodiscard]] inline std::string sample_date(std::size_t day) {
    constexpr std::int64_t kFirst = 1785542400000, kDayMs = 24 * 60 * 60 * 1000;
    return document::utc_text(kFirst + static_cast<std::int64_t>(day) * kDayMs).substr(0, 10);
}

[[nodiscard]] inline SeriesKey sample_key() {
    SeriesKey key;
    key.host = "9f8e7d6c";
    key.host_name = "lab-1";
    key.workload = "opfs-sync-write";
    key.target = "nightly";
    key.series = "small-append";
    key.table = document::kPerCall;
    key.parameters = {{"calls", 2000}, {"bytes", 4096}};
    return key;
}

[[nodiscard]] inline Night sample_night(std::size_t day, double median_us) {
    Night night;
    night.night = sample_date(day);
    night.at_ms = document::utc_milliseconds(night.night).value();
    night.runs = {night.night + "_02-00-00-nightly"};
    night.median_us = median_us;
    night.low_us = median_us - 0.5;
    night.high_us = median_us + 1;
    night.launches = 3;
    night.build.version = "158.0a1";
    night.build.build_id = night.night.substr(0, 4) + night.night.substr(5, 2) + night.night.substr(8, 2) + "093012";
    night.build.source_stamp = "8d76a2ba4c1f";
    return night;
}

/// Thirty days: 40 µs, 45 µs from the 20th on; the 10th and 11th are missing, the 15th does not count.
[[nodiscard]] inline SeriesHistory sample_history() {
    SeriesHistory history;
    history.key = sample_key();
    for (std::size_t day = 0; day < 30; ++day) {
        if (day == 9 || day == 10) {
            history.missing.push_back(sample_date(day));
            continue;
        }
        const double wiggle = 0.25 * static_cast<double>(day * 7 % 5) - 0.5;
        history.nights.push_back(sample_night(day, (day < 19 ? 40 : 45) + wiggle));
        if (day == 14) {
            history.nights.back().used = false;
            history.nights.back().not_used = "partial";
            history.nights.back().low_us = history.nights.back().high_us = std::nullopt;
            history.nights.back().launches = 1;
        }
    }
    Step step;
    step.last_good = sample_date(18);
    step.first_bad = sample_date(19);
    step.build_before = history.nights[16].build;
    step.build_after = history.nights[17].build;
    step.build_after.source_stamp = "1f0e9d8c7b6a";
    step.change.index = 16;
    step.change.left_median = 40;
    step.change.right_median = 45;
    step.change.shift.relative = 0.125;
    step.change.shift.relative_interval = stats::Interval{0.09375, 0.15625};
    step.change.p = 0.001;
    history.steps = {step};
    history.outlook.median_us = 45;
    history.outlook.night_sd = 0.0078125;
    history.outlook.smallest_step = 0.04;
    history.nights_used = 27;
    return history;
}

/// What people, or a document from elsewhere, may write.
inline constexpr const char* kHostile =
    "<script>alert(1)</script> & \"x\" 'y'</title>]]> a,b\nline\x1B[31m\xC2\x9B \xEF\xBF\xBE \xFF";

/// Everything that is text is hostile.
[[nodiscard]] inline SeriesHistory hostile_history() {
    SeriesHistory history = sample_history();
    auto& key = history.key;
    key.host = key.host_name = key.workload = key.target = key.series = key.table = kHostile;
    key.parameters = {{"calls", kHostile}};
    const auto spoil = [](Build& build) {
        build.version = kHostile;
        build.build_id = build.source_stamp = build.source_repository = kHostile;
    };
    for (auto& night : history.nights) {
        spoil(night.build);
        night.runs = {kHostile};
        night.not_used = kHostile;
    }
    for (auto& step : history.steps) {
        spoil(step.build_before);
        spoil(step.build_after);
    }
    history.note = kHostile;
    return history;
}

}  // namespace foxbench::history
