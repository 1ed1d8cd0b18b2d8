#include "bidi/error.hpp"

#include <utility>

namespace bidi {

namespace {

std::string protocol_text(const std::string& method, const std::string& code, const std::string& message) {
    std::string text = method.empty() ? code : method + ": " + code;
    if (!message.empty()) text += ": " + message;
    return text;
}

std::string exception_text(const json& details) {
    const auto text = details.is_object() ? details.find("text") : details.end();
    if (text == details.end() || !text->is_string()) return "the script threw an exception";
    return "the script threw: " + text->get<std::string>();
}

}  // namespace

std::string_view to_string(ErrorKind kind) noexcept {
    switch (kind) {
        case ErrorKind::protocol:
            return "protocol";
        case ErrorKind::script_exception:
            return "script_exception";
        case ErrorKind::timeout:
            return "timeout";
        case ErrorKind::closed:
            return "closed";
        case ErrorKind::crashed:
            return "crashed";
        case ErrorKind::discarded:
            return "discarded";
        case ErrorKind::cancelled:
            return "cancelled";
    }
    return "unknown";
}

ProtocolError::ProtocolError(std::string method, std::string code, std::string remote_message, std::string stacktrace)
    : Error(ErrorKind::protocol, protocol_text(method, code, remote_message)),
      method_(std::move(method)),
      code_(std::move(code)),
      remote_message_(std::move(remote_message)),
      stacktrace_(std::move(stacktrace)) {}

ScriptError::ScriptError(json details)
    : Error(ErrorKind::script_exception, exception_text(details)), details_(std::move(details)) {}

}  // namespace bidi
