#pragma once

#include <optional>
#include <string>

#include "bidi/task.hpp"
#include "service/http/response.hpp"

namespace foxbench::http {

/// An answer that was given under an Idempotency-Key, and to what request.
struct StoredAnswer {
    StoredAnswer() = default;  // no aggregate: GCC 12 breaks such temporaries within co_await

    unsigned status = 200;
    std::string content_type;
    Fields fields;
    std::string body;
    std::string request_hash;  ///< request_hash() of the request
};

/// Where answers are kept for 24 h, also across restarts: the daemon does it in its store. Called on the server's
/// executor; what is passed lives until the task has ended.
class IdempotencyStore {
public:
    virtual ~IdempotencyStore() = default;
    /// What was answered under `key` within the last 24 h.
    virtual bidi::Task<std::optional<StoredAnswer>> find(const std::string& key) = 0;
    virtual bidi::Task<> remember(const std::string& key, const StoredAnswer& answer) = 0;
};

/// Longest key: a UUID has 36 characters, a SHA-512 in hexadecimal 128.
inline constexpr std::size_t kMaxIdempotencyKey = 255;

/// Whether `key` is 1 to kMaxIdempotencyKey visible ASCII characters.
[[nodiscard]] bool is_idempotency_key(std::string_view key) noexcept;
/// SHA-256 over method, target and body.
[[nodiscard]] std::string request_hash(const Request& request);

[[nodiscard]] StoredAnswer to_stored(const Response& response, const std::string& hash);
[[nodiscard]] Response from_stored(const StoredAnswer& answer);
/// The fields as text for a database, and back: a JSON array of pairs. fields_from_text() throws foxbench::Error
/// (internal) for anything else.
[[nodiscard]] std::string fields_to_text(const Fields& fields);
[[nodiscard]] Fields fields_from_text(const std::string& text);

}  // namespace foxbench::http
