#pragma once

#include <chrono>
#include <string>

/// Answers to requests that carry an Idempotency-Key. Plain values; Store has the operations.
namespace foxbench::store {

struct StoredAnswer {
    int status = 0;
    std::string headers_json;
    std::string body;
    std::string request_hash;  ///< tells whether a later request with the same key is the same request
};

/// How long the answer to a key is kept (docs/http-api.md, "Conventions").
inline constexpr std::chrono::hours kAnswerLifetime{24};

}  // namespace foxbench::store
