#pragma once

#include <optional>
#include <vector>

#include "service/store/store.hpp"

namespace foxbench::daemon {

/// How long a job of this kind will take, from completed runs of the same workload and preset: the median of what each
/// of them took a launch, times the job's launches. Nothing without such a run.
[[nodiscard]] std::optional<double> expected_seconds(const store::Job& job, const store::Store& reader);

/// When each job of the queue will begin, in seconds from now; `first` is what the current job still takes (0 without
/// one). From the first job on whose length is unknown, nothing is known.
[[nodiscard]] std::vector<std::optional<double>> expected_waits(std::optional<double> first,
                                                                const std::vector<std::optional<double>>& lengths);

}  // namespace foxbench::daemon
