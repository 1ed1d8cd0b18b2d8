#include "service/store/deliveries.hpp"

#include "service/error.hpp"
#include "service/store/store_impl.hpp"

namespace foxbench::store {
namespace {

using Kind = Transaction::Kind;

constexpr Sql kInsertDelivery{
    "store the delivery",
    "INSERT INTO deliveries (url, run, event, body, attempts, state, last_status, last_error, "
    "created_at_ms, next_attempt_at_ms, secret_file) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"};
constexpr Sql kForgetDeliveries{"forget old deliveries",
                                "DELETE FROM deliveries WHERE state <> 'pending' AND id <= ?1"};
constexpr Sql kUpdateDelivery{"update the delivery",
                              "UPDATE deliveries SET attempts = ?2, state = ?3, last_status = ?4, last_error = ?5, "
                              "next_attempt_at_ms = ?6 WHERE id = ?1"};
constexpr Sql kDue{
    "look for due deliveries",
    "SELECT id, url, run, event, body, attempts, state, last_status, last_error, created_at_ms, "
    "next_attempt_at_ms, secret_file FROM deliveries WHERE state = 'pending' AND next_attempt_at_ms <= ?1 "
    "ORDER BY next_attempt_at_ms, id LIMIT ?2"};
constexpr Sql kNewest{"read the deliveries",
                      "SELECT id, url, run, event, body, attempts, state, last_status, last_error, created_at_ms, "
                      "next_attempt_at_ms, secret_file FROM deliveries ORDER BY id DESC LIMIT ?1"};
constexpr Sql kNextDue{"look for the next delivery",
                       "SELECT min(next_attempt_at_ms) FROM deliveries WHERE state = 'pending'"};

std::optional<std::int64_t> widened(const std::optional<int>& value) {
    if (!value) return std::nullopt;
    return *value;
}

Delivery delivery_from(const Statement& row) {
    Delivery delivery;
    delivery.id = row.integer(0);
    delivery.url = row.text(1);
    delivery.run = row.text(2);
    delivery.event = row.text(3);
    delivery.body = row.text(4);
    delivery.attempts = static_cast<int>(row.integer(5));
    delivery.state = row.text(6);
    if (!row.is_null(7)) delivery.last_status = static_cast<int>(row.integer(7));
    delivery.last_error = row.optional_text(8);
    delivery.created_at_ms = row.integer(9);
    delivery.next_attempt_at_ms = row.integer(10);
    delivery.secret_file = row.optional_text(11);
    return delivery;
}

std::vector<Delivery> all_of(Statement rows) {
    std::vector<Delivery> deliveries;
    while (rows.step()) deliveries.push_back(delivery_from(rows));
    return deliveries;
}

}  // namespace

std::int64_t insert_delivery(Database& database, const Delivery& delivery) {
    database.prepare(kInsertDelivery)
        .bind(delivery.url, delivery.run, delivery.event, Blob{delivery.body}, std::int64_t{delivery.attempts},
              delivery.state, widened(delivery.last_status), delivery.last_error, delivery.created_at_ms,
              delivery.next_attempt_at_ms, delivery.secret_file)
        .run();
    const std::int64_t id = database.last_insert_key();
    database.prepare(kForgetDeliveries).bind(id - kKeptDeliveries).run();
    return id;
}

std::int64_t Store::add_delivery(const Delivery& delivery) {
    Transaction transaction(impl_->database(), Kind::write);
    const std::int64_t id = insert_delivery(impl_->database(), delivery);
    transaction.commit();
    return id;
}

void Store::set_outbox(Outbox outbox) {
    impl_->set_outbox(std::move(outbox));
}

std::vector<Delivery> Store::due_deliveries(std::int64_t due_until_ms, std::size_t limit) const {
    return all_of(impl_->database().prepare(kDue).bind(due_until_ms, static_cast<std::int64_t>(limit)));
}

void Store::update_delivery(const Delivery& delivery) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    database.prepare(kUpdateDelivery)
        .bind(delivery.id, std::int64_t{delivery.attempts}, delivery.state, widened(delivery.last_status),
              delivery.last_error, delivery.next_attempt_at_ms)
        .run();
    if (database.changes() == 0)
        throw Error(ErrorCode::not_found, "there is no delivery " + std::to_string(delivery.id) + " in the store");
    transaction.commit();
}

std::vector<Delivery> Store::deliveries(std::size_t limit) const {
    return all_of(impl_->database().prepare(kNewest).bind(static_cast<std::int64_t>(limit)));
}

std::optional<std::int64_t> Store::next_delivery_at_ms() const {
    Statement row = impl_->database().prepare(kNextDue);
    if (!row.step() || row.is_null(0)) return std::nullopt;
    return row.integer(0);
}

}  // namespace foxbench::store
