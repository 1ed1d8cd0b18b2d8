#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "bidi/task.hpp"
#include "service/notify/delivery.hpp"
#include "service/notify/payload.hpp"
#include "service/notify/poster.hpp"

namespace foxbench::notify {

struct WebhooksOptions {
    PosterOptions poster;
    /// Told after each attempt, once it is recorded: for logs and metrics.
    std::function<void(const Delivery&)> on_attempt;
    /// Wall clock, milliseconds since 1970; and the schedule of retries. Tests put others in their place.
    std::function<std::int64_t()> now_ms;
    std::function<std::optional<std::chrono::milliseconds>(int attempts)> back_off = next_attempt;
};

/// Sends the messages of a log to webhooks: at least once each, across restarts, until the receiver answers with 2xx or
/// the retries are used up. Whoever adds one to the log says wake(). Headers: X-Foxbench-Event, X-Foxbench-Delivery
/// and, with a secret, X-Foxbench-Signature.
///
/// Lives on one executor's thread; the log is used on the pool. After stop() and the end of run() nothing refers to the
/// log or the pool any more.
class Webhooks {
public:
    Webhooks(boost::asio::any_io_executor executor, boost::asio::thread_pool& pool, DeliveryLog& log,
             WebhooksOptions options = {});
    Webhooks(const Webhooks&) = delete;
    Webhooks& operator=(const Webhooks&) = delete;
    ~Webhooks();  ///< does stop()

    /// Replaces the list; messages to webhooks that are not in it any more are given up at their next attempt. A
    /// webhook that is the only one with its url gets the messages to this url whatever secret they were meant to be
    /// signed with, so that its secret may move to another file.
    void configure(std::vector<Webhook> webhooks);

    /// There may be a new message in the log.
    void wake();

    /// Sends what is due, now and later, until stop(). Start it once.
    [[nodiscard]] bidi::Task<> run();

    /// Abandons what is being sent (it is sent again after the next start) and lets run() end. Idempotent.
    void stop();

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace foxbench::notify
