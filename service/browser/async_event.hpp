#pragma once

#include <chrono>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "bidi/task.hpp"

namespace foxbench::browser {

/// Something that happens once, and that any number of coroutines may wait for. Not thread-safe: everything on one
/// executor. It has to outlive those who wait.
class AsyncEvent {
public:
    using Clock = std::chrono::steady_clock;

    explicit AsyncEvent(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
    AsyncEvent(const AsyncEvent&) = delete;
    AsyncEvent& operator=(const AsyncEvent&) = delete;

    /// Wakes everybody who waits and everybody who comes later.
    void set();
    [[nodiscard]] bool is_set() const noexcept { return set_; }

    /// True once it happened, false when `deadline` passed first. Cancellation throws as with any Asio operation.
    [[nodiscard]] bidi::Task<bool> wait_until(Clock::time_point deadline);

private:
    boost::asio::any_io_executor executor_;
    std::vector<boost::asio::steady_timer*> waiters_;
    bool set_ = false;
};

}  // namespace foxbench::browser
