#include "service/schedule/planner.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

namespace foxbench::schedule {

namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

/// Firings that need a decision: all that could be queued, and of the others the newest.
struct Due {
    std::deque<Instant> firings;
    std::size_t left_out = 0;  ///< older ones
    std::optional<Instant> first_left_out;
};

Due find_due(const CronExpression& cron, const TimeZone& zone, Instant last_handled, Instant now) {
    Due due;
    FiringCursor cursor(cron, zone, std::max(last_handled, now - kHorizon));
    for (auto firing = cursor.next(); firing && *firing <= now; firing = cursor.next()) {
        due.firings.push_back(*firing);
        // Beside the recorded skips at most one missed firing and, being whole minutes, two on time are queued.
        if (due.firings.size() <= kRecordedSkips + 3) continue;
        if (due.left_out++ == 0) due.first_left_out = due.firings.front();
        due.firings.pop_front();
    }
    return due;
}

/// "3 h 20 min": the two largest units, for people.
std::string spoken(seconds span) {
    const auto two = [](auto large, const char* large_unit, auto small, const char* small_unit) {
        std::string result = std::to_string(large) + large_unit;
        if (small != 0) result += ' ' + std::to_string(small) + small_unit;
        return result;
    };
    if (span >= days(1)) return two(span / days(1), " d", span % days(1) / hours(1), " h");
    if (span >= hours(1)) return two(span / hours(1), " h", span % hours(1) / minutes(1), " min");
    return two(span / minutes(1), " min", span % minutes(1) / seconds(1), " s");
}

/// Keeps the newest skips, and tells of the others in the oldest that is kept.
void sum_up_skips(std::vector<Decision>& decisions, Due due, Instant now) {
    const auto skipped = [](const Decision& decision) { return decision.act == Decision::Act::skip; };
    auto skips = static_cast<std::size_t>(std::count_if(decisions.begin(), decisions.end(), skipped));
    while (skips > kRecordedSkips) {
        const auto oldest = std::find_if(decisions.begin(), decisions.end(), skipped);
        if (due.left_out++ == 0) due.first_left_out = oldest->due;
        decisions.erase(oldest);
        --skips;
    }
    if (due.left_out == 0) return;
    const auto oldest = std::find_if(decisions.begin(), decisions.end(), skipped);
    oldest->reason += "; so " + std::string(due.left_out == 1 ? "was " : "were ") + std::to_string(due.left_out) +
                      " earlier, from " + spoken(now - *due.first_left_out) + " ago on";
}

}  // namespace

std::vector<Decision> decide(const CronExpression& cron, const TimeZone& zone, Missed missed, Overlap overlap,
                             Instant last_handled, Instant now, bool paused, bool own_job_waiting_or_running) {
    std::vector<Decision> decisions;
    if (now <= last_handled) return decisions;
    const Due due = find_due(cron, zone, last_handled, now);
    bool busy = own_job_waiting_or_running;
    for (const Instant firing : due.firings) {
        const seconds late = now - firing;
        const bool is_missed = late > kOnTime;
        const bool is_newest = firing == due.firings.back();
        Decision decision{firing, Decision::Act::skip, {}};
        if (paused) {
            decision.reason = "paused";
        } else if (is_missed && missed == Missed::skip) {
            decision.reason = "missed: noticed " + spoken(late) + " late, and the schedule skips what it missed";
        } else if (is_missed && !is_newest) {
            decision.reason = "missed: noticed " + spoken(late) + " late, and a newer one stands for it";
        } else if (busy && overlap == Overlap::skip) {
            decision.reason = "overlap: the schedule's previous job is still waiting or running";
        } else {
            decision.act = Decision::Act::queue;
            if (is_missed) decision.reason = "late: noticed " + spoken(late) + " after it was due";
            busy = true;
        }
        decisions.push_back(std::move(decision));
    }
    sum_up_skips(decisions, due, now);
    return decisions;
}

}  // namespace foxbench::schedule
