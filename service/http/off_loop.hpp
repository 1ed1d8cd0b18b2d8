#pragma once

#include <type_traits>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/task.hpp"

namespace foxbench::http {

/// Does `work` on the pool's executor and comes back to the caller's; in place where it is not worth the way or there
/// is no pool. What `work` refers to has to live until then.
template <class Work>
[[nodiscard]] bidi::Task<std::invoke_result_t<Work>> off_loop(boost::asio::any_io_executor pool, bool worth,
                                                              Work work) {
    using Result = std::invoke_result_t<Work>;
    if (!worth || !pool) co_return work();
    auto on_pool = [](Work inner) -> bidi::Task<Result> { co_return inner(); };
    co_return co_await boost::asio::co_spawn(pool, on_pool(std::move(work)), boost::asio::use_awaitable);
}

}  // namespace foxbench::http
