#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "service/http/request.hpp"

namespace foxbench::http {

class Subscription;

/// What a handler answers. Date, Content-Length, Connection, Vary, ETag, Cache-Control, Content-Encoding and the
/// safety fields are the server's; `fields` is for the rest (Location, Link, Retry-After, ...), and for a
/// Content-Security-Policy or Cache-Control of the handler's own, which then stands in place of the server's.
struct Response {
    unsigned status = 200;
    std::string content_type = "application/json";  ///< not sent with an empty body
    std::string body;
    Fields fields;
    /// Gets an ETag and answers If-None-Match and If-Match; a cache has to ask again each time (no-cache).
    bool cacheable = false;
    /// Cacheable, and a cache need not ask: a finished run's report never changes.
    bool immutable = false;
    /// Of this representation (a report's Markdown and its JSON have different ones), without quotes. Empty: the
    /// server computes it from the body where the answer is cacheable.
    std::string etag;
    /// Set: the answer is an event stream, and everything but `status` and `fields` is ignored.
    std::shared_ptr<Subscription> events;
};

/// 200, or another status, with a JSON body.
[[nodiscard]] Response json_response(const Json& json, unsigned status = 200);
/// A body of another type.
[[nodiscard]] Response text_response(std::string content_type, std::string body);
/// 204.
[[nodiscard]] Response empty_response();
/// 202 or 201 with Location.
[[nodiscard]] Response created_response(unsigned status, const std::string& location, const Json& json);
/// An event stream.
[[nodiscard]] Response event_response(std::shared_ptr<Subscription> events);

/// For handlers whose body is costly to make: whether the client has the representation with this ETag already
/// (If-None-Match). Then answer not_modified_response(). The server would find out as well, but with the body made.
[[nodiscard]] bool client_has(const Request& request, std::string_view etag);
[[nodiscard]] Response not_modified_response(std::string etag, bool immutable = false);
/// For handlers that change or delete something with an ETag: throws Problem (412) where If-Match or If-None-Match
/// forbids it. `etag` is of what is there, empty where nothing is.
void require_match(const Request& request, std::string_view etag);

}  // namespace foxbench::http
