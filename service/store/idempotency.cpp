#include "service/store/idempotency.hpp"

#include "service/error.hpp"
#include "service/store/store_impl.hpp"

// What the HTTP server promises across restarts: answers to keys, and ids of events that only grow.
namespace foxbench::store {
namespace {

using Kind = Transaction::Kind;

constexpr Sql kFindAnswer{"look for the answer",
                          "SELECT status, headers, body, request_hash FROM answers "
                          "WHERE key = ?1 AND stored_at_ms > ?2"};
constexpr Sql kForgetAnswers{"forget old answers", "DELETE FROM answers WHERE stored_at_ms <= ?1"};
constexpr Sql kInsertAnswer{"remember the answer",
                            "INSERT INTO answers (key, status, headers, body, request_hash, stored_at_ms) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"};
constexpr Sql kReserve{"reserve ids",
                       "INSERT INTO counters (name, next) VALUES (?1, 1 + ?2) "
                       "ON CONFLICT (name) DO UPDATE SET next = next + ?2 RETURNING next - ?2"};
constexpr const char* kEventCounter = "events";

/// Answers stored at this moment or before are no longer valid.
std::int64_t expired_at(std::int64_t now_ms) {
    return now_ms - std::chrono::milliseconds(kAnswerLifetime).count();
}

}  // namespace

std::optional<StoredAnswer> Store::find_answer(const std::string& key, std::int64_t asked_at_ms) const {
    Statement row = impl_->database().prepare(kFindAnswer).bind(key, expired_at(asked_at_ms));
    if (!row.step()) return std::nullopt;
    return StoredAnswer{static_cast<int>(row.integer(0)), row.text(1), row.text(2), row.text(3)};
}

bool insert_answer(Database& database, const std::string& key, const StoredAnswer& answer,
                   std::int64_t answered_at_ms) {
    database.prepare(kForgetAnswers).bind(expired_at(answered_at_ms)).run();
    database.prepare(kInsertAnswer)
        .bind(key, std::int64_t{answer.status}, answer.headers_json, Blob{answer.body}, answer.request_hash,
              answered_at_ms)
        .run();
    return database.changes() > 0;
}

bool Store::remember_answer(const std::string& key, const StoredAnswer& answer, std::int64_t answered_at_ms) {
    Transaction transaction(impl_->database(), Kind::write);
    const bool is_new = insert_answer(impl_->database(), key, answer, answered_at_ms);
    transaction.commit();
    return is_new;
}

std::int64_t Store::reserve_event_ids(std::int64_t count) {
    if (count < 1) throw Error(ErrorCode::internal, "reserving " + std::to_string(count) + " event ids");
    Transaction transaction(impl_->database(), Kind::write);
    std::int64_t first = 0;
    {
        Statement row = impl_->database().prepare(kReserve).bind(kEventCounter, count);
        if (row.step()) first = row.integer(0);
    }
    transaction.commit();
    return first;
}

}  // namespace foxbench::store
