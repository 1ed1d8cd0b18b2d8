#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "bidi/json.hpp"

namespace bidi {

/// A command as it is sent (WebDriver BiDi, section 3.1 "Definition": Command). Absent parameters become an empty
/// object, without which Firefox answers `invalid argument`.
/// @throws json::exception for texts that are no UTF-8
[[nodiscard]] std::string encode_command(std::uint64_t id, std::string_view method, const json& params);

/// An answer to a command (CommandResponse, ErrorResponse).
struct Answer {
    std::optional<std::uint64_t> id;  ///< nothing: an error that belongs to no command
    bool failed = false;
    json result;  ///< of a success: an object, if the browser keeps to the specification
    std::string code;
    std::string message;
    std::string stacktrace;
};

/// An event; its parameters are an object.
struct IncomingEvent {
    std::string method;
    json params;
};

/// What is to be ignored, and why.
struct Malformed {
    std::string what;
    bool event = false;  ///< it names an event, but has no parameters that could be one's
};

using Incoming = std::variant<Answer, IncomingEvent, Malformed>;

/// Takes a message of the browser apart, leniently: what is missing is left out, what is unknown is ignored. Does not
/// throw because of the text.
[[nodiscard]] Incoming decode_message(std::string_view text);

}  // namespace bidi
