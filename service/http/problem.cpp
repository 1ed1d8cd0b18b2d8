#include "service/http/problem.hpp"

#include <utility>

#include "service/document/json_text.hpp"

namespace foxbench::http {

Problem::Problem(unsigned wanted_status, std::string text)
    : status(wanted_status), title(phrase_of(wanted_status)), detail(std::move(text)) {}

Problem& Problem::with(std::string name, std::string value) & {
    fields.emplace_back(std::move(name), std::move(value));
    return *this;
}

Problem&& Problem::with(std::string name, std::string value) && {
    return std::move(with(std::move(name), std::move(value)));
}

unsigned status_of(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::usage:
        case ErrorCode::unsupported:
            return 422;
        case ErrorCode::not_found:
            return 404;
        case ErrorCode::conflict:
            return 409;
        case ErrorCode::environment:
        case ErrorCode::interrupted:
            return 503;
        case ErrorCode::browser:
        case ErrorCode::measurement:
        case ErrorCode::internal:
            break;
    }
    return 500;
}

std::string_view phrase_of(unsigned status) noexcept {
    // RFC 9110, section 15; RFC 6585 for 431.
    switch (status) {
        case 200:
            return "OK";
        case 201:
            return "Created";
        case 202:
            return "Accepted";
        case 204:
            return "No Content";
        case 304:
            return "Not Modified";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 406:
            return "Not Acceptable";
        case 408:
            return "Request Timeout";
        case 409:
            return "Conflict";
        case 411:
            return "Length Required";
        case 412:
            return "Precondition Failed";
        case 413:
            return "Content Too Large";
        case 414:
            return "URI Too Long";
        case 415:
            return "Unsupported Media Type";
        case 417:
            return "Expectation Failed";
        case 421:
            return "Misdirected Request";
        case 422:
            return "Unprocessable Content";
        case 429:
            return "Too Many Requests";
        case 431:
            return "Request Header Fields Too Large";
        case 500:
            return "Internal Server Error";
        case 503:
            return "Service Unavailable";
        default:
            return "Error";
    }
}

Problem problem_from(const std::exception& failure) {
    if (const auto* problem = dynamic_cast<const Problem*>(&failure)) return *problem;
    if (const auto* error = dynamic_cast<const Error*>(&failure)) return {status_of(error->code()), error->what()};
    return {500, "The daemon failed at this request; its log says why."};
}

Response to_response(const Problem& problem, std::string_view instance) {
    Json json{{"type", problem.type}, {"title", problem.title}, {"status", problem.status}, {"detail", problem.detail}};
    json["instance"] = document::printable(instance);
    if (!problem.errors.empty()) {
        Json errors = Json::array();
        for (const auto& fault : problem.errors)
            errors.push_back({{"pointer", fault.pointer}, {"detail", fault.detail}});
        json["errors"] = std::move(errors);
    }
    Response response;
    response.status = problem.status;
    response.content_type = "application/problem+json";
    response.body = document::to_text(json);
    response.fields = problem.fields;
    return response;
}

}  // namespace foxbench::http
