#include "service/daemon/store_adapters.hpp"

#include "service/daemon/context.hpp"
#include "service/document/json_text.hpp"
#include "service/error.hpp"

namespace foxbench::daemon {
namespace {

/// What both have under the same name and type: all but the state.
template <class To, class From>
To copied(const From& from) {
    To to;
    to.id = from.id;
    to.url = from.url;
    to.run = from.run;
    to.event = from.event;
    to.body = from.body;
    to.attempts = from.attempts;
    to.last_status = from.last_status;
    to.last_error = from.last_error;
    to.created_at_ms = from.created_at_ms;
    to.next_attempt_at_ms = from.next_attempt_at_ms;
    to.secret_file = from.secret_file;
    return to;
}

notify::Delivery from_store(const store::Delivery& from) {
    auto to = copied<notify::Delivery>(from);
    to.state = notify::delivery_state_from(from.state);
    return to;
}

/// The content type travels with the other fields.
std::string fields_text(const http::StoredAnswer& answer) {
    http::Fields fields = answer.fields;
    fields.insert(fields.begin(), {"content-type", answer.content_type});
    return http::fields_to_text(fields);
}

store::StoredAnswer to_store(const http::StoredAnswer& answer) {
    store::StoredAnswer kept;
    kept.status = static_cast<int>(answer.status);
    kept.headers_json = fields_text(answer);
    kept.body = answer.body;
    kept.request_hash = answer.request_hash;
    return kept;
}

}  // namespace

store::Delivery to_store(const notify::Delivery& from) {
    auto to = copied<store::Delivery>(from);
    to.state = notify::to_string(from.state);
    return to;
}

bidi::Task<std::optional<http::StoredAnswer>> StoredAnswers::find(const std::string& key) {
    const auto now = now_ms();
    const auto kept = co_await run::offload(pool_, [&] { return store_.find_answer(key, now); });
    if (!kept) co_return std::nullopt;
    http::StoredAnswer answer;
    answer.status = static_cast<unsigned>(kept->status);
    answer.fields = http::fields_from_text(kept->headers_json);
    if (!answer.fields.empty()) {
        answer.content_type = answer.fields.front().second;
        answer.fields.erase(answer.fields.begin());
    }
    answer.body = kept->body;
    answer.request_hash = kept->request_hash;
    co_return answer;
}

bidi::Task<> StoredAnswers::remember(const std::string& key, const http::StoredAnswer& answer) {
    const auto kept = to_store(answer);
    const auto now = now_ms();
    co_await run::offload(pool_, [&] { static_cast<void>(store_.remember_answer(key, kept, now)); });
}

std::optional<store::KeyedAnswer> keyed_answer(const http::Request& request, const http::Response& response) {
    if (!request.idempotency_key) return std::nullopt;
    return store::KeyedAnswer{*request.idempotency_key,
                              to_store(http::to_stored(response, http::request_hash(request)))};
}

store::Outbox outbox_for(std::vector<notify::Webhook> webhooks, std::string base_url) {
    return [webhooks = std::move(webhooks), base_url = std::move(base_url)](const document::RunDocument& run) {
        std::vector<store::Delivery> messages;
        for (const auto& message : notify::messages_about(run, webhooks, base_url, now_ms()))
            messages.push_back(to_store(message));
        return messages;
    };
}

std::vector<notify::Delivery> StoredDeliveries::due(std::int64_t now_ms, std::size_t limit) {
    std::vector<notify::Delivery> list;
    for (const auto& one : store_.due_deliveries(now_ms, limit)) list.push_back(from_store(one));
    return list;
}

void StoredDeliveries::update(const notify::Delivery& delivery) {
    try {
        store_.update_delivery(to_store(delivery));
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_found) throw;  // it was dropped from the list meanwhile
    }
}

std::optional<std::int64_t> StoredDeliveries::next_at_ms() {
    return store_.next_delivery_at_ms();
}

}  // namespace foxbench::daemon
