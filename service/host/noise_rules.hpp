#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/document/run_document.hpp"

/// When a launch is to be taken as noisy: something else worked on the machine, or the machine itself changed, while it
/// was measured. The rules with their reasons are docs/noise.md. They are read from the launch's `noise` member, so
/// that they say the same of a stored run as of a new one; what a run does not tell is never held against it. Pure
/// functions, callable from any thread.
namespace foxbench::host {

/// Processor time of other processes while the launch ran, in percent of one processor. An idle system with its
/// kernel's own threads stays below.
inline constexpr double kNoisyOtherCpuPercent = 10;
/// Tasks that ran or waited before the launch, for each processor; but no load up to kOwnLoad is noisy, since a launch
/// of ours that ended a moment ago leaves so much behind: the page's worker and the process that syncs for it.
inline constexpr double kNoisyLoadPerProcessor = 1;
inline constexpr double kOwnLoad = 2;
/// Share of the pause before the launch, in percent, in which some task waited for a processor, the disk, or memory. In
/// that pause nothing of foxbench's runs.
inline constexpr double kNoisyCpuStallPercent = 10;
inline constexpr double kNoisyIoStallPercent = 5;
inline constexpr double kNoisyMemoryStallPercent = 1;
/// With less memory to spare the kernel writes pages out and drops caches at moments of its own choice.
inline constexpr std::uint64_t kNoisyMemoryBytes = std::uint64_t{256} << 20;
/// How many times as long a native write and sync may take after the launch as before it, or the other way round.
inline constexpr double kNoisyProbeFactor = 2;
/// Processors begin to slow themselves down between 95 and 105 °C.
inline constexpr double kNoisyTemperature_c = 95;

/// Why a launch is to be taken as noisy, a short phrase each ("other processes used 37 % of a processor"), in the order
/// of docs/noise.md; empty: quiet, or nothing is known. Of `run` only the machine is looked at.
[[nodiscard]] std::vector<std::string> noise_flags(const document::Launch& launch, const document::RunDocument& run);

}  // namespace foxbench::host
