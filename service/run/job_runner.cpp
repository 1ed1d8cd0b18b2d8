#include "service/run/job_runner.hpp"

#include <algorithm>

#include <boost/asio.hpp>

#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/host/clock.hpp"
#include "service/run/offload.hpp"
#include "service/run/recovery.hpp"
#include "service/run/run_files.hpp"
#include "service/run/stuck.hpp"

namespace foxbench::run {

namespace asio = boost::asio;
using document::RunState;
using std::chrono::milliseconds;

namespace {

/// Another process may have queued a job in the same store: nobody wakes us for that.
constexpr std::chrono::seconds kLookAgain{30};
/// After a failure of the store itself.
constexpr std::chrono::seconds kFaultPause{10};

/// How long the job may take from now on.
std::optional<milliseconds> time_left(const JobTerms& terms) {
    std::optional<milliseconds> left = terms.max_duration;
    if (terms.finish_by_ms) {
        const milliseconds until{std::max<std::int64_t>(0, *terms.finish_by_ms - host::now_ms())};
        left = std::min(left.value_or(until), until);
    }
    return left;
}

}  // namespace

/// What the runner tells, with the run's id.
class JobRunner::JobProgress : public RunListener {
public:
    explicit JobProgress(JobRunner& owner) : owner_(owner) {}

    void on_started(const std::string&) override {}
    void on_stage(const std::string& what) override {
        note_sign();
        owner_.current_->stage = what;
        owner_.listener_.on_stage(run(), what);
    }
    void on_progress(const Progress& progress) override {
        note_sign();
        const bool stored_one = owner_.current_->progress && progress.passes_stored > stored_;
        stored_ = progress.passes_stored;
        owner_.current_->progress = progress;
        owner_.listener_.on_progress(run(), progress);
        if (owner_.draining_ && stored_one) owner_.end_current(StopReason::interrupted);
    }
    void on_series(const Progress& progress, const std::string& series, const stats::SeriesFigures& figures) override {
        owner_.listener_.on_series(run(), progress, series, figures);
    }
    void on_browser_start(bool succeeded) override {
        note_sign();
        owner_.listener_.on_browser_start(succeeded);
    }
    void on_trouble(const std::string& what) override {
        note_sign();
        owner_.listener_.on_trouble(run(), what);
    }

private:
    [[nodiscard]] const std::string& run() const { return owner_.current_->job.run; }
    void note_sign() { owner_.current_->last_sign = std::chrono::steady_clock::now(); }

    JobRunner& owner_;
    std::int64_t stored_ = 0;
};

JobRunner::JobRunner(const asio::any_io_executor& executor, store::Store& store, asio::thread_pool& pool,
                     JobListener& listener, ConfigSource config)
    : store_(store),
      pool_(pool),
      listener_(listener),
      config_(std::move(config)),
      wake_(executor),
      changed_(executor),
      deadline_(executor),
      grace_(executor) {
    changed_.expires_at(asio::steady_timer::time_point::max());
}

JobRunner::~JobRunner() = default;

bidi::Task<> JobRunner::serve() {
    while (!draining_) {
        std::optional<store::Job> job;
        std::string fault;
        woken_ = false;
        co_await recover();
        co_await store_ends();
        if (!unstored_.empty()) {
            co_await sleep(kFaultPause);
            continue;
        }
        if (before_each_) co_await before_each_();
        if (draining_) break;
        try {
            job = co_await offload(pool_, [this] { return store_.claim_next(); });
        } catch (const std::exception& error) {
            fault = error.what();
        }
        if (!fault.empty()) {
            listener_.on_fault("the queue cannot be read: " + fault);
            co_await sleep(kFaultPause);
        } else if (job) {
            co_await work_on(std::move(*job));
        } else if (!woken_) {
            co_await sleep(kLookAgain);
        }
    }
}

void JobRunner::wake() {
    woken_ = true;
    wake_.cancel();
}

bidi::Task<bool> JobRunner::cancel(std::string run) {
    if (!current_ || current_->job.run != run) co_return false;
    end_current(StopReason::cancelled);
    while (current_ && current_->job.run == run) {
        co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
    co_return true;
}

void JobRunner::drain(milliseconds grace) {
    draining_ = true;
    wake_.cancel();
    // Between launches there is no pass to be finished.
    if (grace <= milliseconds::zero() || !current_ || !current_->progress || current_->progress->series.empty()) {
        end_current(StopReason::interrupted);
        return;
    }
    grace_.expires_after(grace);
    grace_.async_wait([this](const boost::system::error_code& error) {
        if (!error) end_current(StopReason::interrupted);
    });
}

bidi::Task<> JobRunner::work_on(store::Job job) {
    current_.emplace();
    current_->job = job;
    listener_.on_claimed(job);
    std::string fault;
    try {
        co_await carry_out(job);
    } catch (const std::exception& error) {
        fault = error.what();
    }
    runner_ = nullptr;
    deadline_.cancel();
    grace_.cancel();
    if (!fault.empty()) co_await fail(job, std::move(fault));
    current_.reset();
    changed_.cancel();
}

bidi::Task<> JobRunner::carry_out(const store::Job& job) {
    const auto config = config_();  // held: a reload replaces it for later jobs
    Job asked = thaw(job.request, config->workloads);
    const auto left = time_left(asked.terms);
    current_->longest_silence = longest_silence(asked.request.plan);
    if (left) current_->end_by = std::chrono::steady_clock::now() + *left;
    JobProgress progress(*this);
    Runner runner(*config, store_, pool_, progress);
    runner_ = &runner;
    if (left) {
        deadline_.expires_at(*current_->end_by);
        deadline_.async_wait([this, &job](const boost::system::error_code& error) {
            if (!error && current_ && current_->job.run == job.run) end_current(StopReason::out_of_time);
        });
    }
    if (draining_) runner.stop(StopReason::interrupted);
    RunOutcome outcome;
    std::string nothing_new;
    bool put_back = false;
    try {
        outcome = co_await runner.execute(std::move(asked), job.run);
    } catch (const NothingNew& reason) {
        nothing_new = reason.what();
    } catch (const Error& error) {
        if (error.code() != ErrorCode::interrupted) throw;
        put_back = true;
    }
    runner_ = nullptr;
    if (put_back) {
        // It waits for the next daemon, as if it had never been taken.
        co_await offload(pool_, [&] { store_.put_back(job.run); });
    } else if (!nothing_new.empty()) {
        co_await drop(job, std::move(nothing_new));
    } else {
        listener_.on_finished(outcome);
    }
}

bidi::Task<> JobRunner::drop(const store::Job& job, std::string reason) {
    co_await offload(pool_, [&] { store_.drop_job(job.run, reason); });
    listener_.on_nothing_new(job, reason);
}

bidi::Task<> JobRunner::fail(const store::Job& job, std::string reason) {
    unstored_.push_back({job.run, RunState::failed, std::move(reason)});
    co_await store_ends();
}

/// A `foxbench run` beside the daemon, or another daemon, may have been killed at any time.
bidi::Task<> JobRunner::recover() {
    std::vector<RecoveredRun> lost;
    std::string fault;
    try {
        lost = co_await offload(pool_, [this] { return recover_runs(store_); });
    } catch (const std::exception& error) {
        fault = error.what();
    }
    if (!fault.empty()) listener_.on_fault("runs that have lost their process cannot be ended: " + fault);
    for (const auto& [outcome, file_fault] : lost) {
        if (file_fault) listener_.on_trouble(outcome.id, *file_fault);
        listener_.on_finished(outcome);
    }
}

/// Ends that could not be stored (a full disk, say) would leave their runs `running` for ever, and their schedules
/// waiting: they are tried until they succeed, before anything new begins.
bidi::Task<> JobRunner::store_ends() {
    while (!unstored_.empty()) {
        const RunOutcome outcome = unstored_.front();
        std::string fault;
        std::optional<std::string> file_fault;
        bool was_final = false;
        try {
            file_fault = co_await offload(pool_, [&] {
                was_final = document::is_final(store_.load_summary(outcome.id).state);
                if (!was_final)
                    store_.finish_run(outcome.id, outcome.state, outcome.reason, document::utc_text(host::now_ms()));
                return try_write_run_files(store_, outcome.id);
            });
        } catch (const std::exception& error) {
            fault = error.what();
        }
        if (!fault.empty()) {
            listener_.on_fault("run " + outcome.id + " (" + outcome.reason +
                               ") cannot be ended in the store: " + fault);
            co_return;
        }
        unstored_.erase(unstored_.begin());
        if (file_fault) listener_.on_trouble(outcome.id, *file_fault);
        if (!was_final) listener_.on_finished(outcome);
    }
}

bidi::Task<> JobRunner::sleep(milliseconds at_most) {
    wake_.expires_after(at_most);
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
}

void JobRunner::end_current(StopReason reason) {
    if (runner_ != nullptr) runner_->stop(reason);
}

}  // namespace foxbench::run
