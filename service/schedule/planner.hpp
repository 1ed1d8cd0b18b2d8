#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "service/schedule/cron.hpp"
#include "service/schedule/firing.hpp"
#include "service/schedule/time_zone.hpp"

/// What to do about the firings of a schedule that are due. Pure; callable from any thread.
namespace foxbench::schedule {

/// What becomes of firings that nobody acted upon in time, because the daemon was not running or the machine slept.
enum class Missed {
    run_once,  ///< one run for all of them
    skip       ///< none
};

/// What becomes of a firing while the schedule's own previous job still waits or runs.
enum class Overlap {
    skip,  ///< no further job
    queue  ///< one more job
};

/// What to do about one firing, and to record about it.
struct Decision {
    Instant due;
    enum class Act { queue, skip } act = Act::queue;
    std::string reason;  ///< for people: why it is skipped, or how late it is; empty for one that is queued on time
};

/// So late a firing still counts as on time: loading, a busy event loop and a short restart are no misses.
inline constexpr std::chrono::seconds kOnTime{60};

/// So many skipped firings are told at most: a schedule of every minute misses half a million in a year. The newest
/// are; the first of them says how many more there were.
inline constexpr std::size_t kRecordedSkips = 100;

/// What to do at `now` about the firings in (`last_handled`, `now`], oldest first. Empty where none is due, also where
/// the clock was set back behind `last_handled`. Firings of more than kHorizon ago are forgotten.
///
/// - `paused`: all are skipped, with the reason "paused".
/// - Late by more than kOnTime is missed. With Missed::run_once the newest firing is queued, which may be one that is
/// on
///   time and then stands for the missed ones too; the other missed ones are skipped.
/// - With Overlap::skip nothing is queued while `own_job_waiting_or_running`, nor more than one firing a call.
[[nodiscard]] std::vector<Decision> decide(const CronExpression& cron, const TimeZone& zone, Missed missed,
                                           Overlap overlap, Instant last_handled, Instant now, bool paused,
                                           bool own_job_waiting_or_running);

}  // namespace foxbench::schedule
