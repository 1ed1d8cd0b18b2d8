#pragma once

#include <string>

#include <boost/asio/steady_timer.hpp>

#include "bidi/task.hpp"
#include "service/daemon/context.hpp"
#include "service/document/run_document.hpp"

namespace foxbench::daemon {

/// Makes the schedules' jobs when they are due, and says what is coming. What is due is decided by schedule/planner.hpp
/// from what the store has recorded, so that each firing is acted on once, across restarts. On the event loop's thread.
class Scheduler {
public:
    explicit Scheduler(Context& context);

    /// Looks at the clock until stop(). To be called once.
    [[nodiscard]] bidi::Task<> run();
    void stop();
    /// Something has changed: the configuration, a pause.
    void wake();
    /// When it looked at the clock last; milliseconds since 1970, 0 before the first time.
    [[nodiscard]] std::int64_t last_tick_ms() const noexcept { return last_tick_ms_; }
    /// How long it sleeps at most: also what notices that the clock was set.
    static constexpr std::chrono::seconds kLongestSleep{30};

    /// All schedules with their next five firings and last results, as GET /v1/schedules writes them.
    [[nodiscard]] bidi::Task<document::Json> describe();
    /// Queues a run of the schedule now, and remembers the answer with it (store::Store::enqueue()). Throws Error
    /// (not_found) for a name that is none.
    [[nodiscard]] bidi::Task<> trigger(std::string schedule, store::AnswerTo answer_to);
    [[nodiscard]] bidi::Task<> set_paused(std::string schedule, bool paused);

private:
    [[nodiscard]] bidi::Task<> tick();
    [[nodiscard]] bidi::Task<> look_at(const config::Config& config, const config::Schedule& schedule);
    void announce(const std::string& run, const std::string& schedule);

    Context& context_;
    boost::asio::steady_timer timer_;
    std::shared_ptr<const config::Config> seen_;  ///< whose schedules the last tick looked at
    bool woken_ = false;                          ///< since the last tick began
    bool stopped_ = false;
    std::int64_t last_tick_ms_ = 0;
};

/// What says when it fires, as the store keeps it (store::Store::schedule_state()): a schedule for which this has
/// changed owes nothing from before. Pure.
[[nodiscard]] std::string times_of(const config::Schedule& schedule);

/// The job of a schedule that was due at `due_at_ms`; one that somebody asks for by hand (`by_hand`) is not dropped for
/// measuring the same builds as the last one. Reads the workload's manifest. Throws run::RequestError.
[[nodiscard]] store::NewJob make_scheduled_job(const config::Schedule& schedule, const config::Config& config,
                                               std::int64_t due_at_ms, std::int64_t now_ms, bool by_hand = false);

}  // namespace foxbench::daemon
