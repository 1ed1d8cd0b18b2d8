#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/config/config.hpp"
#include "service/store/queue.hpp"

namespace foxbench::alerts {

/// The job that measures again what a night's job `of` has measured: these targets of it, at least
/// stats::kConfirmationLaunches launches each, before all other jobs, whatever was measured already. Throws Error
/// (usage) where the workload is gone.
[[nodiscard]] store::NewJob confirmation_job(const store::Job& of, const std::vector<std::string>& targets,
                                             const std::string& night, const config::Config& config,
                                             std::int64_t now_ms);

}  // namespace foxbench::alerts
