#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "bidi/task.hpp"

namespace bidi::testing {

/// No test may hang: far beyond what any of them needs, also under a sanitizer on a busy machine.
inline constexpr std::chrono::seconds kHangBound{60};

/// Runs the loop until the task has ended; gives its result or throws what it threw. Other work of the loop may remain.
/// @throws std::runtime_error when the loop has nothing left to do, or the bound is reached, before the task has ended
template <class T>
T run(boost::asio::io_context& io, Task<T> task, std::chrono::seconds bound = kHangBound) {
    bool done = false;
    std::exception_ptr failure;
    std::conditional_t<std::is_void_v<T>, std::optional<int>, std::optional<T>> result;
    const auto finish = [&done, &failure](std::exception_ptr error) {
        done = true;
        failure = std::move(error);
    };
    if constexpr (std::is_void_v<T>) {
        boost::asio::co_spawn(io, std::move(task), finish);
    } else {
        boost::asio::co_spawn(io, std::move(task), [&result, finish](std::exception_ptr error, T value) {
            if (!error) result.emplace(std::move(value));
            finish(std::move(error));
        });
    }
    const auto give_up_at = std::chrono::steady_clock::now() + bound;
    io.restart();
    while (!done && io.run_one_until(give_up_at) != 0) {
    }
    if (!done) throw std::runtime_error("the task did not end: it hangs, or nothing is left that could resume it");
    if (failure) std::rethrow_exception(failure);
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace bidi::testing
