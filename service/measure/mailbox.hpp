#pragma once

#include <chrono>
#include <deque>
#include <exception>
#include <optional>
#include <utility>

#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/task.hpp"

namespace foxbench::measure {

/// What event handlers put in and one coroutine takes out, in order. Not thread-safe: everything on one executor.
template <class T>
class Mailbox {
public:
    explicit Mailbox(const boost::asio::any_io_executor& executor) : wake_(executor) {}

    void put(T item) {
        items_.push_back(std::move(item));
        wake_.cancel();
    }

    /// Whoever takes gets this once the items before it are taken. Only the first failure counts.
    void fail(std::exception_ptr failure) {
        if (!failure_) failure_ = std::move(failure);
        wake_.cancel();
    }

    /// The next item; nothing when none came within `patience`. Throws what `fail` was given, and when the coroutine is
    /// cancelled.
    [[nodiscard]] bidi::Task<std::optional<T>> take(std::chrono::milliseconds patience) {
        const auto give_up_at = std::chrono::steady_clock::now() + patience;
        while (items_.empty() && !failure_) {
            wake_.expires_at(give_up_at);
            boost::system::error_code woken;
            co_await wake_.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
            if (!woken) co_return std::nullopt;
            const boost::asio::cancellation_state state = co_await boost::asio::this_coro::cancellation_state;
            if (state.cancelled() != boost::asio::cancellation_type::none) {
                throw boost::system::system_error(boost::asio::error::operation_aborted);
            }
        }
        if (items_.empty()) std::rethrow_exception(failure_);
        T item = std::move(items_.front());
        items_.pop_front();
        co_return item;
    }

private:
    boost::asio::steady_timer wake_;
    std::deque<T> items_;
    std::exception_ptr failure_;
};

}  // namespace foxbench::measure
