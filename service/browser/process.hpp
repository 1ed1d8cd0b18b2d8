#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <sys/types.h>

#include "bidi/task.hpp"

namespace foxbench::browser {

/// How a process ended.
struct ExitStatus {
    std::optional<int> code;    ///< when it exited by itself
    std::optional<int> signal;  ///< when a signal ended it

    /// "exit code 1", "signal 11 (SIGSEGV)".
    [[nodiscard]] std::string describe() const;
};

/// The last bytes of a stream.
class Tail {
public:
    /// 64 KiB hold the last thousand lines of a browser's log, and a run can afford them for each launch.
    static constexpr std::size_t kDefaultLimitBytes = std::size_t{64} * 1024;

    explicit Tail(std::size_t limit_bytes = kDefaultLimitBytes) : limit_(limit_bytes) {}

    void append(std::string_view bytes);
    /// What is kept, oldest first; begins at a line's start when older bytes were dropped.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::size_t total_bytes() const noexcept { return total_; }

private:
    std::size_t limit_;
    std::size_t total_ = 0;
    std::string kept_;
};

struct ProcessOptions {
    std::filesystem::path executable;                ///< absolute
    std::vector<std::string> arguments;              ///< without the program's name
    std::map<std::string, std::string> environment;  ///< all of it; nothing is inherited
    /// Processors that it and everything it starts may run on, by number up to text::kMaxProcessor; empty: as this
    /// process.
    std::vector<int> processors;
    std::size_t tail_bytes = Tail::kDefaultLimitBytes;
    std::function<void(std::string_view line)> on_error_line;  ///< each line of stderr as it comes, without its end
};

/// A child process in a process group of its own that dies with this one.
///
/// Both output streams are read all the time, so that the child never blocks on them; their tails are kept. When the
/// leader ends, what is left of its group is killed, and it is reaped, exactly once. Not thread-safe: everything on the
/// executor's one thread, which has to live as long as the child, since the kernel kills the child when the thread that
/// forked it ends (prctl(2), PR_SET_PDEATHSIG).
class Process {
public:
    /// Starts the program. Returns once it was executed, as posix_spawn does. Throws foxbench::Error (environment) with
    /// the system's text when it cannot be, also when it may not have one of the processors it should run on.
    [[nodiscard]] static std::unique_ptr<Process> spawn(boost::asio::any_io_executor executor, ProcessOptions options);

    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    /// Kills the group and reaps the leader if that has not happened: the last resort, it blocks until the kernel is
    /// done.
    ~Process();

    /// The leader's, and its group's number.
    [[nodiscard]] pid_t pid() const noexcept;
    /// How it ended; nothing while it runs.
    [[nodiscard]] std::optional<ExitStatus> exit_status() const noexcept;

    /// Waits for the leader's end, not for the streams': a grandchild outside the group may hold those. Nothing when
    /// `deadline` passed first.
    [[nodiscard]] bidi::Task<std::optional<ExitStatus>> wait_until(
        std::chrono::steady_clock::time_point deadline) const;
    /// Waits until everything that was written before the end was read, or `at_most` has passed.
    [[nodiscard]] bidi::Task<> drain(std::chrono::milliseconds at_most) const;

    /// Sends a signal to the whole group. Does nothing after the end, since the number may then be another's.
    void signal_group(int signal) noexcept;

    /// Kills the group and waits for its end, blocking. Does nothing after the end.
    void kill_now() noexcept;

    [[nodiscard]] std::string output_tail() const;
    [[nodiscard]] std::string error_tail() const;

private:
    struct State;
    explicit Process(std::shared_ptr<State> state) noexcept;

    std::shared_ptr<State> state_;
};

}  // namespace foxbench::browser
