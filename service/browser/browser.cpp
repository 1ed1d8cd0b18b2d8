#include "service/browser/browser.hpp"

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/modules/browser.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "service/browser/async_event.hpp"
#include "service/browser/command_line.hpp"
#include "service/browser/failure.hpp"
#include "service/browser/find.hpp"
#include "service/browser/off_loop.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::browser {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

namespace {

/// For the tree of contexts, which was seen to fail in the first moments (puppeteer#13057).
constexpr milliseconds kFirstContextPause{20};
/// How long a process that lost its connection may take to end, so that its exit status explains the loss.
constexpr milliseconds kExitGrace{2'000};
/// What was written before the end is there at once; only a process outside the group can hold the streams open.
constexpr milliseconds kDrainGrace{200};
/// Between tries to remove a profile.
constexpr milliseconds kRemovePause{50};
/// Another start when a foreign session sits in the browser.
constexpr int kStarts = 2;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

std::string seconds(milliseconds duration) {
    std::string text = std::to_string(duration.count() / 1000);
    if (const auto rest = duration.count() % 1000; rest != 0) text += "." + std::to_string(1000 + rest).substr(1);
    return text + " s";
}

/// What is left until `deadline`, at least a millisecond: zero would mean a command's default.
milliseconds until(Clock::time_point deadline) {
    return std::max(milliseconds(1), std::chrono::ceil<milliseconds>(deadline - Clock::now()));
}

/// Answers the question why a connection was lost or a call failed: because the process ended, or not because of that.
bidi::Task<std::shared_ptr<bidi::Error>> explain_loss(std::weak_ptr<Process> watched, milliseconds grace) {
    const auto process = watched.lock();
    if (!process) co_return nullptr;
    const auto exit = co_await process->wait_until(Clock::now() + grace);
    if (!exit) co_return nullptr;
    co_await process->drain(kDrainGrace);
    std::string message = "the browser ended with " + exit->describe();
    if (const std::string said = last_lines(process->error_tail()); !said.empty()) message += "; its log ends: " + said;
    co_return std::make_shared<bidi::CrashedError>(std::move(message));
}

/// Asks the browser to close; sets `refused` when it answers that it will not. Whether it does close is seen by its
/// process alone.
bidi::Task<> ask_to_close(std::shared_ptr<bidi::Connection> connection, milliseconds deadline,
                          std::shared_ptr<AsyncEvent> refused) {
    bidi::CallOptions call;
    call.deadline = deadline;
    try {
        co_await bidi::browser::close(*connection, call);
    } catch (const bidi::ProtocolError&) {
        refused->set();
    } catch (const std::exception&) {
        // Lost or too late: the process's end or the deadline decides.
    }
}

/// Firefox's crash helper is in a session of its own and lingers up to two seconds after everything else, which is no
/// reason to wait.
bool leaves_by_itself(pid_t pid) {
    const auto stat = host::read_process_stat(pid);
    return !stat || stat->state == 'Z' || stat->command == "crashhelper";
}

/// Somebody else's session sits in the browser.
class ForeignSession : public LaunchError {
public:
    using LaunchError::LaunchError;
};

}  // namespace

Browser::Browser(LaunchOptions options) : options_(std::move(options)) {}

Browser::~Browser() {
    if (process_) process_->kill_now();
    if (connection_) connection_->abort(std::make_shared<bidi::ClosedError>("the browser was killed"));
}

fs::path Browser::executable() const {
    std::error_code ignored;
    if (!process_ || process_->exit_status()) return {};
    return fs::read_symlink("/proc/" + std::to_string(process_->pid()) + "/exe", ignored);
}

std::vector<pid_t> Browser::processes() const {
    return host::processes_with_environment(std::string(kLaunchVariable) + "=" + token_);
}

bidi::Task<std::shared_ptr<bidi::Error>> Browser::crash_within(milliseconds grace) const {
    return explain_loss(process_, grace);
}

bidi::Task<std::unique_ptr<Browser>> Browser::launch(LaunchOptions options, Profile profile) {
    check_arguments(options.arguments);
    for (int start = 1;; ++start) {
        std::unique_ptr<Browser> browser(new Browser(options));
        browser->profile_ = std::move(profile);
        browser->timings_.starts = start;
        std::exception_ptr failure;
        bool foreign = false;
        try {
            co_await browser->start();
        } catch (const ForeignSession&) {
            foreign = true;
            failure = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        if (!failure) co_return browser;

        const bool throws = co_await asio::this_coro::throw_if_cancelled();
        co_await asio::this_coro::throw_if_cancelled(false);
        co_await browser->stop(StopMode::signal);
        co_await asio::this_coro::throw_if_cancelled(throws);
        if (!foreign || start == kStarts) std::rethrow_exception(failure);
    }
}

bidi::Task<> Browser::start() {
    if (profile_.folder().empty()) {
        const auto begin = Clock::now();
        profile_ = co_await off_loop([this] {
            return Profile::create(options_.profiles_folder, options_.preferences, options_.template_folder);
        });
        timings_.profile_ms = ms_since(begin);
    }
    token_ = profile_.folder().filename().string();
    const std::string url = co_await start_process() + "/session";
    co_await start_session(url);
}

bidi::Task<std::string> Browser::start_process() {
    const auto executor = co_await asio::this_coro::executor;
    // It outlives a browser that is closed, would be taken for this one's, and is written after the line that counts.
    std::error_code ignored;
    fs::remove(profile_.folder() / "WebDriverBiDiServer.json", ignored);

    struct Listening {
        explicit Listening(const asio::any_io_executor& executor) : event(executor) {}
        AsyncEvent event;
        std::string address;
    };
    const auto listening = std::make_shared<Listening>(executor);

    ProcessOptions process;
    process.executable = options_.binary;
    process.arguments = launch_arguments(profile_.folder(), options_.headed, options_.arguments, options_.first_page);
    process.processors = options_.processors;
    process.environment = launch_environment(options_.environment, token_);
    process.on_error_line = [listening](std::string_view line) {
        if (listening->event.is_set()) return;
        if (auto address = parse_listening_line(line)) {
            listening->address = std::move(*address);
            listening->event.set();
        }
    };
    const auto begin = Clock::now();
    process_ = Process::spawn(executor, std::move(process));

    using namespace asio::experimental::awaitable_operators;
    const auto deadline = begin + options_.deadlines.listening;
    co_await (listening->event.wait_until(deadline) || process_->wait_until(deadline));
    timings_.spawn_to_listening_ms = ms_since(begin);
    if (!listening->event.is_set()) {
        std::string what = "ended before it listened";
        if (!process_->exit_status()) what = "did not listen within " + seconds(options_.deadlines.listening);
        co_await fail(std::move(what));
    }
    co_return listening->address;
}

bidi::Task<> Browser::start_session(const std::string& url) {
    const auto begin = Clock::now();
    const auto deadline = begin + options_.deadlines.session;
    bidi::ConnectionOptions connection = options_.connection;
    if (!connection.explain_loss) {
        connection.explain_loss = [watched = std::weak_ptr<Process>(process_)] {
            return explain_loss(watched, kExitGrace);
        };
    }
    bidi::session::CapabilitiesRequest capabilities;
    capabilities.always_match.emplace();
    capabilities.always_match->unhandled_prompt_behavior.emplace();
    capabilities.always_match->unhandled_prompt_behavior->by_default = bidi::session::UserPromptHandlerType::dismiss;

    std::string failure;
    bool foreign = false;
    try {
        connection_ = co_await bidi::Connection::open(url, connection);
        bidi::CallOptions call;
        call.deadline = until(deadline);
        session_ = co_await bidi::session::start(*connection_, capabilities, call);
    } catch (const bidi::ProtocolError& error) {
        // The capabilities asked for match any browser, so that only another session can be in the way.
        foreign = error.code() == "session not created";
        failure = std::string("gave no session: ") + error.what();
    } catch (const bidi::CancelledError&) {
        throw;
    } catch (const bidi::Error& error) {
        failure = std::string("listened at ") + url + " but gave no session: " + error.what();
    }
    if (foreign) {
        throw ForeignSession(
            {options_.binary, failure, std::nullopt, process_->output_tail(), process_->error_tail(), false});
    }
    if (!failure.empty()) co_await fail(std::move(failure));

    const auto& extra = session_.capabilities.extra;
    const auto pid = extra.find("moz:processID");
    if (pid != extra.end() && pid->is_number() && *pid != process_->pid()) {
        std::string what = "is not what was started: process " + pid->dump() + " answers, process " +
                           std::to_string(process_->pid()) +
                           " was started; name the executable itself, not a script that leaves it running";
        co_await fail(std::move(what));
    }
    co_await find_first_context(deadline);
    timings_.to_session_ms = ms_since(begin);
}

bidi::Task<> Browser::find_first_context(Clock::time_point deadline) {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    bidi::browsing_context::GetTreeOptions top_level;
    top_level.max_depth = 0;
    std::string failure = "started but showed no tab";
    for (;;) {
        bool lost = false;
        try {
            bidi::CallOptions call;
            call.deadline = until(deadline);
            const auto tree = co_await bidi::browsing_context::get_tree(*connection_, top_level, call);
            if (!tree.contexts.empty()) {
                first_context_ = tree.contexts.front().context;
                co_return;
            }
        } catch (const bidi::CancelledError&) {
            throw;
        } catch (const bidi::Error& error) {
            failure = std::string("started but showed no tab: ") + error.what();
            lost = !connection_->is_open();
        }
        if (lost || Clock::now() >= deadline) break;
        pause.expires_after(kFirstContextPause);
        co_await pause.async_wait(asio::use_awaitable);
    }
    co_await fail(std::move(failure));
}

bidi::Task<> Browser::fail(std::string what) {
    // A connection is lost a moment before the process that lost it has ended.
    if (connection_ && !connection_->is_open()) co_await process_->wait_until(Clock::now() + kExitGrace);
    if (process_->exit_status()) co_await process_->drain(kDrainGrace);
    FailedLaunch failed;
    failed.binary = options_.binary;
    failed.what = std::move(what);
    failed.exit = process_->exit_status();
    failed.output_tail = process_->output_tail();
    failed.error_tail = process_->error_tail();
    failed.snap = is_snap(options_.binary);
    throw LaunchError(std::move(failed));
}

bidi::Task<StopReport> Browser::stop(StopMode mode) {
    if (!stopped_) co_await end_uncancelled(mode, false);
    co_return *stopped_;
}

bidi::Task<Profile> Browser::stop_and_keep_profile() {
    if (!stopped_) co_await end_uncancelled(StopMode::polite, true);
    if (stopped_->ended_by != "browser.close") {
        throw Error(ErrorCode::browser, options_.binary.string() + " did not close when it was asked to (ended by " +
                                            stopped_->ended_by + "), so that its profile cannot be used further");
    }
    co_return std::move(profile_);
}

bidi::Task<> Browser::end_uncancelled(StopMode mode, bool keep_profile) {
    // The ladder runs as a task of its own that no cancellation reaches. The state of this one is left as it was, so
    // that its next operation throws if it was cancelled.
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    co_await asio::co_spawn(co_await asio::this_coro::executor, end(mode, keep_profile),
                            asio::bind_cancellation_slot(asio::cancellation_slot(), asio::use_awaitable));
    co_await asio::this_coro::throw_if_cancelled(throws);
}

bidi::Task<> Browser::end(StopMode mode, bool keep_profile) {
    stopped_.emplace();
    if (process_) co_await end_process(mode);
    if (connection_) connection_->abort(std::make_shared<bidi::ClosedError>("the browser was stopped"));
    if (!keep_profile) co_await remove_profile();
    if (process_) {
        stopped_->processes_left = processes();
        std::erase_if(stopped_->processes_left, leaves_by_itself);
    }
}

bidi::Task<> Browser::end_process(StopMode mode) {
    const auto executor = co_await asio::this_coro::executor;
    const auto begin = Clock::now();
    const Deadlines& deadlines = options_.deadlines;
    if (process_->exit_status()) {
        stopped_->ended_by = "itself";
    }
    if (!process_->exit_status() && mode == StopMode::polite && connection_ && connection_->is_open()) {
        using namespace asio::experimental::awaitable_operators;
        const auto refused = std::make_shared<AsyncEvent>(executor);
        asio::co_spawn(executor, ask_to_close(connection_, deadlines.close, refused), asio::detached);
        const auto deadline = begin + deadlines.close;
        co_await (process_->wait_until(deadline) || refused->wait_until(deadline));
        if (process_->exit_status()) stopped_->ended_by = "browser.close";
    }
    if (!process_->exit_status()) {
        process_->signal_group(SIGTERM);
        // A stopped process gets its signals only when it goes on.
        process_->signal_group(SIGCONT);
        if (co_await process_->wait_until(Clock::now() + deadlines.terminate)) stopped_->ended_by = "SIGTERM";
    }
    if (!process_->exit_status()) {
        process_->signal_group(SIGKILL);
        if (co_await process_->wait_until(Clock::now() + deadlines.kill)) stopped_->ended_by = "SIGKILL";
    }
    stopped_->exit = process_->exit_status();
    stopped_->took_ms = ms_since(begin);
}

bidi::Task<> Browser::remove_profile() {
    asio::steady_timer pause(co_await asio::this_coro::executor);
    const fs::path folder = profile_.folder();
    const auto deadline = Clock::now() + options_.deadlines.remove;
    while (!profile_.remove()) {
        if (Clock::now() >= deadline) {
            stopped_->profile_left = folder;
            co_return;
        }
        pause.expires_after(kRemovePause);
        co_await pause.async_wait(asio::use_awaitable);
    }
}

}  // namespace foxbench::browser
