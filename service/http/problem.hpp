#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "service/error.hpp"
#include "service/http/response.hpp"

namespace foxbench::http {

/// One fault of a body: where (JSON pointer, RFC 6901) and what was expected.
struct BodyFault {
    std::string pointer;
    std::string detail;
};

/// A failure as HTTP tells it (RFC 9457, "Problem Details for HTTP APIs"). Handlers may throw it; a foxbench::Error
/// that they throw becomes one by problem_from(). Everything in it is for the client to see.
class Problem : public std::exception {
public:
    unsigned status = 500;
    std::string type = "about:blank";  ///< a URI reference; "about:blank" where the status says it all
    std::string title;
    std::string detail;
    std::vector<BodyFault> errors;
    Fields fields;       ///< further header fields: Allow, Retry-After, WWW-Authenticate
    bool close = false;  ///< the connection cannot go on: where the next request begins is not known

    /// Title from the status' phrase.
    Problem(unsigned status, std::string detail);
    Problem& with(std::string name, std::string value) &;
    Problem&& with(std::string name, std::string value) &&;

    [[nodiscard]] const char* what() const noexcept override { return detail.c_str(); }
};

/// The one place where the service's errors get their HTTP status: usage 422, not_found 404, conflict 409, unsupported
/// 422, environment and interrupted 503, the others 500.
[[nodiscard]] unsigned status_of(ErrorCode code) noexcept;
/// "Not Found".
[[nodiscard]] std::string_view phrase_of(unsigned status) noexcept;

/// What a client may know of any exception: the text of a Problem or of an Error; of others only that it was a fault of
/// the daemon's.
[[nodiscard]] Problem problem_from(const std::exception& failure);

/// The answer: application/problem+json with type, title, status, detail, instance and, for a body's faults, errors.
/// `instance` is the request's path, which a client may have filled with anything.
[[nodiscard]] Response to_response(const Problem& problem, std::string_view instance);

}  // namespace foxbench::http
