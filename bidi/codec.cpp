#include "bidi/codec.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "bidi/error.hpp"

namespace bidi {

namespace {

/// Arrays and objects inside each other in one message. Parsing does not mind, but copying and reading a value call
/// themselves for each: what a page sends must not be able to exhaust this process's stack. A value that a page sent
/// takes three for each of its own.
constexpr std::size_t kMaxNesting = 1000;

/// Whether the levels of JSON text go beyond the limit.
bool is_nested_too_deep(std::string_view text) {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char character = text[i];
        if (in_string) {
            if (character == '\\')
                ++i;
            else if (character == '"')
                in_string = false;
        } else if (character == '"') {
            in_string = true;
        } else if (character == '[' || character == '{') {
            if (++depth > kMaxNesting) return true;
        } else if ((character == ']' || character == '}') && depth > 0) {
            --depth;
        }
    }
    return false;
}

std::string text_of(const json& object, const char* name) {
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
}

json take_object(json& document, const char* name) {
    const auto member = document.find(name);
    return member != document.end() ? std::move(*member) : json::object();
}

Incoming decode_answer(json& document, const json& id) {
    Answer answer;
    answer.failed = document.contains("error") || text_of(document, "type") == "error";
    if (id.is_number_unsigned()) {
        answer.id = id.get<std::uint64_t>();
    } else if (!id.is_null() || !answer.failed) {
        return Malformed{"an answer with an impossible id"};
    }
    if (answer.failed) {
        answer.code = text_of(document, "error");
        answer.message = text_of(document, "message");
        answer.stacktrace = text_of(document, "stacktrace");
    } else {
        answer.result = take_object(document, "result");
    }
    return answer;
}

/// The call that waits for it has to end all the same.
Incoming refuse_nesting(const json& document) {
    const std::string what = "a message with more than " + std::to_string(kMaxNesting) + " levels";
    const auto id = document.find("id");
    if (id == document.end() || !id->is_number_unsigned()) return Malformed{what};
    Answer answer;
    answer.id = id->get<std::uint64_t>();
    answer.failed = true;
    answer.code = ProtocolError::kMalformedAnswer;
    answer.message = what;
    return answer;
}

}  // namespace

std::string encode_command(std::uint64_t id, std::string_view method, const json& params) {
    // By hand, since a JSON value only to be written out again would cost more than the rest of a small command.
    std::string text = "{\"id\":" + std::to_string(id) + ",\"method\":";
    if (std::ranges::all_of(method, [](unsigned char c) { return std::isalnum(c) || c == '.' || c == ':'; })) {
        text.append("\"").append(method).append("\"");
    } else {
        text += json(method).dump();
    }
    text += ",\"params\":";
    text += params.empty() ? "{}" : params.dump();
    text += '}';
    return text;
}

Incoming decode_message(std::string_view text) {
    json document = json::parse(text.begin(), text.end(), nullptr, false);
    if (!document.is_object()) return Malformed{"a message that is no JSON object"};
    if (is_nested_too_deep(text)) return refuse_nesting(document);
    if (const auto id = document.find("id"); id != document.end()) return decode_answer(document, *id);

    IncomingEvent event{text_of(document, "method"), take_object(document, "params")};
    if (event.method.empty()) return Malformed{"a message that is neither an answer nor an event"};
    if (!event.params.is_object()) return Malformed{"an event with odd parameters: " + event.method, true};
    return event;
}

}  // namespace bidi
