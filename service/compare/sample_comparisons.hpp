#pragma once

#include <string>
#include <utility>

#include "service/compare/comparison.hpp"

/// Comparisons for the tests of their renderings: every figure is set by hand.
namespace foxbench::compare {

[[nodiscard]] inline SideFacts sample_side(const std::string& run, const std::string& target) {
    SideFacts side;
    side.run = run;
    side.target = target;
    side.browser = "Firefox 158.0a1";
    side.host = "lab-1";
    side.started_at = "2026-09-16T05:13:01.982Z";
    side.launches = 5;
    return side;
}

[[nodiscard]] inline SeriesRow sample_row(const std::string& series, const char* table, stats::Verdict verdict,
                                          double base_us, double shift, double half_width) {
    SeriesRow row;
    row.series = series;
    row.table = table;
    row.base_launches = row.next_launches = 5;
    auto& of = row.verdict;
    of.verdict = verdict;
    of.base_mean_us = base_us;
    of.next_mean_us = base_us * (1 + shift);
    of.shift.relative = shift;
    of.shift.relative_interval = stats::Interval{shift - half_width, shift + half_width};
    of.shift.raw = base_us * shift;
    of.shift.raw_interval = stats::Interval{base_us * (shift - half_width), base_us * (shift + half_width)};
    of.p = 0.25;
    of.smallest_p = 0.0078125;
    of.delta = 0.25;
    of.spread = 0.0125;
    of.detectable = half_width > of.threshold ? half_width : of.threshold;
    return row;
}

/// A slower series, one that is the same, one that cannot be told, one that is faster; with a warning, a difference, a
/// range, and a series on one side alone.
[[nodiscard]] inline Comparison sample_comparison() {
    Comparison comparison;
    comparison.base = sample_side("2026-09-16_05-13-01-nightly", "base");
    comparison.next = sample_side("2026-09-16_05-13-01-nightly", "patched");
    comparison.base.build_id = "20260915093012";
    comparison.next.build_id = "20260916094500";
    comparison.base.source_stamp = "8d76a2ba4c1f";
    comparison.next.source_stamp = "1f0e9d8c7b6a";
    comparison.base.source_repository = comparison.next.source_repository = "https://hg.mozilla.org/mozilla-central";
    comparison.next.label = "wal-full";
    comparison.next.launches = 6;
    comparison.warnings = {"Different numbers of launches (5, 6)."};
    comparison.differences = {{"preference dom.fs.enabled", "", "true"},
                              {"build id", "20260915093012", "20260916094500"}};
    comparison.range =
        SourceRange{"https://hg.mozilla.org/mozilla-central", "8d76a2ba4c1f", "1f0e9d8c7b6a",
                    "https://hg.mozilla.org/mozilla-central/pushloghtml?fromchange=8d76a2ba4c1f&tochange=1f0e9d8c7b6a"};

    auto slower = sample_row("small-append", document::kPerCall, stats::Verdict::slower, 40, 0.125, 0.03125);
    slower.verdict.reason = "the interval excludes no change, and a change of 12.5 % is above the threshold of 3.0 %";
    slower.verdict.p = 0.0000125;
    slower.verdict.delta = 1;
    slower.verdict.filters = {{"interval excludes no change", 9.375, 0, "%", true},
                              {"change is above what the clock shows", 5, 0.01, "µs", true}};
    auto same = sample_row("small-overwrite", document::kPerCall, stats::Verdict::same, 37.5, 0.0009765625, 0.015625);
    same.verdict.spread_from_aa = true;
    auto unclear = sample_row("append+flush", document::kPerCall, stats::Verdict::cannot_tell, 5271, 0.0625, 1.25);
    unclear.verdict.reason = "the interval, -118.8 % to 131.3 %, holds no change";
    unclear.verdict.launches_needed = 14;
    unclear.verdict.filters = {{"interval excludes no change", std::nullopt, 0, "%", false}};
    auto faster = sample_row("new-file: create+open", document::kPerFile, stats::Verdict::faster, 16200, -0.25, 0.0625);
    faster.verdict.delta = -0.5;
    comparison.rows = {slower, same, unclear, faster};
    comparison.only_base = {"new-file: close"};
    return comparison;
}

/// What people, or a document from elsewhere, may write.
inline constexpr const char* kHostile =
    "<script>alert(1)</script> & \"x\" 'y' `code` | \\| a,b\nnew line\x1B[31m [link](javascript:alert(1))";

/// Everything that is text is hostile.
[[nodiscard]] inline Comparison hostile_comparison() {
    Comparison comparison = sample_comparison();
    for (SideFacts* side : {&comparison.base, &comparison.next}) {
        side->target = side->browser = kHostile;
        side->label = side->build_id = side->source_stamp = side->source_repository = side->host = kHostile;
        side->started_at = kHostile;
    }
    comparison.next.target += "2";
    comparison.warnings = {kHostile};
    comparison.differences = {{kHostile, kHostile, kHostile}};
    comparison.range = SourceRange{kHostile, kHostile, kHostile, std::string("https://x/\" onclick=\"y\" ") + kHostile};
    for (auto& row : comparison.rows) {
        row.series = row.verdict.reason = kHostile;
        row.verdict.filters = {{kHostile, 1, 2, kHostile, true}};
        row.verdict.of_passes = true;
    }
    comparison.only_base = comparison.only_next = {kHostile};
    return comparison;
}

/// Sides without values, and a series that only raw figures are known of.
[[nodiscard]] inline Comparison bare_comparison() {
    Comparison comparison;
    comparison.base.run = comparison.next.run = "r1";
    comparison.base.target = comparison.next.target = "nightly";
    SeriesRow empty;
    empty.series = "small-append";
    empty.table = document::kPerCall;
    empty.verdict.reason = "neither side has values";
    SeriesRow raw;
    raw.series = "small-overwrite";
    raw.table = document::kPerCall;
    raw.verdict.verdict = stats::Verdict::same;
    raw.verdict.base_mean_us = raw.verdict.next_mean_us = 0;
    raw.verdict.shift.raw = 0.5;
    raw.verdict.shift.raw_interval = stats::Interval{-0.25, 1.5};
    comparison.rows = {empty, raw};
    return comparison;
}

}  // namespace foxbench::compare
