#pragma once

#include <boost/asio/thread_pool.hpp>

#include "service/http/idempotency.hpp"
#include "service/notify/delivery.hpp"
#include "service/notify/payload.hpp"
#include "service/store/store.hpp"

/// What other folders ask to be kept, kept in the store. Both use it on its pool's one thread.
namespace foxbench::daemon {

class StoredAnswers : public http::IdempotencyStore {
public:
    StoredAnswers(store::Store& store, boost::asio::thread_pool& pool) : store_(store), pool_(pool) {}

    bidi::Task<std::optional<http::StoredAnswer>> find(const std::string& key) override;
    bidi::Task<> remember(const std::string& key, const http::StoredAnswer& answer) override;

private:
    store::Store& store_;
    boost::asio::thread_pool& pool_;
};

/// A message as the store keeps it.
[[nodiscard]] store::Delivery to_store(const notify::Delivery& delivery);

/// To be called on the store's pool.
class StoredDeliveries : public notify::DeliveryLog {
public:
    explicit StoredDeliveries(store::Store& store) : store_(store) {}

    std::vector<notify::Delivery> due(std::int64_t now_ms, std::size_t limit) override;
    void update(const notify::Delivery& delivery) override;
    std::optional<std::int64_t> next_at_ms() override;

private:
    store::Store& store_;
};

/// What is to be remembered of the answer to a request: nothing where it has no Idempotency-Key. For those handlers
/// that have to store it with what they do; the server does it for all others.
[[nodiscard]] std::optional<store::KeyedAnswer> keyed_answer(const http::Request& request,
                                                             const http::Response& response);

/// What the end of a run is to store for these webhooks; links in the messages begin with `base_url`.
[[nodiscard]] store::Outbox outbox_for(std::vector<notify::Webhook> webhooks, std::string base_url);

}  // namespace foxbench::daemon
