#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/stats/change_points.hpp"
#include "service/stats/nightly.hpp"

/// What a series has cost night after night, and where it changed. Pure; safe to call from any thread. The rules:
/// docs/statistics.md.
namespace foxbench::history {

/// What is followed: one series of one target on one host, doing the same work.
struct SeriesKey {
    std::string host;       ///< its id (or its name, where a document has no id)
    std::string host_name;  ///< what people call it; not part of the identity
    std::string workload, target, series;
    std::string table;          ///< document::kPerCall or kPerFile; not part of the identity
    document::Json parameters;  ///< the workload's: {"calls": 2000, ...}

    /// 16 hexadecimal digits that stand for all of it.
    [[nodiscard]] std::string id() const;
};

struct Build {
    std::string version;
    std::optional<std::string> build_id, source_stamp, source_repository;
};

/// One target's part in one run, for one series.
struct Point {
    std::string run;
    std::string night;  ///< date of the schedule's firing in its zone, "2026-09-16"
    std::int64_t at_ms = 0;
    std::vector<double> launch_means_us;
    double clock_step_us = 0;
    std::int64_t calls = 1;
    Build build;
    std::string not_used;  ///< why it is shown but does not count ("partial", "noisy: ..."); empty: it counts
};

/// One night: everything that was measured in it.
struct Night {
    std::string night;
    std::int64_t at_ms = 0;  ///< of its last run
    std::vector<std::string> runs;
    double median_us = 0;                   ///< over the launches that count; over all where none does
    std::optional<double> low_us, high_us;  ///< the launches' extremes; empty for one launch
    std::size_t launches = 0;
    Build build;  ///< of its last run
    bool used = true;
    std::string not_used;  ///< why not
};

/// A change of level.
struct Step {
    std::string last_good, first_bad;  ///< nights
    Build build_before, build_after;
    stats::ChangePoint change;  ///< its index counts among the nights used
    bool confirmed = false;     ///< it was given as known; else it was found now
    [[nodiscard]] bool slower() const { return change.right_median > change.left_median; }
};

/// A series with everything that is said of it.
struct SeriesHistory {
    SeriesKey key;
    std::vector<Night> nights;         ///< oldest first
    std::vector<std::string> missing;  ///< dates of nights that are not there, where the others are a day apart
    std::vector<Step> steps;           ///< oldest first
    std::optional<std::string> since;  ///< the night of the last confirmed step: the detectors look from here on
    stats::SeriesOutlook outlook;
    std::size_t nights_used = 0;  ///< since then
    std::string note;             ///< "too little history: ..."; empty
};

/// Points of one night together, in the nights' order.
[[nodiscard]] std::vector<Night> nights_of(const std::vector<Point>& points);

struct HistoryOptions {
    double merge_below = 0.02;  ///< neighbouring levels that differ by less (a fraction) are one
};

/// Looks for steps. `confirmed` are nights (first bad ones) of steps that are known and accepted: the detectors begin
/// anew there. The same question gives the same answer.
[[nodiscard]] SeriesHistory make_history(SeriesKey key, const std::vector<Point>& points,
                                         const std::vector<std::string>& confirmed, const HistoryOptions& options = {});

/// The nights that the detectors look at: those that count, from the last confirmed step on, oldest first.
[[nodiscard]] std::vector<Night> watched_nights(const SeriesHistory& history);

}  // namespace foxbench::history
