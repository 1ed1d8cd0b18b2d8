#include "service/run/stuck.hpp"

#include <algorithm>

#include "service/measure/launch.hpp"

namespace foxbench::run {
namespace {

using std::chrono::minutes;

constexpr minutes kBetweenPasses{10};

std::string in_minutes(std::chrono::steady_clock::duration span) {
    return std::to_string(std::chrono::duration_cast<minutes>(span).count()) + " min";
}

}  // namespace

std::chrono::milliseconds longest_silence(const workload::Plan& plan) {
    std::chrono::milliseconds longest{0};
    for (const auto& sequence : plan.sequences) longest = std::max(longest, measure::pass_patience(sequence));
    return longest + kBetweenPasses;
}

std::optional<std::string> why_stuck(const CurrentJob& job, std::chrono::steady_clock::time_point now) {
    if (job.end_by && now > *job.end_by + kEndOfAJob)
        return "run " + job.job.run + " should have ended " + in_minutes(now - *job.end_by) + " ago";
    if (job.progress && now > job.last_sign + job.longest_silence) {
        return "run " + job.job.run + " measures, and nothing has come of it for " + in_minutes(now - job.last_sign);
    }
    return std::nullopt;
}

}  // namespace foxbench::run
