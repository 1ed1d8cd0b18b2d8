#include "service/browser/process.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "service/browser/async_event.hpp"
#include "service/error.hpp"

namespace foxbench::browser {

namespace asio = boost::asio;

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

/// What one read takes at most; a pipe holds 64 KiB.
constexpr std::size_t kReadBytes = std::size_t{64} * 1024;
/// A longer line of stderr is handed on in parts.
constexpr std::size_t kLineBytes = std::size_t{64} * 1024;
/// Signals are 1 to 64 on Linux; the two that cannot be set are skipped by the kernel.
constexpr int kLastSignal = 64;
/// Exit code of a child that found its parent gone before it executed anything.
constexpr int kOrphanedExitCode = 127;

/// An owned descriptor.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~Descriptor() { reset(); }

    [[nodiscard]] int get() const noexcept { return value_; }
    [[nodiscard]] int release() noexcept { return std::exchange(value_, -1); }
    void reset() noexcept {
        if (value_ >= 0) ::close(std::exchange(value_, -1));
    }

private:
    int value_ = -1;
};

/// By number: the header of glibc 2.36 declares it without C linkage, so that C++ does not find it.
int open_pidfd(pid_t pid) noexcept {
    return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
}

[[noreturn]] void fail(const std::string& what, int fault) {
    throw Error(ErrorCode::environment, what + ": " + std::strerror(fault));
}

/// Out of the way of the standard streams, which may be closed in a daemon, so that dup2 in the child never overwrites
/// one.
Descriptor above_standard_streams(int descriptor) {
    Descriptor original(descriptor);
    if (descriptor > STDERR_FILENO) return original;
    Descriptor moved(::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (moved.get() < 0) fail("cannot start a process: no descriptor", errno);
    return moved;
}

struct Pipe {
    Descriptor read, write;

    static Pipe make() {
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot start a process: no pipe", errno);
        Descriptor second(ends[1]);
        Pipe pipe;
        pipe.read = above_standard_streams(ends[0]);
        pipe.write = above_standard_streams(second.release());
        return pipe;
    }
};

/// What the child tells when it cannot become the program: which step failed, and errno.
struct ExecFailure {
    int step;
    int fault;
};
constexpr std::array<const char*, 5> kSteps{"setpgid", "prctl", "sched_setaffinity", "dup2", "exec"};
enum Step { set_group, die_with_parent, pin, redirect, execute };

/// Everything the child needs, made before fork: between fork and exec only async-signal-safe functions may be called,
/// so there is no memory to be had.
struct ChildPlan {
    const char* executable;
    char* const* arguments;
    char* const* environment;
    int input, output, error, failure;
    pid_t parent;
    int descriptor_limit;
    const cpu_set_t* processors;  ///< null: as the parent
};

[[noreturn]] void report_and_exit(const ChildPlan& plan, Step step) noexcept {
    const ExecFailure failure{step, errno};
    static_cast<void>(::write(plan.failure, &failure, sizeof failure) == 0);
    ::_exit(kOrphanedExitCode);
}

/// All descriptors but the standard streams go at exec, among them sockets of this process that must not stay open
/// elsewhere.
void close_others_at_exec(const ChildPlan& plan) noexcept {
    if (::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC) == 0) return;
    // Before Linux 5.11.
    for (int descriptor = STDERR_FILENO + 1; descriptor < plan.descriptor_limit; ++descriptor) {
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    }
}

/// Of a set of which it may have only a part the kernel takes that part and says nothing: what came of it is compared.
bool pin_to(const cpu_set_t& processors) noexcept {
    cpu_set_t got;
    if (::sched_setaffinity(0, sizeof processors, &processors) != 0) return false;
    if (::sched_getaffinity(0, sizeof got, &got) != 0) return false;
    if (CPU_EQUAL(&got, &processors)) return true;
    errno = EINVAL;
    return false;
}

[[noreturn]] void become(const ChildPlan& plan) noexcept {
    if (::setpgid(0, 0) != 0) report_and_exit(plan, set_group);
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) report_and_exit(plan, die_with_parent);
    // The parent may have ended before the kernel was told to watch it.
    if (::getppid() != plan.parent) ::_exit(kOrphanedExitCode);
    if (plan.processors != nullptr && !pin_to(*plan.processors)) report_and_exit(plan, pin);
    if (::dup2(plan.input, STDIN_FILENO) < 0 || ::dup2(plan.output, STDOUT_FILENO) < 0 ||
        ::dup2(plan.error, STDERR_FILENO) < 0) {
        report_and_exit(plan, redirect);
    }
    close_others_at_exec(plan);

    // Handlers go at exec by themselves, but an ignored signal would stay ignored. Signals were blocked over the fork,
    // so that no handler of the parent's ran in here.
    struct sigaction standard {};
    standard.sa_handler = SIG_DFL;
    for (int signal = 1; signal <= kLastSignal; ++signal) ::sigaction(signal, &standard, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);

    ::execve(plan.executable, plan.arguments, plan.environment);
    report_and_exit(plan, execute);
}

pid_t fork_with_signals_blocked(const ChildPlan& plan) {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t pid = ::fork();
    if (pid == 0) become(plan);
    const int fault = errno;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (pid < 0) fail("cannot start a process: fork", fault);
    return pid;
}

/// Waits for the child's exec: nothing comes, since the pipe closes at exec, or why it failed.
std::optional<ExecFailure> wait_for_exec(int failure_pipe) {
    ExecFailure failure{};
    ssize_t count = 0;
    do {
        count = ::read(failure_pipe, &failure, sizeof failure);
    } while (count < 0 && errno == EINTR);
    if (count != static_cast<ssize_t>(sizeof failure)) return std::nullopt;
    return failure;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

void reap_blocking(pid_t pid, siginfo_t* info, int flags) noexcept {
    while (::waitid(P_PID, static_cast<id_t>(pid), info, WEXITED | flags) != 0 && errno == EINTR) {
    }
}

/// Kills what is left of a group and reaps its leader. The leader is a zombie until the last step, so that its number,
/// which is the group's, cannot be anybody else's yet.
ExitStatus end_group(pid_t pid) noexcept {
    siginfo_t info{};
    reap_blocking(pid, &info, WNOWAIT);
    ::kill(-pid, SIGKILL);
    reap_blocking(pid, &info, 0);
    if (info.si_code == CLD_EXITED) return {info.si_status, std::nullopt};
    return {std::nullopt, info.si_status};
}

/// One stream of the child, read until its end.
struct Stream {
    Stream(asio::any_io_executor executor, Descriptor read_end, std::size_t tail_bytes)
        : pipe(executor, read_end.release()), tail(tail_bytes), ended(executor) {}

    asio::posix::stream_descriptor pipe;
    Tail tail;
    AsyncEvent ended;
    std::string unfinished_line;
    std::function<void(std::string_view)> on_line;

    void take(std::string_view bytes) {
        tail.append(bytes);
        if (!on_line) return;
        unfinished_line += bytes;
        std::size_t start = 0;
        for (std::size_t end; (end = unfinished_line.find('\n', start)) != std::string::npos; start = end + 1) {
            on_line(std::string_view(unfinished_line).substr(start, end - start));
        }
        unfinished_line.erase(0, start);
        if (unfinished_line.size() > kLineBytes) on_line(std::exchange(unfinished_line, {}));
    }
};

}  // namespace

std::string ExitStatus::describe() const {
    if (code) return "exit code " + std::to_string(*code);
    if (!signal) return "unknown";
    const char* name = ::sigabbrev_np(*signal);
    return "signal " + std::to_string(*signal) + (name ? " (SIG" + std::string(name) + ")" : "");
}

void Tail::append(std::string_view bytes) {
    total_ += bytes.size();
    kept_ += bytes;
    // Twice the limit is kept before cutting, so that a long stream is not moved with every read.
    if (kept_.size() > 2 * limit_) kept_.erase(0, kept_.size() - limit_);
}

std::string Tail::text() const {
    if (total_ <= limit_) return kept_;
    std::string text = kept_.substr(kept_.size() > limit_ ? kept_.size() - limit_ : 0);
    const auto line_end = text.find('\n');
    return line_end == std::string::npos ? text : text.substr(line_end + 1);
}

struct Process::State {
    State(const asio::any_io_executor& executor, pid_t child, Descriptor pidfd, Descriptor out, Descriptor err,
          std::size_t tail_bytes)
        : pid(child),
          exit_descriptor(executor, pidfd.release()),
          output(executor, std::move(out), tail_bytes),
          error(executor, std::move(err), tail_bytes),
          ended(executor) {}

    pid_t pid;
    std::optional<ExitStatus> status;
    asio::posix::stream_descriptor exit_descriptor;
    Stream output, error;
    AsyncEvent ended;

    void finish() noexcept {
        if (!status) status = end_group(pid);
        ended.set();
    }

    static bidi::Task<> read_all(std::shared_ptr<State> state, Stream State::*which) {
        Stream& stream = (*state).*which;
        std::vector<char> buffer(kReadBytes);
        for (;;) {
            const auto [error, count] = co_await stream.pipe.async_read_some(asio::buffer(buffer), kNoThrow);
            if (error) break;
            stream.take({buffer.data(), count});
        }
        stream.ended.set();
    }

    static bidi::Task<> watch(std::shared_ptr<State> state) {
        const auto [error] =
            co_await state->exit_descriptor.async_wait(asio::posix::descriptor_base::wait_read, kNoThrow);
        if (!error) state->finish();
    }

    static bidi::Task<std::optional<ExitStatus>> wait_until(std::shared_ptr<State> state,
                                                            std::chrono::steady_clock::time_point deadline) {
        co_await state->ended.wait_until(deadline);
        co_return state->status;
    }

    static bidi::Task<> drain(std::shared_ptr<State> state, std::chrono::milliseconds at_most) {
        const auto deadline = std::chrono::steady_clock::now() + at_most;
        co_await state->error.ended.wait_until(deadline);
        co_await state->output.ended.wait_until(deadline);
    }
};

std::unique_ptr<Process> Process::spawn(asio::any_io_executor executor, ProcessOptions options) {
    std::vector<std::string> arguments{options.executable.string()};
    arguments.insert(arguments.end(), options.arguments.begin(), options.arguments.end());
    std::vector<std::string> environment;
    for (const auto& [name, value] : options.environment) environment.push_back(name + "=" + value);
    const std::vector<char*> argument_pointers = pointers_to(arguments);
    const std::vector<char*> environment_pointers = pointers_to(environment);

    Descriptor input = above_standard_streams(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (input.get() < 0) fail("cannot start a process: /dev/null", errno);
    Pipe output = Pipe::make(), error = Pipe::make(), failure = Pipe::make();
    cpu_set_t processors;
    CPU_ZERO(&processors);
    for (const int processor : options.processors) CPU_SET(processor, &processors);
    const ChildPlan plan{options.executable.c_str(),
                         argument_pointers.data(),
                         environment_pointers.data(),
                         input.get(),
                         output.write.get(),
                         error.write.get(),
                         failure.write.get(),
                         ::getpid(),
                         static_cast<int>(::sysconf(_SC_OPEN_MAX)),
                         options.processors.empty() ? nullptr : &processors};
    const pid_t pid = fork_with_signals_blocked(plan);
    output.write.reset();
    error.write.reset();
    failure.write.reset();

    if (const auto failed = wait_for_exec(failure.read.get())) {
        end_group(pid);
        fail("cannot execute " + options.executable.string() + " (" + kSteps[static_cast<std::size_t>(failed->step)] +
                 ")",
             failed->fault);
    }
    Descriptor pidfd = above_standard_streams(open_pidfd(pid));
    if (pidfd.get() < 0) {
        const int fault = errno;
        ::kill(-pid, SIGKILL);
        end_group(pid);
        fail("cannot watch process " + std::to_string(pid) + " (pidfd_open needs Linux 5.3)", fault);
    }
    ::fcntl(pidfd.get(), F_SETFD, FD_CLOEXEC);

    auto state = std::make_shared<State>(executor, pid, std::move(pidfd), std::move(output.read), std::move(error.read),
                                         options.tail_bytes);
    state->error.on_line = std::move(options.on_error_line);
    asio::co_spawn(executor, State::read_all(state, &State::output), asio::detached);
    asio::co_spawn(executor, State::read_all(state, &State::error), asio::detached);
    asio::co_spawn(executor, State::watch(state), asio::detached);
    return std::unique_ptr<Process>(new Process(std::move(state)));
}

Process::Process(std::shared_ptr<State> state) noexcept : state_(std::move(state)) {}

Process::~Process() {
    kill_now();
    // Ends the coroutines: a grandchild that holds the pipes must not keep the loop busy.
    boost::system::error_code ignored;
    state_->error.on_line = nullptr;
    state_->exit_descriptor.close(ignored);
    state_->output.pipe.close(ignored);
    state_->error.pipe.close(ignored);
}

pid_t Process::pid() const noexcept {
    return state_->pid;
}

std::optional<ExitStatus> Process::exit_status() const noexcept {
    return state_->status;
}

bidi::Task<std::optional<ExitStatus>> Process::wait_until(std::chrono::steady_clock::time_point deadline) const {
    return State::wait_until(state_, deadline);
}

bidi::Task<> Process::drain(std::chrono::milliseconds at_most) const {
    return State::drain(state_, at_most);
}

void Process::signal_group(int signal) noexcept {
    if (!state_->status) ::kill(-state_->pid, signal);
}

void Process::kill_now() noexcept {
    signal_group(SIGKILL);
    state_->finish();
}

std::string Process::output_tail() const {
    return state_->output.tail.text();
}

std::string Process::error_tail() const {
    return state_->error.tail.text();
}

}  // namespace foxbench::browser
