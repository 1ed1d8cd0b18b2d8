#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace foxbench::log {

/// Tells the service manager that started this process how it is doing: systemd's notification protocol, one datagram
/// a message to the socket named in $NOTIFY_SOCKET (sd_notify(3), "Notes"). Where nobody listens every call does
/// nothing.
///
/// The functions never throw and never wait; they answer whether the message was handed over. From any thread.
class ServiceManager {
public:
    /// What $NOTIFY_SOCKET and $WATCHDOG_USEC say. Read it once, at the start.
    [[nodiscard]] static ServiceManager from_environment();

    /// `socket` is a path, an abstract name that begins with '@', or empty: nobody listens.
    explicit ServiceManager(std::string socket, std::optional<std::chrono::microseconds> watchdog = std::nullopt);

    /// The start, or a reload, is done.
    bool ready(std::string_view status = {}) const noexcept;
    /// A reload begins; ready() ends it.
    bool reloading() const noexcept;
    /// The shutdown begins, and may take so long: the manager waits until then where its own limit is shorter. Zero:
    /// the manager's limit holds.
    bool stopping(std::string_view status = {}, std::chrono::microseconds may_take = {}) const noexcept;
    /// One line for `systemctl status`.
    bool status(std::string_view text) const noexcept;
    /// Still alive; see watchdog_interval().
    bool watchdog() const noexcept;

    /// How often watchdog() is to be called: half of what the manager waits before it kills the process. Nothing where
    /// it does not watch.
    [[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval() const noexcept;

    /// Whether there is a manager to tell.
    [[nodiscard]] bool listens() const noexcept { return !socket_.empty(); }

private:
    bool send(std::string_view assignments, std::string_view status) const noexcept;

    std::string socket_;
    std::optional<std::chrono::microseconds> watchdog_;
};

}  // namespace foxbench::log
