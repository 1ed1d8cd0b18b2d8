#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

#include "bidi/json.hpp"

namespace bidi {

/// Why an operation ended without a result.
enum class ErrorKind {
    protocol,          ///< the browser answered with an error, or with something that is no answer to the command
    script_exception,  ///< the script threw
    timeout,           ///< no answer within the deadline
    closed,            ///< the connection is closed, was refused or got lost
    crashed,           ///< the connection is lost because the browser's process ended
    discarded,         ///< the page that the script ran in is gone: no answer will come
    cancelled          ///< the caller gave the operation up
};

/// The kind's name as it stands in the enumeration, for logs and stored documents.
[[nodiscard]] std::string_view to_string(ErrorKind kind) noexcept;

/// The base of everything the library throws. The message is one line: what was tried, what happened.
class Error : public std::runtime_error {
public:
    [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

    /// A copy of this error with its dynamic type, ready to be thrown elsewhere: one reason ends many pending calls.
    [[nodiscard]] virtual std::exception_ptr as_exception() const = 0;

protected:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

private:
    ErrorKind kind_;
};

/// The browser's error answer to a command (WebDriver BiDi, section 3.1 "Definition": ErrorResponse; 3.6 "Errors").
class ProtocolError : public Error {
public:
    /// The code given to answers that the library itself finds wrong; it is none of the specification's.
    static constexpr std::string_view kMalformedAnswer = "malformed answer";

    ProtocolError(std::string method, std::string code, std::string remote_message, std::string stacktrace = {});

    /// The error code, such as `no such frame`: an open set. Decide by this, never by the message.
    [[nodiscard]] const std::string& code() const noexcept { return code_; }
    [[nodiscard]] const std::string& remote_message() const noexcept { return remote_message_; }
    [[nodiscard]] const std::string& stacktrace() const noexcept { return stacktrace_; }
    /// The command that was answered; empty if the answer named none.
    [[nodiscard]] const std::string& method() const noexcept { return method_; }

    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }

private:
    std::string method_;
    std::string code_;
    std::string remote_message_;
    std::string stacktrace_;
};

/// A JavaScript exception. To the protocol it is a successful answer; functions that promise a value throw it.
class ScriptError : public Error {
public:
    /// `details` is the answer's `exceptionDetails` (section 7.7.2.5 "script.ExceptionDetails"), word for word.
    explicit ScriptError(json details);

    [[nodiscard]] const json& details() const noexcept { return details_; }

    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }

private:
    json details_;
};

/// No answer within the deadline. A late one is ignored.
class TimeoutError : public Error {
public:
    explicit TimeoutError(const std::string& message) : Error(ErrorKind::timeout, message) {}
    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }
};

/// The connection was refused, closed or lost.
class ClosedError : public Error {
public:
    explicit ClosedError(const std::string& message) : Error(ErrorKind::closed, message) {}
    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }
};

/// The connection is lost because the browser's process ended; only the owner of that process can know (see
/// `ConnectionOptions::explain_loss`).
class CrashedError : public Error {
public:
    explicit CrashedError(const std::string& message) : Error(ErrorKind::crashed, message) {}
    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }
};

/// The page that a script ran in navigated, closed or crashed, and browsers then never answer (w3c/webdriver-bidi#378,
/// #540).
class DiscardedError : public Error {
public:
    explicit DiscardedError(const std::string& message) : Error(ErrorKind::discarded, message) {}
    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }
};

/// The caller gave the operation up by cancelling the coroutine that awaited it.
class CancelledError : public Error {
public:
    explicit CancelledError(const std::string& message) : Error(ErrorKind::cancelled, message) {}
    [[nodiscard]] std::exception_ptr as_exception() const override { return std::make_exception_ptr(*this); }
};

}  // namespace bidi
