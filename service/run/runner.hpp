#pragma once

#include <memory>
#include <optional>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/thread_pool.hpp>

#include "bidi/task.hpp"
#include "service/browser/build.hpp"
#include "service/config/config.hpp"
#include "service/error.hpp"
#include "service/run/frozen_request.hpp"
#include "service/run/progress.hpp"
#include "service/stats/summary.hpp"
#include "service/store/store.hpp"

/// Carries out one run from the request to the stored, final run.
namespace foxbench::run {

/// What a run tells while it goes on, on the event loop's thread.
class RunListener {
public:
    virtual ~RunListener() = default;
    /// The run has its id; from now on it is in the store.
    virtual void on_started(const std::string& id) = 0;
    /// One line about what is being done now besides measuring: "waiting for ...", "preparing a profile template ...".
    virtual void on_stage(const std::string& what) = 0;
    virtual void on_progress(const Progress& progress) = 0;
    /// All passes of a series in one launch are stored.
    virtual void on_series(const Progress& progress, const std::string& series,
                           const stats::SeriesFigures& figures) = 0;
    /// A browser was started, or could not be.
    virtual void on_browser_start(bool succeeded) = 0;
    /// A launch ended with less than was asked, or something odd was seen.
    virtual void on_trouble(const std::string& what) = 0;
};

/// Why a run is ended before its time.
enum class StopReason {
    interrupted,  ///< the run keeps what is finished and is `partial`
    cancelled,    ///< the run keeps what is finished and is `cancelled`
    out_of_time   ///< the same as `interrupted`, for another reason
};

/// Every build is the one that the schedule measured last, and the job asked not to measure it again.
class NothingNew : public Error {
public:
    explicit NothingNew(const std::string& message) : Error(ErrorCode::conflict, message) {}
};

/// Carries out one run; make a new one for the next. Not thread-safe: everything on the executor's one thread, which
/// has to outlive it; the store is used from the pool's threads, by one at a time.
class Runner {
public:
    Runner(const config::Config& config, store::Store& store, boost::asio::thread_pool& pool, RunListener& listener);
    ~Runner();

    /// Does the run: its commands and waits first, then the launches. Every finished pass is in the store before the
    /// next one begins, and the report and the document in the results folder when this returns.
    ///
    /// Of a run that waited in the queue and was claimed, `queued_run` is the id, and whatever happens is the outcome,
    /// but for NothingNew, and Error (interrupted) where it was interrupted before the first launch: both leave the run
    /// as it was. Without it the run is stored once everything is ready; until
    /// then this throws foxbench::Error (a target that is not there, a disk that is too small).
    [[nodiscard]] bidi::Task<RunOutcome> execute(Job job, std::optional<std::string> queued_run = std::nullopt);

    /// Ends the run: the browser is killed without politeness, and execute() returns soon. Also ends the commands and
    /// waits before it. May be called by the listener.
    void stop(StopReason reason);
    [[nodiscard]] bool stopping() const noexcept { return stop_reason_.has_value(); }

private:
    class Execution;
    /// Does the task, which stop() cancels.
    bidi::Task<> until_stopped(bidi::Task<> task);

    const config::Config& config_;
    store::Store& store_;
    boost::asio::thread_pool& pool_;
    RunListener& listener_;
    std::unique_ptr<Execution> execution_;
    std::optional<StopReason> stop_reason_;
    std::optional<boost::asio::any_io_executor> executor_;  ///< of execute()
    std::shared_ptr<boost::asio::cancellation_signal> cancel_ = std::make_shared<boost::asio::cancellation_signal>();
};

}  // namespace foxbench::run
