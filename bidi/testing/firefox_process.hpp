#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <sys/types.h>

namespace bidi::testing {

/// A headless Firefox for tests, with a new profile on a real disk, in a process group of its own; it dies with the
/// thread that started it. Blocking, and for one thread.
class FirefoxProcess {
public:
    /// Starts $FOXBENCH_FIREFOX, or the first of `firefox` and `firefox-esr` on the PATH, and waits until it listens.
    /// Throws std::runtime_error, with what Firefox printed, if it does not.
    FirefoxProcess();
    FirefoxProcess(const FirefoxProcess&) = delete;
    FirefoxProcess& operator=(const FirefoxProcess&) = delete;
    /// Kills what still runs of the process group, waits for it, removes the profile.
    ~FirefoxProcess();

    /// `ws://127.0.0.1:PORT/session`
    const std::string& url() const { return url_; }
    pid_t pid() const { return pid_; }
    /// An empty folder for the test's own files, e.g. downloads; removed together with the profile.
    std::filesystem::path scratch() const { return folder_ / "scratch"; }

    /// Waits for the process to end by itself. Its wait status (see waitpid), or nothing if it still runs after
    /// `deadline`.
    std::optional<int> wait_for_exit(std::chrono::milliseconds deadline);

private:
    void start();
    void read_output(const std::stop_token& stop, int output);
    void await_url();
    void stop();

    std::filesystem::path folder_;
    pid_t pid_ = -1;
    std::string url_;

    std::mutex mutex_;  // guards log_ and ended_, which the reader writes
    std::condition_variable changed_;
    std::string log_;
    bool ended_ = false;
    std::jthread reader_;  // stopped first, as it uses the rest
};

}  // namespace bidi::testing
