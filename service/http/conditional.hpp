#pragma once

#include <string>
#include <string_view>

#include "service/http/request.hpp"

/// Conditional requests (RFC 9110, section 13) with strong ETags. Pure functions; `etag` is without quotes.
namespace foxbench::http {

enum class Condition {
    proceed,
    not_modified,  ///< If-None-Match names it: 304 for GET, 412 for what changes something
    failed         ///< If-Match does not name it: 412
};

/// In the order of RFC 9110, section 13.2.2: If-Match, then If-None-Match. `etag` empty: nothing is there. The
/// compressed form of a representation counts as the representation: nobody asks for bytes of it by range.
[[nodiscard]] Condition judge_conditions(const Fields& fields, std::string_view etag);

/// The ETag of a body: 128 bits of its SHA-256, in hexadecimal.
[[nodiscard]] std::string etag_of(std::string_view body);
/// A strong ETag is of exactly these bytes (RFC 9110, section 8.8.1), so the compressed form has one of its own.
[[nodiscard]] std::string gzip_etag(std::string_view etag);

}  // namespace foxbench::http
