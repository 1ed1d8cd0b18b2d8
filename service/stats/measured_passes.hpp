#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "service/document/run_document.hpp"

/// The measured passes of a series, whether their samples are still there or not. Pure functions; safe to call from any
/// thread.
namespace foxbench::stats {

/// One measured pass: with its samples, or as retention left it (docs/run-document.md), with figures of its own in
/// their place. It refers to the series that it is of: keep that alive and unchanged.
struct MeasuredPass {
    double total_ms = 0;
    std::int64_t calls = 0;
    std::optional<double> first_us;            ///< latency of the first call; empty for no calls
    const document::Json* verified = nullptr;  ///< as in Pass; null where nothing was checked
    const document::Pass* samples = nullptr;   ///< null where they are gone
    const document::Json* kept = nullptr;      ///< what is left then, members as in SeriesSummary; else null
};

/// The measured passes of one launch's series, in order. Empty where there are none, and where nobody knows of any: an
/// imported report has figures, but not those of each pass. A list of that name which is not of retention's kind is
/// somebody else's and does not count.
[[nodiscard]] std::vector<MeasuredPass> measured_passes(const document::Series& series);

/// How the latencies of one pass are spread. Empty for no calls.
struct Spread {
    std::optional<double> p50_us, p90_us, p99_us, max_us;
};
/// Sorts a copy of the samples where they are there.
[[nodiscard]] Spread spread_of(const MeasuredPass& pass);

}  // namespace foxbench::stats
