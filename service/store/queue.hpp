#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "service/document/run_document.hpp"

/// Jobs: runs that wait for their turn, and what each run was asked for. Plain values; Store has the operations.
namespace foxbench::store {

/// Who asked; also the order in which jobs get their turn.
enum class JobClass {
    confirmation,  ///< a run that is to confirm what another one showed
    manual,        ///< over HTTP or from the command line
    scheduled
};

/// "confirmation", "manual" or "scheduled".
[[nodiscard]] const char* to_string(JobClass job_class) noexcept;

struct NewJob {
    document::RunDocument skeleton;  ///< the run as it is before it begins: targets without launches
    document::Json request;          ///< what is to be measured, frozen; the store does not look into it
    JobClass job_class = JobClass::manual;
    std::int64_t priority = 0;  ///< among manual ones: higher first
    std::int64_t queued_at_ms = 0;
    std::optional<std::string> schedule;  ///< the name of the schedule that made it
};

struct Job {
    std::string run;  ///< the run's id
    JobClass job_class = JobClass::manual;
    std::int64_t priority = 0;
    std::int64_t queued_at_ms = 0;
    std::optional<std::string> schedule;
    document::Json request;
    int attempts = 0;  ///< how often it was claimed
};

/// How long a completed run took, to guess how long the next one will.
struct PastRun {
    double seconds = 0;                        ///< from its start to its end
    std::int64_t launches_of_all_targets = 0;  ///< at least 1
};

}  // namespace foxbench::store
