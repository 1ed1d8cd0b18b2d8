#include "bidi/codec.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace bidi {

namespace {

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
    if (const auto id = document.find("id"); id != document.end()) return decode_answer(document, *id);

    IncomingEvent event{text_of(document, "method"), take_object(document, "params")};
    if (event.method.empty()) return Malformed{"a message that is neither an answer nor an event"};
    if (!event.params.is_object()) return Malformed{"an event with odd parameters: " + event.method, true};
    return event;
}

}  // namespace bidi
