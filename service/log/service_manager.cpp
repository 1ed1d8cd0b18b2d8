#include "service/log/service_manager.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

namespace foxbench::log {
namespace {

/// `systemctl status` shows one line; a longer one would be cut there.
constexpr std::size_t kMaxStatusBytes = 200;

std::string monotonic_microseconds() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::to_string(static_cast<long long>(now.tv_sec) * 1'000'000 + now.tv_nsec / 1'000);
}

/// The watchdog's time where it is meant for this process (sd_watchdog_enabled(3)).
std::optional<std::chrono::microseconds> watchdog_from_environment() {
    const auto number = [](const char* variable) -> std::optional<long long> {
        const char* text = std::getenv(variable);
        if (!text) return std::nullopt;
        long long value = 0;
        const char* end = text + std::strlen(text);
        const auto [stop, error] = std::from_chars(text, end, value);
        if (error != std::errc{} || stop != end || value <= 0) return std::nullopt;
        return value;
    };
    if (const auto pid = number("WATCHDOG_PID"); pid && *pid != ::getpid()) return std::nullopt;
    const auto time = number("WATCHDOG_USEC");
    return time ? std::optional(std::chrono::microseconds(*time)) : std::nullopt;
}

}  // namespace

ServiceManager ServiceManager::from_environment() {
    const char* socket = std::getenv("NOTIFY_SOCKET");
    return ServiceManager(socket ? socket : "", watchdog_from_environment());
}

ServiceManager::ServiceManager(std::string socket, std::optional<std::chrono::microseconds> watchdog)
    : socket_(std::move(socket)), watchdog_(watchdog) {}

bool ServiceManager::ready(std::string_view status) const noexcept {
    return send("READY=1", status);
}

bool ServiceManager::reloading() const noexcept {
    try {
        // The time is what Type=notify-reload asks for.
        return send("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds(), {});
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool ServiceManager::stopping(std::string_view status, std::chrono::microseconds may_take) const noexcept {
    try {
        std::string message = "STOPPING=1";
        if (may_take > may_take.zero()) message += "\nEXTEND_TIMEOUT_USEC=" + std::to_string(may_take.count());
        return send(message, status);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

bool ServiceManager::status(std::string_view text) const noexcept {
    return send({}, text);
}

bool ServiceManager::watchdog() const noexcept {
    return send("WATCHDOG=1", {});
}

std::optional<std::chrono::microseconds> ServiceManager::watchdog_interval() const noexcept {
    if (!watchdog_ || socket_.empty()) return std::nullopt;
    return *watchdog_ / 2;
}

bool ServiceManager::send(std::string_view assignments, std::string_view status) const noexcept try {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const bool abstract = socket_.starts_with('@');
    if ((!abstract && !socket_.starts_with('/')) || socket_.size() >= sizeof address.sun_path) return false;
    std::ranges::copy(socket_, address.sun_path);
    if (abstract) address.sun_path[0] = '\0';
    // An abstract name is all of its bytes; a path ends with a zero byte, which is there already.
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size() + (abstract ? 0 : 1));

    std::string message(assignments);
    if (!status.empty()) {
        if (!message.empty()) message += '\n';
        message += "STATUS=";
        // A line end would begin another assignment.
        for (const char c : status.substr(0, kMaxStatusBytes))
            message += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }

    const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return false;
    const auto sent = ::sendto(descriptor, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                               reinterpret_cast<const sockaddr*>(&address), length);
    ::close(descriptor);
    return sent == static_cast<ssize_t>(message.size());
} catch (const std::bad_alloc&) {
    return false;
}

}  // namespace foxbench::log
