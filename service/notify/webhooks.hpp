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
#include "service/document/run_document.hpp"
#include "service/notify/delivery.hpp"
#include "service/notify/poster.hpp"

namespace foxbench::notify {

/// Whom to tell of which runs.
struct Webhook {
    std::string url;
    std::string secret;                  ///< key of the signature; empty: messages are not signed
    std::vector<document::RunState> on;  ///< the states to tell of
};

struct WebhooksOptions {
    std::string base_url;  ///< of the links in messages, see run_finished()
    PosterOptions poster;
    /// Told after each attempt, once it is recorded: for logs and metrics.
    std::function<void(const Delivery&)> on_attempt;
    /// Wall clock, milliseconds since 1970; and the schedule of retries. Tests put others in their place.
    std::function<std::int64_t()> now_ms;
    std::function<std::optional<std::chrono::milliseconds>(int attempts)> back_off = next_attempt;
};

/// Tells webhooks of finished runs: at least once each, across restarts, until the receiver answers with 2xx or the
/// retries are used up. Headers: X-Foxbench-Event, X-Foxbench-Delivery and, with a secret, X-Foxbench-Signature.
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

    /// Replaces the list; messages to addresses that are not in it any more are given up at their next attempt.
    void configure(std::vector<Webhook> webhooks);

    /// Records a message for each webhook that wants to know of this state, and has them sent. Returns how many, once
    /// they are recorded. Throws what the log throws.
    [[nodiscard]] bidi::Task<std::size_t> run_finished(const document::RunDocument& run);

    /// Sends what is due, now and later, until stop(). Start it once.
    [[nodiscard]] bidi::Task<> run();

    /// Abandons what is being sent (it is sent again after the next start) and lets run() end. Idempotent.
    void stop();

private:
    class State;
    std::shared_ptr<State> state_;
};

}  // namespace foxbench::notify
