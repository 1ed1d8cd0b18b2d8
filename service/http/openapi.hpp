#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/http/request.hpp"
#include "service/http/route.hpp"

namespace foxbench::http {

/// The daemon's OpenAPI 3.1 document (openapi.json, built into the program) as text.
[[nodiscard]] std::string_view openapi_text() noexcept;

/// What a route table and an OpenAPI document say differently, one line a difference; empty where they agree. Compared
/// both ways: which operations there are, their operationId, parameters of path and query, media types of the bodies
/// that are taken and of those that are answered (2xx), the scope that is needed, Idempotency-Key, Last-Event-ID for
/// event streams; and that each reference within the document leads somewhere. Pure.
[[nodiscard]] std::vector<std::string> check_openapi(const RouteTable& table, const Json& document);

}  // namespace foxbench::http
