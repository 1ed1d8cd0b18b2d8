#include "service/http/response.hpp"

#include <utility>

#include "service/http/conditional.hpp"
#include "service/http/problem.hpp"

namespace foxbench::http {

Response json_response(const Json& json, unsigned status) {
    Response response;
    response.status = status;
    response.body = document::to_text(json);
    return response;
}

Response text_response(std::string content_type, std::string body) {
    Response response;
    response.content_type = std::move(content_type);
    response.body = std::move(body);
    return response;
}

Response empty_response() {
    Response response;
    response.status = 204;
    return response;
}

Response created_response(unsigned status, const std::string& location, const Json& json) {
    Response response = json_response(json, status);
    response.fields.emplace_back("Location", location);
    return response;
}

Response event_response(std::shared_ptr<Subscription> events) {
    Response response;
    response.content_type = "text/event-stream";
    response.events = std::move(events);
    return response;
}

bool client_has(const Request& request, std::string_view etag) {
    return judge_conditions(request.fields, etag) == Condition::not_modified;
}

Response not_modified_response(std::string etag, bool immutable) {
    Response response;
    response.status = 304;
    response.cacheable = true;
    response.immutable = immutable;
    response.etag = std::move(etag);
    return response;
}

void require_match(const Request& request, std::string_view etag) {
    if (judge_conditions(request.fields, etag) != Condition::proceed)
        throw Problem(412, "What is there is not what If-Match or If-None-Match expects; read it again.");
}

}  // namespace foxbench::http
