#pragma once

#include <filesystem>

#include "service/run/request.hpp"

/// A request as the queue keeps it: everything it needs, so that neither a change of the configuration nor one of the
/// workload's presets reaches a run that waits, and the same run can be asked for again. Pure but for reading the
/// workload's manifest.
namespace foxbench::run {

struct Job {
    RunRequest request;
    JobTerms terms;
};

[[nodiscard]] document::Json freeze(const Job& job);

/// The way back. The workload's folder is looked up in `workloads` again: its worker is what is there now. Throws Error
/// (usage) where the workload is gone or cannot do it any more, `internal` where `frozen` is none of ours.
[[nodiscard]] Job thaw(const document::Json& frozen, const std::filesystem::path& workloads);

}  // namespace foxbench::run
