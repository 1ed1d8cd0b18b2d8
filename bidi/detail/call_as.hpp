#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "bidi/connection.hpp"

namespace bidi::detail {

template <class Result>
[[nodiscard]] Task<Result> await_as(std::shared_ptr<Connection> connection, std::string method, Task<json> answer) {
    json result = co_await std::move(answer);
    connection.reset();
    if constexpr (!std::is_void_v<Result>) {
        try {
            co_return result.get<Result>();
        } catch (const json::exception& error) {
            throw ProtocolError(std::move(method), std::string(ProtocolError::kMalformedAnswer), error.what());
        }
    }
}

/// Sends a command and reads the answer's `result` as a `Result` (by its `from_json`), or ignores it if that is `void`.
/// @throws ProtocolError with the code `kMalformedAnswer` when the result does not fit, and what `Connection::call`
/// throws
template <class Result>
[[nodiscard]] Task<Result> call_as(Connection& connection, std::string method, json params, CallOptions options = {}) {
    std::string name = method;
    return await_as<Result>(connection.shared_from_this(), std::move(name),
                            connection.call(std::move(method), std::move(params), std::move(options)));
}

}  // namespace bidi::detail
