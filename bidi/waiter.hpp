#pragma once

#include <exception>
#include <utility>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/dispatch.hpp>

#include "bidi/json.hpp"
#include "bidi/pending_table.hpp"

namespace bidi {

/// A suspended coroutine (or any other completion handler of Asio) that waits for its answer. It is resumed on its own
/// executor, at once if that is where the answer came in. Destroyed without being completed, it destroys the coroutine.
template <class Handler>
class Waiter final : public Completion {
public:
    Waiter(Handler handler, boost::asio::any_io_executor executor)
        : handler_(std::move(handler)), executor_(boost::asio::get_associated_executor(handler_, executor)) {}

    void complete(std::exception_ptr error, json result) override {
        if (auto slot = boost::asio::get_associated_cancellation_slot(handler_); slot.is_connected()) slot.clear();
        boost::asio::dispatch(
            executor_, [handler = std::move(handler_), error = std::move(error), result = std::move(result)]() mutable {
                std::move(handler)(std::move(error), std::move(result));
            });
    }

private:
    Handler handler_;
    boost::asio::any_io_executor executor_;
};

}  // namespace bidi
