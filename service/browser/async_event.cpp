#include "service/browser/async_event.hpp"

#include <algorithm>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

namespace foxbench::browser {

void AsyncEvent::set() {
    set_ = true;
    for (boost::asio::steady_timer* timer : waiters_) timer->cancel();
}

bidi::Task<bool> AsyncEvent::wait_until(Clock::time_point deadline) {
    if (set_) co_return true;
    boost::asio::steady_timer timer(executor_, deadline);

    /// Takes the timer off the list also when the coroutine is destroyed while it waits.
    struct Enlisted {
        std::vector<boost::asio::steady_timer*>& list;
        boost::asio::steady_timer* timer;
        ~Enlisted() { std::erase(list, timer); }
    };
    waiters_.push_back(&timer);
    const Enlisted enlisted{waiters_, &timer};

    const auto [error] = co_await timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    if (set_) co_return true;
    if (error) throw boost::system::system_error(error);
    co_return false;
}

}  // namespace foxbench::browser
