#pragma once

#include <type_traits>
#include <utility>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/task.hpp"

namespace foxbench::run {

/// Does `work` on the pool's threads and comes back to the calling coroutine's executor with its result or exception.
/// For everything that would hold up the event loop: SQLite, compression, hashing, rendering. What `work` refers to has
/// to live until then. No cancellation reaches the work, which could not heed it; it is seen by what the caller awaits
/// next.
template <class Work>
[[nodiscard]] bidi::Task<std::invoke_result_t<Work>> offload(boost::asio::thread_pool& pool, Work work) {
    using Result = std::invoke_result_t<Work>;
    auto on_pool = [](Work inner) -> bidi::Task<Result> { co_return inner(); };
    co_return co_await boost::asio::co_spawn(
        pool.get_executor(), on_pool(std::move(work)),
        boost::asio::bind_cancellation_slot(boost::asio::cancellation_slot(), boost::asio::use_awaitable));
}

}  // namespace foxbench::run
