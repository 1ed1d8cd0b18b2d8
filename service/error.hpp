#pragma once

#include <stdexcept>
#include <string>

namespace foxbench {

/// What kind of failure ended an operation. Each kind is mapped once to an exit code (here) and to an HTTP status (in
/// http/).
enum class ErrorCode {
    usage,        ///< the request is wrong: unknown name, size out of range, malformed document
    not_found,    ///< what was named does not exist
    conflict,     ///< what was asked contradicts the present state (already finished, name taken)
    unsupported,  ///< right, but this build or browser cannot do it (a newer document version, no OPFS)
    environment,  ///< the machine does not allow it: no permission, no space, no browser
    browser,      ///< the browser did not start, crashed, or answered wrongly
    measurement,  ///< the measurement itself is not to be trusted: short write, wrong read-back
    interrupted,  ///< the user or the service's shutdown ended it
    internal      ///< a fault of foxbench itself
};

/// The base of every failure that `service/` reports. The message is one line: what was tried, what happened, what the
/// user can do.
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

    [[nodiscard]] ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

/// The command line's exit code for a failure: 2 for wrong usage or configuration, 3 for a measurement that is not to
/// be trusted or was cut short, else 1.
[[nodiscard]] constexpr int exit_code(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::usage:
        case ErrorCode::not_found:
        case ErrorCode::conflict:
        case ErrorCode::unsupported:
            return 2;
        case ErrorCode::measurement:
        case ErrorCode::interrupted:
            return 3;
        case ErrorCode::environment:
        case ErrorCode::browser:
        case ErrorCode::internal:
            break;
    }
    return 1;
}

}  // namespace foxbench
