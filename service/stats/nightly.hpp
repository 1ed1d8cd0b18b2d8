#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "service/stats/filter.hpp"

/// Whether tonight's value is out of line: the rules of docs/statistics.md, "Tonight". Pure functions; safe to call
/// from any thread.
namespace foxbench::stats {

inline constexpr double kZThreshold = 4;
inline constexpr std::size_t kBaselineNights = 20;       ///< looked at
inline constexpr std::size_t kMinNights = 15;            ///< needed
inline constexpr double kSmallestNightSd = 0.01;         ///< of the median: no series is taken to be quieter
inline constexpr std::size_t kConfirmationLaunches = 3;  ///< at least

enum class NightVerdict { usual, slower, faster, too_little_history };
/// "usual", "slower", "faster", "too little history".
[[nodiscard]] const char* to_string(NightVerdict verdict) noexcept;

struct NightJudgement {
    NightVerdict verdict = NightVerdict::too_little_history;
    std::string reason;               ///< a short sentence without a full stop
    std::optional<double> z;          ///< empty with too little history
    std::optional<double> median_us;  ///< of the nights before
    std::optional<double> scale_us;   ///< what z counts in: max(1.4826 MAD, 1 % of the median, clock step / calls)
    std::optional<double> change;     ///< tonight / median - 1; empty for a median that is not above zero
    std::size_t nights = 0;           ///< that were looked at
    std::vector<Filter> filters;
};

/// Judges `tonight` by the nights before it (their medians, oldest first, since the last confirmed step), of which the
/// last kBaselineNights count.
[[nodiscard]] NightJudgement judge_night(std::span<const double> before, double tonight, double clock_step_us,
                                         std::int64_t calls);

/// What can be seen in a series that goes on as it does.
struct SeriesOutlook {
    std::optional<double> median_us;  ///< of the last kBaselineNights
    std::optional<double> night_sd;   ///< scaled MAD / median, a fraction; empty for fewer than two nights
    std::optional<double>
        smallest_step;  ///< the smallest change, a fraction, that tonight's test would suspect:
                        ///< kZThreshold x max(night_sd, kSmallestNightSd); empty with too little history
};
[[nodiscard]] SeriesOutlook outlook(std::span<const double> nights);

}  // namespace foxbench::stats
