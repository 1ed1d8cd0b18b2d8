#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/stats/filter.hpp"
#include "service/stats/shift.hpp"
#include "service/stats/spread.hpp"

/// Whether one series is slower on one side than on the other: the rules of docs/statistics.md, "Comparing". Pure
/// functions; safe to call from any thread.
namespace foxbench::stats {

/// A p up to this is significant; samples that cannot reach it are too small for a verdict.
inline constexpr double kSignificance = 0.05;
/// No change below this fraction is called one, however quiet the machine.
inline constexpr double kSmallestThreshold = 0.03;
/// A change has to be larger than so many times the spread of launches.
inline constexpr double kSpreads = 2;
/// No fewer launches a side are ever recommended.
inline constexpr std::size_t kMinLaunches = 5;

enum class Verdict { slower, faster, same, cannot_tell };
/// "slower", "faster", "same", "cannot tell".
[[nodiscard]] const char* to_string(Verdict verdict) noexcept;

/// One side of a series.
struct SideValues {
    std::vector<double> launch_means_us;  ///< the mean latency of each launch's median pass
    std::vector<double> pass_means_us;    ///< of its passes: used where both sides have one launch; may be empty
};

struct ComparisonTerms {
    double clock_step_us = 0;    ///< the coarser side's
    std::int64_t calls = 1;      ///< timed calls of a pass: a mean is good to clock_step_us / calls
    std::optional<AaSpread> aa;  ///< what A/A runs say of this series, whatever their number of launches
};

struct SeriesVerdict {
    Verdict verdict = Verdict::cannot_tell;
    std::string reason;      ///< a short sentence without a full stop: why it is so
    bool of_passes = false;  ///< one launch each: figures are of their passes, and no more than "cannot tell" is said
    std::optional<double> base_mean_us, next_mean_us;  ///< medians of the values compared
    Shift shift;                                       ///< from base to next
    double p = 1;
    double smallest_p = 1;         ///< that so many values can reach
    double delta = 0;              ///< Cliff's
    std::optional<double> spread;  ///< standard deviation of ln(launch values), a fraction
    bool spread_from_aa = false;
    double threshold = kSmallestThreshold;  ///< a fraction
    std::optional<double> detectable;       ///< the smallest detectable change, a fraction; empty without an interval
    std::optional<std::size_t> launches_needed;  ///< a side, for "cannot tell"; empty where it cannot be said
    std::vector<Filter> filters;                 ///< in the order in which they decide
};

/// Compares a series. Never throws for any values; sides without values give "cannot tell" with a reason. For sides
/// where a value is not above zero only raw differences count. Where both sides are one and the same constant it is
/// "same"; constants that differ are a change once smallest_p is significant.
[[nodiscard]] SeriesVerdict compare_series(const SideValues& base, const SideValues& next,
                                           const ComparisonTerms& terms);

}  // namespace foxbench::stats
