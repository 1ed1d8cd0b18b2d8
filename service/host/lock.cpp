#include "service/host/lock.hpp"

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/error.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::host {

namespace fs = std::filesystem;

namespace {

/// Half of it is what a waiting job loses on average: nothing beside a measurement, which takes seconds.
constexpr std::chrono::milliseconds kPollInterval{200};

/// Opens the lock file, made if it is not there. flock(2) needs no right to write, and another user's file in a folder
/// like /run/lock must not be opened with O_CREAT (fs.protected_regular), so that is tried last.
int open_lock_file(const fs::path& file) noexcept {
    constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW;
    int descriptor = ::open(file.c_str(), O_RDWR | kFlags);
    if (descriptor < 0 && errno == EACCES) descriptor = ::open(file.c_str(), O_RDONLY | kFlags);
    if (descriptor < 0 && errno == ENOENT) {
        descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | kFlags, 0666);
        // Whatever the umask is: another user's foxbench writes its pid into the same file.
        if (descriptor >= 0) static_cast<void>(::fchmod(descriptor, 0666));
    }
    return descriptor;
}

/// Only for people to read, so failing to write it is no failure to lock.
void write_holder(int descriptor) noexcept {
    const std::string text = std::to_string(::getpid()) + "\n";
    if (::ftruncate(descriptor, 0) == 0) static_cast<void>(::pwrite(descriptor, text.data(), text.size(), 0) == 0);
}

std::optional<pid_t> read_holder(const fs::path& file) {
    const auto text = read_text(file);
    if (!text) return std::nullopt;
    const std::string_view digits = trimmed(*text);
    pid_t pid = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
    if (fault != std::errc{} || end != digits.data() + digits.size() || pid <= 0) return std::nullopt;
    return pid;
}

}  // namespace

HostLock::HostLock(int descriptor, fs::path file) noexcept : descriptor_(descriptor), file_(std::move(file)) {}

HostLock::HostLock(HostLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), file_(std::move(other.file_)) {}

HostLock& HostLock::operator=(HostLock&& other) noexcept {
    if (this != &other) {
        release();
        descriptor_ = std::exchange(other.descriptor_, -1);
        file_ = std::move(other.file_);
    }
    return *this;
}

HostLock::~HostLock() {
    release();
}

void HostLock::release() noexcept {
    if (descriptor_ < 0) return;
    // The pid goes before the lock does, so that nobody is ever told of a holder that is none.
    static_cast<void>(::ftruncate(descriptor_, 0) == 0);
    ::close(std::exchange(descriptor_, -1));
}

std::optional<HostLock> HostLock::try_acquire(const fs::path& file) {
    const int descriptor = open_lock_file(file);
    if (descriptor < 0) {
        throw Error(ErrorCode::environment, "cannot open the lock file " + file.string() + ": " + std::strerror(errno) +
                                                "; set `lock:` in the configuration to a file that can be written");
    }
    HostLock lock(descriptor, file);
    int result = 0;
    do {
        result = ::flock(descriptor, LOCK_EX | LOCK_NB);
    } while (result != 0 && errno == EINTR);
    if (result == 0) {
        write_holder(descriptor);
        return lock;
    }
    const int fault = errno;
    ::close(std::exchange(lock.descriptor_, -1));  // without taking the holder's pid away
    if (fault == EWOULDBLOCK) return std::nullopt;
    throw Error(ErrorCode::environment, "cannot lock " + file.string() + ": " + std::strerror(fault));
}

bidi::Task<HostLock> acquire_host_lock(fs::path file, std::function<void(std::optional<pid_t>)> on_wait) {
    boost::asio::steady_timer timer(co_await boost::asio::this_coro::executor);
    bool told = false;
    std::optional<pid_t> last_holder;
    for (;;) {
        if (auto lock = HostLock::try_acquire(file)) co_return std::move(*lock);
        const auto holder = read_holder(file);
        if (on_wait && (!told || (holder && holder != last_holder))) on_wait(holder);
        told = true;
        if (holder) last_holder = holder;
        timer.expires_after(kPollInterval);
        co_await timer.async_wait(boost::asio::use_awaitable);
    }
}

fs::path default_lock_path() {
    constexpr const char* kName = "foxbench.lock";
    const auto usable = [](const fs::path& file) {
        const int descriptor = open_lock_file(file);
        if (descriptor >= 0) ::close(descriptor);
        return descriptor >= 0;
    };
    if (fs::path file = fs::path("/run/lock") / kName; usable(file)) return file;
    if (const char* folder = std::getenv("XDG_RUNTIME_DIR"); folder && *folder) {
        if (fs::path file = fs::path(folder) / kName; usable(file)) return file;
    }
    return fs::path("/tmp") / ("foxbench-" + std::to_string(::getuid()) + ".lock");
}

}  // namespace foxbench::host
