#pragma once

#include <string_view>

#include "service/error.hpp"

namespace foxbench::client {

/// What kind of failure a status of 400 or more is to the command line.
[[nodiscard]] ErrorCode code_of(unsigned status) noexcept;

/// The failure that an answer of 400 or more tells of. `tried` begins the message ("POST /v1/runs at
/// http://127.0.0.1:8177"). What the problem details (RFC 9457) say is in it: the detail, else the title, and the
/// body's faults by their JSON pointers; where the body is none, the status alone. 401 and 403 say how to give a token.
/// The message is one line. Pure.
[[nodiscard]] Error problem_error(std::string_view tried, unsigned status, std::string_view content_type,
                                  std::string_view body);

}  // namespace foxbench::client
