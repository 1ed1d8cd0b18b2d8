#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

/// Answers to requests that carry an Idempotency-Key. Plain values; Store has the operations.
namespace foxbench::store {

struct StoredAnswer {
    int status = 0;
    std::string headers_json;
    std::string body;
    std::string request_hash;  ///< tells whether a later request with the same key is the same request
};

struct KeyedAnswer {
    std::string key;  ///< Idempotency-Key
    StoredAnswer answer;
};

/// What is answered to whoever asked for this run, if that is to be remembered.
using AnswerTo = std::function<std::optional<KeyedAnswer>(const std::string& run)>;

/// How long the answer to a key is kept (docs/http-api.md, "Conventions").
inline constexpr std::chrono::hours kAnswerLifetime{24};

}  // namespace foxbench::store
