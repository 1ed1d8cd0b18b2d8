#include "bidi/testing/firefox_process.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bidi::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A cold start on a slow disk was seen to take 9 s.
constexpr auto kStartDeadline = 60s;
/// For the kernel to end a process group that was killed.
constexpr auto kKillDeadline = 10s;
/// Helpers of Firefox's outside its group (the crash helper) may write to the profile a little longer.
constexpr int kRemoveAttempts = 30;
constexpr auto kRemovePause = 100ms;

/// What keeps a test's Firefox quiet: no network of its own, no first-run pages.
constexpr std::string_view kPreferences = R"(user_pref("browser.startup.page", 0);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("browser.sessionstore.resume_from_crash", false);
user_pref("toolkit.startup.max_resumed_crashes", -1);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("app.normandy.enabled", false);
user_pref("services.settings.server", "data:,#remote-settings-dummy/v1");
user_pref("network.captive-portal-service.enabled", false);
user_pref("network.connectivity-service.enabled", false);
user_pref("extensions.update.enabled", false);
)";

constexpr std::string_view kListening = "WebDriver BiDi listening on ";

std::string find_firefox() {
    if (const char* chosen = std::getenv("FOXBENCH_FIREFOX")) return chosen;
    const char* path = std::getenv("PATH");
    for (const char* name : {"firefox", "firefox-esr"}) {
        std::istringstream folders(path ? path : "");
        for (std::string folder; std::getline(folders, folder, ':');) {
            const std::string file = folder + "/" + name;
            if (::access(file.c_str(), X_OK) == 0) return file;
        }
    }
    throw std::runtime_error("tests with a real browser need Firefox: install firefox-esr or set FOXBENCH_FIREFOX");
}

fs::path make_folder() {
    std::string pattern = "/var/tmp/bidi-test-XXXXXX";  // not /tmp, which may lie in memory
    if (!::mkdtemp(pattern.data())) throw std::system_error(errno, std::generic_category(), "cannot make " + pattern);
    return pattern;
}

/// In the child, between fork and exec: only what is safe there.
[[noreturn]] void become_firefox(pid_t parent, int output, char* const* arguments, char* const* environment) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126);
    const int null = ::open("/dev/null", O_RDONLY);
    ::dup2(null, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::syscall(SYS_close_range, 3U, ~0U, 0U);
    ::execve(arguments[0], arguments, environment);
    ::_exit(127);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> environment_of_firefox() {
    std::vector<std::string> variables = {"MOZ_CRASHREPORTER=1", "MOZ_CRASHREPORTER_NO_REPORT=1",
                                          "MOZ_CRASHREPORTER_SHUTDOWN=1"};
    for (char** variable = environ; *variable; ++variable) {
        const std::string_view text = *variable;
        if (!text.starts_with("MOZ_CRASHREPORTER") && !text.starts_with("SNAP_")) variables.emplace_back(text);
    }
    return variables;
}

}  // namespace

FirefoxProcess::FirefoxProcess() : folder_(make_folder()) {
    try {
        start();
        await_url();
    } catch (...) {
        stop();
        throw;
    }
}

FirefoxProcess::~FirefoxProcess() {
    stop();
}

void FirefoxProcess::start() {
    const fs::path profile = folder_ / "profile";
    fs::create_directory(profile);
    fs::create_directory(scratch());
    std::ofstream(profile / "user.js") << kPreferences;

    std::vector<std::string> arguments = {find_firefox(), "--headless",    "--no-remote", "--remote-debugging-port=0",
                                          "--profile",    profile.string()};
    std::vector<std::string> variables = environment_of_firefox();
    const std::vector<char*> argv = pointers(arguments);
    const std::vector<char*> envp = pointers(variables);
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ == 0) become_firefox(parent, pipe[1], argv.data(), envp.data());
    ::close(pipe[1]);
    if (pid_ < 0) {
        ::close(pipe[0]);
        throw std::system_error(errno, std::generic_category(), "cannot start " + arguments[0]);
    }
    ::setpgid(pid_, pid_);
    reader_ = std::jthread([this, output = pipe[0]](const std::stop_token& stop) { read_output(stop, output); });
}

void FirefoxProcess::read_output(const std::stop_token& stop, int output) {
    // The pipe's end says nothing about Firefox's, as a helper may hold it, so the reader also ends when told to.
    constexpr int kPollMs = 50;
    std::array<char, 4096> buffer{};
    while (!stop.stop_requested()) {
        pollfd ready{output, POLLIN, 0};
        if (::poll(&ready, 1, kPollMs) <= 0) continue;
        const ssize_t count = ::read(output, buffer.data(), buffer.size());
        if (count <= 0) break;
        const std::lock_guard lock(mutex_);
        log_.append(buffer.data(), static_cast<std::size_t>(count));
        changed_.notify_all();
    }
    ::close(output);
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
}

void FirefoxProcess::await_url() {
    std::unique_lock lock(mutex_);
    const auto found = [this] {
        const auto begin = log_.find(kListening);
        const auto end = log_.find('\n', begin);
        if (begin == std::string::npos || end == std::string::npos) return ended_;
        url_ = log_.substr(begin + kListening.size(), end - begin - kListening.size()) + "/session";
        return true;
    };
    changed_.wait_for(lock, kStartDeadline, found);
    if (url_.empty())
        throw std::runtime_error("Firefox did not begin to listen for WebDriver BiDi; it printed: " + log_);
}

std::optional<int> FirefoxProcess::wait_for_exit(std::chrono::milliseconds deadline) {
    if (pid_ < 0) return std::nullopt;
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
    if (handle < 0) throw std::system_error(errno, std::generic_category(), "pidfd_open");
    pollfd ended{handle, POLLIN, 0};
    const bool over = ::poll(&ended, 1, static_cast<int>(deadline.count())) > 0;
    ::close(handle);
    if (!over) return std::nullopt;
    int status = 0;
    ::waitpid(pid_, &status, 0);
    ::kill(-pid_, SIGKILL);  // content processes that have not noticed yet
    pid_ = -1;
    return status;
}

void FirefoxProcess::stop() {
    if (pid_ > 0) {
        ::kill(-pid_, SIGKILL);
        wait_for_exit(kKillDeadline);
    }
    if (reader_.joinable()) {
        reader_.request_stop();
        reader_.join();
    }
    std::error_code failed;
    for (int attempt = 0; attempt < kRemoveAttempts; ++attempt) {
        fs::remove_all(folder_, failed);
        if (!failed) return;
        std::this_thread::sleep_for(kRemovePause);
    }
}

}  // namespace bidi::testing
