#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "bidi/task.hpp"
#include "service/config/config.hpp"
#include "service/run/runner.hpp"
#include "service/store/store.hpp"

/// Carries out the queue: one job after the other.
namespace foxbench::run {

/// What is told of the jobs, on the event loop's thread.
class JobListener {
public:
    virtual ~JobListener() = default;
    /// A job was taken from the queue; its run is `running`.
    virtual void on_claimed(const store::Job& job) = 0;
    virtual void on_stage(const std::string& run, const std::string& what) = 0;
    virtual void on_progress(const std::string& run, const Progress& progress) = 0;
    virtual void on_series(const std::string& run, const Progress& progress, const std::string& series,
                           const stats::SeriesFigures& figures) = 0;
    virtual void on_browser_start(bool succeeded) = 0;
    virtual void on_trouble(const std::string& run, const std::string& what) = 0;
    /// A run has reached its final state, in the store as well.
    virtual void on_finished(const RunOutcome& outcome) = 0;
    /// The job's builds were measured already; its run is not there any more.
    virtual void on_nothing_new(const store::Job& job, const std::string& reason) = 0;
    /// The queue itself cannot be worked on (the disk is full, say). It is tried again.
    virtual void on_fault(const std::string& what) = 0;
};

/// What is being done now.
struct CurrentJob {
    store::Job job;
    std::string stage;                 ///< the last thing told besides progress; may be empty
    std::optional<Progress> progress;  ///< once the first launch measures
    std::chrono::steady_clock::time_point last_sign =
        std::chrono::steady_clock::now();                         ///< when it told something last
    std::chrono::milliseconds longest_silence{};                  ///< between two signs while it measures
    std::optional<std::chrono::steady_clock::time_point> end_by;  ///< when its time is over
};

/// Takes jobs from the store's queue and runs them, one at a time. Not thread-safe: everything on the executor's one
/// thread; the store is used on the pool. Everything given here has to outlive serve().
class JobRunner {
public:
    /// `config` gives the configuration in force: a job takes the one of its beginning.
    using ConfigSource = std::function<std::shared_ptr<const config::Config>()>;
    JobRunner(const boost::asio::any_io_executor& executor, store::Store& store, boost::asio::thread_pool& pool,
              JobListener& listener, ConfigSource config);
    ~JobRunner();

    /// Works on the queue until drain(). Before each look at it, also in the beginning, runs whose process was lost are
    /// ended (recovery.hpp). To be called once.
    [[nodiscard]] bidi::Task<> serve();

    /// Done before each look into the queue, also the first: what must not happen beside a measurement. It must not
    /// throw. Set it before serve().
    void before_each(std::function<bidi::Task<>()> work) { before_each_ = std::move(work); }

    /// There may be a new job.
    void wake();

    [[nodiscard]] const std::optional<CurrentJob>& current() const noexcept { return current_; }

    /// Ends this run if it is the current one: its browser is killed. Returns when the run has its final state; false
    /// where it is not the current one.
    [[nodiscard]] bidi::Task<bool> cancel(std::string run);

    /// Takes no further job. The current one may finish the pass that it is in, for at most `grace`, and is then ended
    /// with what it has; zero: at once. serve() returns afterwards. A second call shortens the grace.
    void drain(std::chrono::milliseconds grace);

private:
    class JobProgress;

    [[nodiscard]] bidi::Task<> work_on(store::Job job);
    [[nodiscard]] bidi::Task<> carry_out(const store::Job& job);
    [[nodiscard]] bidi::Task<> drop(const store::Job& job, std::string reason);
    [[nodiscard]] bidi::Task<> fail(const store::Job& job, std::string reason);
    [[nodiscard]] bidi::Task<> recover();
    [[nodiscard]] bidi::Task<> store_ends();
    [[nodiscard]] bidi::Task<> sleep(std::chrono::milliseconds at_most);
    void end_current(StopReason reason);

    store::Store& store_;
    boost::asio::thread_pool& pool_;
    JobListener& listener_;
    ConfigSource config_;
    std::function<bidi::Task<>()> before_each_;
    boost::asio::steady_timer wake_;      ///< serve() sleeps on it
    boost::asio::steady_timer changed_;   ///< cancel() waits on it for the end of a job
    boost::asio::steady_timer deadline_;  ///< of the current job
    boost::asio::steady_timer grace_;     ///< of drain()
    std::optional<CurrentJob> current_;
    Runner* runner_ = nullptr;          ///< of the current job
    std::vector<RunOutcome> unstored_;  ///< ends of runs that the store would not take yet
    bool woken_ = false;
    bool draining_ = false;
};

}  // namespace foxbench::run
