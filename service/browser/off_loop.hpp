#pragma once

#include <type_traits>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/task.hpp"

namespace foxbench::browser {

/// Does blocking work on a thread of its own, while the event loop goes on; yields its result or throws what it threw.
/// A task that is cancelled meanwhile waits for the work all the same, since a thread cannot be interrupted. The result
/// has to be default constructible.
template <class Work>
bidi::Task<std::invoke_result_t<Work>> off_loop(Work work) {
    using Result = std::invoke_result_t<Work>;
    boost::asio::thread_pool thread(1);
    const auto in_thread = [](Work task) -> bidi::Task<Result> { co_return task(); };
    co_return co_await boost::asio::co_spawn(
        thread, in_thread(std::move(work)),
        boost::asio::bind_cancellation_slot(boost::asio::cancellation_slot(), boost::asio::use_awaitable));
}

}  // namespace foxbench::browser
