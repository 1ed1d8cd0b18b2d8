#include "service/http/idempotency.hpp"

#include <algorithm>

#include "service/error.hpp"
#include "service/host/digest.hpp"

namespace foxbench::http {

bool is_idempotency_key(std::string_view key) noexcept {
    return !key.empty() && key.size() <= kMaxIdempotencyKey &&
           std::ranges::all_of(key, [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string request_hash(const Request& request) {
    // Neither a method nor a target has a line break, so no other request gives the same bytes.
    host::Sha256 hash;
    hash.update(to_string(request.method)).update("\n").update(request.target).update("\n").update(request.body);
    return hash.hex();
}

StoredAnswer to_stored(const Response& response, const std::string& hash) {
    StoredAnswer answer;
    answer.status = response.status;
    answer.content_type = response.content_type;
    answer.fields = response.fields;
    answer.body = response.body;
    answer.request_hash = hash;
    return answer;
}

Response from_stored(const StoredAnswer& answer) {
    Response response;
    response.status = answer.status;
    response.content_type = answer.content_type;
    response.fields = answer.fields;
    response.body = answer.body;
    return response;
}

std::string fields_to_text(const Fields& fields) {
    Json json = Json::array();
    for (const auto& [name, value] : fields) json.push_back(Json::array({name, value}));
    return document::to_text(json);
}

Fields fields_from_text(const std::string& text) {
    Fields fields;
    const Json json = Json::parse(text, nullptr, false);
    bool good = json.is_array();
    for (const auto& field : good ? json : Json::array()) {
        good = good && field.is_array() && field.size() == 2 && field[0].is_string() && field[1].is_string();
        if (good) fields.emplace_back(field[0].get<std::string>(), field[1].get<std::string>());
    }
    if (!good)
        throw Error(ErrorCode::internal, "stored header fields are not what was stored: " + document::printable(text));
    return fields;
}

}  // namespace foxbench::http
