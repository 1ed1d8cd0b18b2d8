#pragma once

#include <cstdint>
#include <string>

#include "service/store/queue.hpp"
#include "service/store/test_support.hpp"

/// Jobs for the store's tests.
namespace foxbench::store {

inline NewJob job_named(const std::string& id, JobClass job_class = JobClass::manual, std::int64_t queued_at_ms = 1000,
                        std::int64_t priority = 0) {
    NewJob job;
    job.skeleton = skeleton(id);
    job.request = document::Json::object({{"workload", "opfs-sync-write"}, {"preset", "quick"}});
    job.job_class = job_class;
    job.priority = priority;
    job.queued_at_ms = queued_at_ms;
    return job;
}

}  // namespace foxbench::store
