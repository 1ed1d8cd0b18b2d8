#include "service/stats/nightly.hpp"

#include <algorithm>
#include <cmath>

#include "service/stats/spread.hpp"
#include "service/stats/wording.hpp"

namespace foxbench::stats {
namespace {

std::span<const double> baseline_of(std::span<const double> nights) {
    return nights.last(std::min(nights.size(), kBaselineNights));
}

void judge(NightJudgement& judgement, double tonight, double median_us, double scale_us) {
    const double distance_us = tonight - median_us;
    bool out_of_line = false;
    if (scale_us > 0) {
        judgement.z = distance_us / scale_us;
        out_of_line = std::abs(*judgement.z) > kZThreshold;
        judgement.filters.push_back(
            {"distance from the median, |z|", std::abs(*judgement.z), kZThreshold, "", out_of_line});
    } else {
        // Every night was zero, and the clock would have shown the smallest difference: any other value is out of line,
        // by a distance that nothing can be counted in.
        out_of_line = distance_us != 0;
        judgement.filters.push_back({"distance from the median", std::abs(distance_us), 0.0, "µs", out_of_line});
    }
    judgement.verdict = !out_of_line      ? NightVerdict::usual
                        : distance_us > 0 ? NightVerdict::slower
                                          : NightVerdict::faster;

    const std::string nights = std::to_string(judgement.nights);
    std::string& reason = judgement.reason;
    if (judgement.change) {
        reason = percent(std::abs(*judgement.change));
    } else {
        reason = decimal(std::abs(distance_us), 2).append(" µs");
    }
    reason.append(distance_us < 0 ? " below" : " above")
        .append(" the median of the last ")
        .append(nights)
        .append(" nights");
    if (judgement.z) {
        reason.append(", ").append(decimal(std::abs(*judgement.z), 1)).append(" times their spread; ");
        reason.append(out_of_line ? "more than " : "at most ").append(decimal(kZThreshold, 0));
        reason.append(out_of_line ? " is out of line" : " is usual");
    }
}

}  // namespace

const char* to_string(NightVerdict verdict) noexcept {
    switch (verdict) {
        case NightVerdict::usual:
            return "usual";
        case NightVerdict::slower:
            return "slower";
        case NightVerdict::faster:
            return "faster";
        case NightVerdict::too_little_history:
            break;
    }
    return "too little history";
}

NightJudgement judge_night(std::span<const double> before, double tonight, double clock_step_us, std::int64_t calls) {
    const auto nights = baseline_of(before);
    NightJudgement judgement;
    judgement.nights = nights.size();
    const bool enough = nights.size() >= kMinNights;
    judgement.filters.push_back(
        {"nights of history", static_cast<double>(nights.size()), static_cast<double>(kMinNights), "nights", enough});

    const double median_us = median(nights);
    if (!nights.empty()) judgement.median_us = median_us;
    if (median_us > 0) judgement.change = tonight / median_us - 1;
    if (!enough) {
        judgement.reason = std::to_string(nights.size()).append(" nights since the last confirmed step; ");
        judgement.reason.append(std::to_string(kMinNights)).append(" are needed");
        return judgement;
    }
    const double seen_by_clock_us = clock_step_us / static_cast<double>(std::max<std::int64_t>(calls, 1));
    const double scale_us = std::max({scaled_mad(nights), kSmallestNightSd * std::abs(median_us), seen_by_clock_us});
    judgement.scale_us = scale_us;
    judge(judgement, tonight, median_us, scale_us);
    return judgement;
}

SeriesOutlook outlook(std::span<const double> nights) {
    const auto last = baseline_of(nights);
    SeriesOutlook outlook;
    if (last.empty()) return outlook;
    const double median_us = median(last);
    outlook.median_us = median_us;
    if (last.size() < 2 || !(median_us > 0)) return outlook;
    outlook.night_sd = scaled_mad(last) / median_us;
    if (last.size() >= kMinNights) outlook.smallest_step = kZThreshold * std::max(*outlook.night_sd, kSmallestNightSd);
    return outlook;
}

}  // namespace foxbench::stats
