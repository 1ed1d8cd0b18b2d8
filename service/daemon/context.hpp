#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "service/config/config.hpp"
#include "service/host/clock.hpp"
#include "service/http/event_hub.hpp"
#include "service/metrics/metrics.hpp"
#include "service/run/job_runner.hpp"
#include "service/run/offload.hpp"
#include "service/store/store.hpp"

/// What the parts of the daemon share.
namespace foxbench::daemon {

using host::now_ms;

class ReportCache;
class Scheduler;

/// Everything that a handler of a request may need. One event loop's thread uses it; the stores are used on their pools
/// alone: `store` by what writes, in order, and `reader`, a connection of its own, by what only looks, so that a long
/// report never stands before a finished pass.
struct Context {
    boost::asio::any_io_executor executor;
    std::shared_ptr<const config::Config> config;  ///< replaced as a whole by a reload
    store::Store& store;
    boost::asio::thread_pool& store_pool;  ///< one thread
    store::Store& reader;
    boost::asio::thread_pool& reader_pool;  ///< one thread
    http::EventHub& events;
    metrics::Metrics& metrics;
    run::JobRunner& jobs;
    run::JobListener& listener;  ///< is told of runs that end without having been a job of the runner's
    Scheduler& scheduler;
    ReportCache& reports;
    /// A run may have come that is not in the histories yet.
    std::function<void()> wake_histories;
    /// Reads the configuration again; gives what changed, a line each. Throws Error (usage): then nothing did.
    std::function<std::vector<std::string>()> reload;
    std::int64_t started_at_ms = 0;
    bool stopping = false;  ///< the daemon is ending: no new work is taken

    template <class Work>
    auto write(Work work) {
        return run::offload(store_pool, std::move(work));
    }
    template <class Work>
    auto read(Work work) {
        return run::offload(reader_pool, std::move(work));
    }
};

}  // namespace foxbench::daemon
