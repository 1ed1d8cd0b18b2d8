#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/stats/comparison.hpp"

/// Is this build slower than that one? What two targets have measured, beside each other. Pure functions over run
/// documents; safe to call from any thread. The rules: docs/statistics.md.
namespace foxbench::compare {

/// One target of one run.
struct Side {
    const document::RunDocument* run = nullptr;
    std::size_t target = 0;
};

/// What is shown of a side.
struct SideFacts {
    std::string run, target;  ///< id and name
    std::string browser;      ///< "Firefox 158.0a1"
    std::optional<std::string> label, build_id, source_stamp, source_repository, host, started_at;
    std::size_t launches = 0;  ///< with at least one measured pass
};

/// Something that the sides do not have in common. `base` and `next` are one line each, unescaped; empty: not known or
/// not there.
struct Difference {
    std::string what;  ///< "build", "preference some.pref", "host", "filesystem", "calls"
    std::string base, next;
};

/// The range of source between two builds.
struct SourceRange {
    std::string repository, from, to;
    std::string address;  ///< of Mozilla's pushlog or of the repository's comparison page; empty where there is none
};

struct SeriesRow {
    std::string series, table;
    std::size_t base_launches = 0, next_launches = 0;  ///< with a value for this series
    stats::SeriesVerdict verdict;
};

/// Two targets, compared.
struct Comparison {
    SideFacts base, next;
    std::vector<std::string> warnings;  ///< to be said before anything else, a sentence each
    std::vector<Difference> differences;
    std::optional<SourceRange> range;
    std::vector<SeriesRow> rows;
    std::vector<std::string> only_base, only_next;  ///< series that one side has alone
};

/// What is known about a series of one target on one host under one configuration from its A/A runs.
using AaLookup = std::function<std::optional<stats::AaSpread>(const Side& side, const std::string& series)>;

/// Why the two must not be compared, a sentence each; empty where they can: they did different work (workload, calls,
/// bytes, chunks, files, passes), their clocks' steps differ, or a run is not completed.
[[nodiscard]] std::vector<std::string> obstacles(const Side& base, const Side& next);

/// Compares them, whatever stands against it: that becomes a warning.
[[nodiscard]] Comparison compare(const Side& base, const Side& next, const AaLookup& aa);

/// What comes of several rows: slower where one is, else cannot tell where one is, else faster where one is, else same.
[[nodiscard]] stats::Verdict overall(const std::vector<Comparison>& comparisons);

}  // namespace foxbench::compare
