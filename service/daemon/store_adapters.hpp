#pragma once

#include <boost/asio/thread_pool.hpp>

#include "service/http/idempotency.hpp"
#include "service/notify/delivery.hpp"
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

/// To be called on the store's pool.
class StoredDeliveries : public notify::DeliveryLog {
public:
    explicit StoredDeliveries(store::Store& store) : store_(store) {}

    std::int64_t add(const notify::Delivery& delivery) override;
    std::vector<notify::Delivery> due(std::int64_t now_ms, std::size_t limit) override;
    void update(const notify::Delivery& delivery) override;
    std::optional<std::int64_t> next_at_ms() override;

private:
    store::Store& store_;
};

}  // namespace foxbench::daemon
