#pragma once

#include <boost/asio/awaitable.hpp>

namespace bidi {

/// What every asynchronous function of the library returns: a lazily started coroutine that yields a T or throws a
/// `bidi::Error`. It runs on the executor of the coroutine that awaits it.
template <class T = void>
using Task = boost::asio::awaitable<T>;

}  // namespace bidi
