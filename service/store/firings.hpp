#pragma once

#include <cstdint>
#include <optional>
#include <string>

/// What became of schedules' firings. Plain values; Store has the operations.
namespace foxbench::store {

inline constexpr const char* kFiringQueued = "queued";
inline constexpr const char* kFiringSkipped = "skipped";

/// One moment at which a schedule was due. There is one of a schedule and a moment, whoever records it.
struct Firing {
    std::string schedule;
    std::int64_t due_at_ms = 0;
    std::string outcome = kFiringQueued;  ///< kFiringQueued or kFiringSkipped
    std::optional<std::string> run;       ///< the run that it queued, which may have been removed since
    std::optional<std::string> reason;    ///< for people: why it was skipped, or is late
    std::int64_t recorded_at_ms = 0;
};

/// So many newest firings are kept of each schedule: of one that fires every 15 minutes, a hundred days.
inline constexpr std::int64_t kKeptFirings = 10'000;

struct ScheduleState {
    bool paused = false;
    std::int64_t known_since_ms = 0;  ///< when it was first seen as it is: it owes no firings from before
};

}  // namespace foxbench::store
