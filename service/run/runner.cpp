#include "service/run/runner.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>

#include <boost/asio.hpp>

#include "bidi/error.hpp"
#include "service/browser/profile_template.hpp"
#include "service/document/purpose.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/host/clock.hpp"
#include "service/host/lock.hpp"
#include "service/measure/mailbox.hpp"
#include "service/measure/page_server.hpp"
#include "service/run/before_commands.hpp"
#include "service/run/launch_noise.hpp"
#include "service/run/launch_recorder.hpp"
#include "service/run/offload.hpp"
#include "service/run/preparation.hpp"
#include "service/run/quiet_wait.hpp"
#include "service/run/run_files.hpp"

namespace foxbench::run {
namespace {

namespace asio = boost::asio;
using document::RunState;

/// A browser that does not start is started once more: now and then one fails for no reason that is the build's
/// (browsertime#416).
constexpr int kStarts = 2;

/// What a browser needs to end after its page has crashed.
constexpr std::chrono::seconds kCrashGrace{2};
/// How long to sleep when only the end of something can be waited for.
constexpr std::chrono::hours kLong{24};

std::string now_text() {
    return document::utc_text(host::now_ms());
}

std::string in_one_line(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const std::exception& error) {
        return error.what();
    }
}

/// Whether the same would happen again: a wrong folder or a missing display does not mend itself.
bool worth_another_start(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.code() == ErrorCode::browser;
    } catch (...) {
        return true;
    }
}

bool is_nothing_new(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const NothingNew&) {
        return true;
    } catch (...) {
        return false;
    }
}

/// The worker's own, where the failure was reported by it.
std::string stack_of(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const measure::WorkerError& error) {
        return error.stack();
    } catch (...) {
        return {};
    }
}

/// What else a target is measured with.
bool same_extras(const document::Target& a, const document::Target& b) {
    const auto member = [](const document::Target& target, const char* name) {
        return target.extra.is_object() ? target.extra.value(name, document::Json()) : document::Json();
    };
    return std::ranges::all_of(std::array{"args", "cpus", document::kPlanted},
                               [&](const char* name) { return member(a, name) == member(b, name); });
}

bool is_mismatch(std::exception_ptr failure) {
    try {
        std::rethrow_exception(failure);
    } catch (const Error& error) {
        return error.code() == ErrorCode::measurement;
    } catch (...) {
        return false;
    }
}

}  // namespace

class Runner::Execution {
public:
    Execution(Runner& runner, Job job, std::optional<std::string> queued_run)
        : runner_(runner),
          request_(std::move(job.request)),
          terms_(std::move(job.terms)),
          queued_run_(std::move(queued_run)),
          hashes_(runner.config_.results / "build-hashes.json"),
          clock_(request_.plan, request_.launches * static_cast<std::int64_t>(request_.targets.size())) {}

    /// Everything that may be refused or waited for before the first launch. What is wrong with the request itself
    /// comes before any wait; only what the commands install has to wait for them.
    bidi::Task<> get_ready() {
        if (terms_.before.empty()) co_await prepare();
        co_await acquire_lock();
        const std::function<void(const std::string&)> tell = [this](const std::string& what) { this->tell(what); };
        if (!terms_.before.empty()) {
            co_await run_before_commands(terms_.before, terms_.before_folder, tell);
            co_await prepare();
        }
        if (terms_.skip_if_same_build) {
            const auto same = co_await offload(runner_.pool_, [this] { return same_builds_as(); });
            if (same) throw NothingNew("nothing new: the builds are those of " + *same);
        }
        if (terms_.quiet) co_await wait_quiet();
    }

    /// Makes the run exist, or the one that waited begin.
    bidi::Task<> begin() {
        const auto swept = co_await offload(runner_.pool_, [this] { return browser::sweep(runner_.config_.profiles); });
        for (const auto& stuck : swept.stuck)
            trouble("a profile of a browser that is gone could not be removed: " + stuck.string());
        document_ = make_skeleton(request_, runner_.config_, targets_);
        document_.id = co_await offload(runner_.pool_, [this] {
            if (!queued_run_) return runner_.store_.begin_run(document_);
            document_.id = *queued_run_;
            runner_.store_.update_run(document_);
            for (std::size_t i = 0; i < document_.targets.size(); ++i)
                runner_.store_.update_target(document_.id, i, document_.targets[i]);
            return document_.id;
        });
        progress_.launches = request_.launches;
        progress_.passes = request_.plan.passes;
        progress_.passes_total =
            request_.plan.passes_total() * request_.launches * static_cast<std::int64_t>(targets_.size());
        runner_.listener_.on_started(document_.id);
    }

    /// Ends a run that waited in the queue and could not begin.
    bidi::Task<RunOutcome> end_unstarted(std::exception_ptr failure) {
        RunOutcome outcome{*queued_run_, RunState::failed, "It was ended before anything was measured"};
        if (runner_.stop_reason_ == StopReason::cancelled) {
            outcome.state = RunState::cancelled;
        } else if (runner_.stop_reason_ == StopReason::out_of_time) {
            outcome.reason = "Its time was over before anything was measured";
        } else if (failure) {
            outcome.reason = in_one_line(failure);
        }
        if (document_.id.empty()) document_ = make_queued_document(request_, runner_.config_, 0);
        document_.id = outcome.id;
        co_await store_end(outcome);
        co_return outcome;
    }

    /// All launches: A B B A ..., so that what drifts on the machine meets every target alike.
    bidi::Task<> measure_all() {
        std::int64_t order = 0;
        for (std::int64_t launch = 0; launch < request_.launches; ++launch) {
            for (std::size_t i = 0; i < targets_.size(); ++i) {
                if (invalid_ || store_failure_ || stopping()) co_return;
                const std::size_t target = launch % 2 == 0 ? i : targets_.size() - 1 - i;
                co_await measure_launch(target, static_cast<std::size_t>(launch), order++);
                clock_.launch_ended();
            }
        }
    }

    /// Gives the run its final state, and writes its report and document beside the store.
    bidi::Task<RunOutcome> finish() {
        const auto [state, reason] = judge();
        RunOutcome outcome{document_.id, state, reason};
        co_await store_end(outcome);
        co_return outcome;
    }

    /// What measuring ended with, where that was not a launch's own failure.
    void note_failure(std::exception_ptr failure) {
        if (!stopping() && !store_failure_) failures_.push_back(in_one_line(failure));
    }

private:
    [[nodiscard]] bool stopping() const noexcept { return runner_.stopping(); }

    void tell(const std::string& what) {
        log_.push_back({{"at", now_text()}, {"text", what}});
        runner_.listener_.on_stage(what);
    }
    void trouble(const std::string& what) {
        log_.push_back({{"at", now_text()}, {"text", what}});
        runner_.listener_.on_trouble(what);
    }

    bidi::Task<> prepare() {
        check_disk(runner_.config_, request_.plan);
        targets_ = co_await offload(
            runner_.pool_, [this] { return prepare_targets(request_.targets, runner_.config_.profiles, hashes_); });
    }

    bidi::Task<> acquire_lock() {
        const auto file = runner_.config_.lock.empty() ? host::default_lock_path() : runner_.config_.lock;
        const std::function<void(std::optional<pid_t>)> on_wait = [this](std::optional<pid_t> holder) {
            const std::string who = holder ? " (process " + std::to_string(*holder) + ")" : "";
            tell("waiting: another measurement is going on on this machine" + who);
        };
        lock_ = co_await host::acquire_host_lock(file, on_wait);
    }

    bidi::Task<> wait_quiet() {
        const std::function<void(const std::string&)> tell = [this](const std::string& what) { this->tell(what); };
        const auto outcome = co_await wait_until_quiet(*terms_.quiet, tell);
        quiet_ = {{"quiet", outcome.quiet}, {"waited_ms", outcome.waited.count()}};
        if (outcome.load_1m) quiet_["load_1m"] = *outcome.load_1m;
        if (!outcome.quiet) trouble("the machine did not become quiet in time; it is measured all the same");
    }

    /// The last completed run of the same schedule, if it measured exactly these builds of these targets.
    [[nodiscard]] std::optional<std::string> same_builds_as() const {
        store::RunFilter filter;
        filter.state = RunState::completed;
        filter.trigger = "schedule";
        filter.workload = request_.plan.workload;
        filter.limit = store::kMaxListLimit;
        for (const auto& run : runner_.store_.list(filter).runs) {
            if (run.trigger_name != request_.trigger.value("name", std::string())) continue;
            const auto before = runner_.store_.load(run.id);
            auto config = request_.plan.config();
            config["launches"] = request_.launches;
            const auto is_same = [](const document::Target& then, const PreparedTarget& prepared) {
                const auto& now = prepared.document;
                return then.name == now.name && now.browser.sha256 && then.browser.sha256 == now.browser.sha256 &&
                       then.prefs == now.prefs && then.env == now.env && same_extras(then, now);
            };
            const bool same = before.config == config && std::ranges::equal(before.targets, targets_, is_same);
            return same ? std::optional(run.id) : std::nullopt;
        }
        return std::nullopt;
    }

    /// The final state, what was told meanwhile, and the report and document beside the store.
    bidi::Task<> store_end(const RunOutcome& outcome) {
        if (!log_.empty()) document_.extra["log"] = log_;
        if (!quiet_.is_null()) document_.extra["quiet"] = quiet_;
        const auto fault = co_await offload(runner_.pool_, [&] {
            runner_.store_.update_run(document_);
            runner_.store_.finish_run(outcome.id, outcome.state,
                                      outcome.reason.empty() ? std::nullopt : std::optional(outcome.reason),
                                      now_text());
            return try_write_run_files(runner_.store_, outcome.id);
        });
        if (fault) runner_.listener_.on_trouble(*fault);
    }

    bidi::Task<> measure_launch(std::size_t target, std::size_t index, std::int64_t order) {
        const PreparedTarget& prepared = targets_[target];
        document::Launch launch;
        launch.extra["order"] = order;
        progress_.target = prepared.document.name;
        progress_.launch = static_cast<std::int64_t>(index) + 1;
        LaunchRecorder recorder(runner_.store_, runner_.pool_, runner_.listener_,
                                {document_.id, {target, index}, request_.plan, progress_, clock_}, launch);

        std::exception_ptr failure;
        try {
            co_await measure_in_new_browser(prepared, launch, recorder);
        } catch (...) {
            failure = std::current_exception();
        }
        // What follows has to happen also when the run was cancelled.
        co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());

        measured_passes_stored_ += recorder.measured_passes_stored();
        store_failure_ = recorder.store_failure();
        if (store_failure_) co_return;
        if (failure) {
            launch.failure = stopping() ? "the run was ended" : in_one_line(failure);
            if (const auto stack = stack_of(failure); !stack.empty()) launch.extra["stack"] = stack;
            invalid_ = is_mismatch(failure);
            const std::string where =
                prepared.document.name + ", launch " + std::to_string(index + 1) + ": " + *launch.failure;
            if (!stopping()) {
                failures_.push_back(where);
                trouble(where);
            }
        }
        co_await recorder.store_launch();
    }

    bidi::Task<> measure_in_new_browser(const PreparedTarget& prepared, document::Launch& launch,
                                        LaunchRecorder& recorder) {
        LaunchNoise noise(runner_.config_.profiles);
        co_await noise.look_before();
        const auto executor = co_await asio::this_coro::executor;
        const measure::PageServer page(executor, request_.manifest.folder, request_.manifest.module);
        const auto browser = co_await start_browser(prepared, page.url(), launch);
        const auto plan = plan_of(request_, prepared.config);
        measure::LaunchSetup setup{plan, page.url(), request_.settle};
        setup.lacking = &lacking_[prepared.document.name];
        std::exception_ptr failure;
        try {
            co_await measure::measure_launch(*browser, setup, recorder);
        } catch (...) {
            failure = std::current_exception();
        }
        co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());

        // A crash of the page may first show as another failure (docs/firefox-bidi.md, finding 3).
        if (failure && !stopping() && !is_mismatch(failure)) {
            if (const auto crash = co_await browser->crash_within(kCrashGrace)) failure = crash->as_exception();
        }
        co_await noise.look_after(browser->process().pid());
        if (failure) launch.extra["browser_log"] = browser->process().error_tail();
        const auto mode = stopping() ? browser::StopMode::signal : browser::StopMode::polite;
        const auto report = co_await browser->stop(mode);
        if (!report.profile_left.empty())
            recorder.on_anomaly("the profile could not be removed: " + report.profile_left.string());
        for (const pid_t left : report.processes_left)
            recorder.on_anomaly("process " + std::to_string(left) + " of the browser is still there");
        if (!stopping()) co_await noise.probe_after();
        launch.noise = noise.result();
        if (failure) std::rethrow_exception(failure);
        co_await check_same_build(prepared);
    }

    bidi::Task<std::unique_ptr<browser::Browser>> start_browser(const PreparedTarget& prepared,
                                                                const std::string& page_url, document::Launch& launch) {
        for (int start = 1;; ++start) {
            std::exception_ptr failure;
            try {
                auto options = prepared.launch;
                const std::function<void(const std::string&)> tell = [this](const std::string& what) {
                    this->tell(what);
                };
                options.template_folder = co_await browser::ensure_template(options, prepared.document.browser, tell);
                options.first_page = page_url;
                auto browser = co_await browser::Browser::launch(options);
                const auto& timings = browser->timings();
                launch.extra["start"] = {{"starts", start - 1 + timings.starts},
                                         {"profile_ms", timings.profile_ms},
                                         {"listening_ms", timings.spawn_to_listening_ms},
                                         {"session_ms", timings.to_session_ms}};
                runner_.listener_.on_browser_start(true);
                co_return browser;
            } catch (...) {
                failure = std::current_exception();
            }
            runner_.listener_.on_browser_start(false);
            if (start == kStarts || stopping() || !worth_another_start(failure)) std::rethrow_exception(failure);
            trouble(prepared.document.name + ": " + in_one_line(failure) + "; starting it once more");
        }
    }

    /// A browser that replaced itself in the middle (geckodriver#1911) was measured as something that it is not.
    bidi::Task<> check_same_build(const PreparedTarget& prepared) {
        const auto now =
            co_await offload(runner_.pool_, [&] { return browser::identify(prepared.installation, hashes_); });
        if (now.sha256 != prepared.document.browser.sha256) {
            throw Error(ErrorCode::measurement, "the browser's files changed while it was measured (" +
                                                    prepared.installation.launcher.string() + "); was it updated?");
        }
    }

    [[nodiscard]] std::pair<RunState, std::string> judge() const {
        const std::string kept = std::to_string(progress_.passes_stored) + " of " +
                                 std::to_string(progress_.passes_total) + " passes are kept.";
        const RunState cut_short = measured_passes_stored_ > 0 ? RunState::partial : RunState::failed;
        if (store_failure_) return {cut_short, "Storing failed: " + in_one_line(store_failure_) + ". " + kept};
        if (invalid_) return {RunState::invalid, failures_.back()};
        if (runner_.stop_reason_ == StopReason::cancelled) return {RunState::cancelled, "Cancelled; " + kept};
        if (progress_.passes_stored == progress_.passes_total) return {RunState::completed, ""};
        if (runner_.stop_reason_ == StopReason::interrupted) return {cut_short, "Interrupted; " + kept};
        if (runner_.stop_reason_ == StopReason::out_of_time) return {cut_short, "Its time is over; " + kept};
        std::string reason = failures_.empty() ? "Passes are missing" : failures_.front();
        if (failures_.size() > 1) reason += " (and " + std::to_string(failures_.size() - 1) + " more)";
        return {cut_short, reason + ". " + kept};
    }

    Runner& runner_;
    RunRequest request_;
    JobTerms terms_;
    std::optional<std::string> queued_run_;
    browser::HashCache hashes_;
    std::vector<PreparedTarget> targets_;
    std::map<std::string, std::set<std::string>> lacking_;  ///< by target: see LaunchSetup
    host::HostLock lock_;
    document::RunDocument document_;
    Progress progress_;
    PassClock clock_;
    std::int64_t measured_passes_stored_ = 0;
    bool invalid_ = false;
    std::exception_ptr store_failure_;
    document::Json log_ = document::Json::array();  ///< what was told besides progress, with its time
    document::Json quiet_;                          ///< how the wait for a quiet machine ended; null without one
    std::vector<std::string> failures_;             ///< a line each, in the order of time
};

Runner::Runner(const config::Config& config, store::Store& store, asio::thread_pool& pool, RunListener& listener)
    : config_(config), store_(store), pool_(pool), listener_(listener) {}

Runner::~Runner() = default;

bidi::Task<RunOutcome> Runner::execute(Job job, std::optional<std::string> queued_run) {
    const bool was_queued = queued_run.has_value();
    executor_ = co_await asio::this_coro::executor;
    execution_ = std::make_unique<Execution>(*this, std::move(job), std::move(queued_run));
    std::exception_ptr failure;
    try {
        if (!stop_reason_) co_await until_stopped(execution_->get_ready());
        if (!stop_reason_) co_await execution_->begin();
    } catch (...) {
        failure = std::current_exception();
    }
    if (failure && !stop_reason_ && (!was_queued || is_nothing_new(failure))) std::rethrow_exception(failure);
    if (failure || stop_reason_) {
        if (!was_queued || stop_reason_ == StopReason::interrupted)
            throw Error(ErrorCode::interrupted, "ended before anything was measured");
        co_return co_await execution_->end_unstarted(failure);
    }
    try {
        co_await until_stopped(execution_->measure_all());
    } catch (...) {
        execution_->note_failure(std::current_exception());
    }
    co_return co_await execution_->finish();
}

bidi::Task<> Runner::until_stopped(bidi::Task<> task) {
    const auto executor = co_await asio::this_coro::executor;
    measure::Mailbox<std::exception_ptr> end(executor);
    asio::co_spawn(
        executor, std::move(task),
        asio::bind_cancellation_slot(cancel_->slot(), [&end](std::exception_ptr failure) { end.put(failure); }));
    std::optional<std::exception_ptr> failure;
    while (!failure) failure = co_await end.take(kLong);
    if (*failure) std::rethrow_exception(*failure);
}

void Runner::stop(StopReason reason) {
    if (stop_reason_) return;
    stop_reason_ = reason;
    // Not from here: the caller may be a part of what is cancelled.
    if (!executor_) return;
    asio::post(*executor_, [cancel = cancel_] { cancel->emit(asio::cancellation_type::terminal); });
}

}  // namespace foxbench::run
