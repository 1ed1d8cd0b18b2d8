#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include <boost/asio/thread_pool.hpp>

#include "service/measure/launch.hpp"
#include "service/run/progress.hpp"
#include "service/run/runner.hpp"
#include "service/store/store.hpp"

namespace foxbench::run {

/// Stores what one launch brings as it comes, and tells of it. Everything on the event loop's thread but the store's
/// work.
class LaunchRecorder : public measure::LaunchListener {
public:
    /// Where this launch stands in the run; `progress` and `clock` are the run's, `progress` already names target and
    /// launch.
    struct Place {
        const std::string& run;
        store::LaunchKey key;
        const workload::Plan& plan;
        Progress& progress;
        PassClock& clock;
    };
    LaunchRecorder(store::Store& store, boost::asio::thread_pool& pool, RunListener& listener, Place place,
                   document::Launch& launch);

    bidi::Task<> on_environment(document::Environment environment) override;
    bidi::Task<> on_pass(measure::FinishedPass pass) override;
    void on_anomaly(const std::string& what) override;

    /// Stores the launch's own members as they are now.
    bidi::Task<> store_launch();

    /// How many passes of this launch are stored, warm-ups included.
    [[nodiscard]] std::int64_t passes_stored() const noexcept { return passes_stored_; }
    /// How many of them are measured ones.
    [[nodiscard]] std::int64_t measured_passes_stored() const noexcept { return measured_passes_stored_; }
    /// What the store failed with, if it did: the launch is not to blame then, and no other will fare better.
    [[nodiscard]] std::exception_ptr store_failure() const noexcept { return store_failure_; }

private:
    using Clock = std::chrono::steady_clock;

    void begin_sequence(std::size_t sequence);
    void tell_next(std::size_t sequence, std::int64_t pass);
    template <class Work>
    bidi::Task<> in_store(Work work);

    store::Store& store_;
    boost::asio::thread_pool& pool_;
    RunListener& listener_;
    Place place_;
    document::Launch& launch_;

    std::vector<document::Series> series_;  ///< of the present sequence, with its measured passes so far
    std::size_t sequence_ = 0;
    std::size_t first_position_ = 0;  ///< of the present sequence's first series in the launch
    std::int64_t passes_stored_ = 0, measured_passes_stored_ = 0;
    Clock::time_point last_pass_at_ = Clock::now();
    std::exception_ptr store_failure_;
};

}  // namespace foxbench::run
