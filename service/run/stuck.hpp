#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "service/run/job_runner.hpp"

/// Whether the runner still gets on with its job.
namespace foxbench::run {

/// How long a job of this plan may be silent while it measures: the longest pass's own patience, after which the launch
/// is given up, and what lies between passes (the browser's end and start, hashing a build, an import in the store).
[[nodiscard]] std::chrono::milliseconds longest_silence(const workload::Plan& plan);

/// So long after its deadline a job, whose browser is killed at the deadline, is not ending any more.
inline constexpr std::chrono::minutes kEndOfAJob{10};

/// Why the job is to be taken for stuck at `now`; nothing where it gets on, or waits for what may take any time: the
/// machine's lock, a quiet machine, the commands before it. Pure.
[[nodiscard]] std::optional<std::string> why_stuck(const CurrentJob& job, std::chrono::steady_clock::time_point now);

}  // namespace foxbench::run
