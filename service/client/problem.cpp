#include "service/client/problem.hpp"

#include <string>

#include "service/document/json_text.hpp"

namespace foxbench::client {
namespace {

using document::Json;

/// A detail is a sentence or two; a body with faults everywhere needs no more than its first ones to be mended.
constexpr std::size_t kMaxDetailBytes = 1'000;
constexpr std::size_t kMaxFaults = 8;

std::string text_of(const Json& object, const char* member) {
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// "; /overrides/calls: at least 1": the faults of the body that was sent.
std::string faults_of(const Json& problem) {
    std::string text;
    const auto errors = problem.find("errors");
    if (errors == problem.end() || !errors->is_array()) return text;
    std::size_t count = 0;
    for (const auto& fault : *errors) {
        if (!fault.is_object()) continue;
        if (++count > kMaxFaults) return text + "; ...";
        const auto pointer = text_of(fault, "pointer");
        text += "; " + (pointer.empty() ? "" : pointer + ": ") + text_of(fault, "detail");
    }
    return text;
}

/// What the problem details say; empty where the body is none.
std::string explanation(std::string_view content_type, std::string_view body) {
    if (!content_type.starts_with("application/problem+json")) return {};
    try {
        const auto problem = document::parse_json(body, "the daemon's answer");
        if (!problem.is_object()) return {};
        auto text = text_of(problem, "detail");
        if (text.empty()) text = text_of(problem, "title");
        const auto faults = faults_of(problem);
        if (text.empty() && !faults.empty()) return faults.substr(2);
        // One fault is often the detail itself, said again with its place.
        return text + faults;
    } catch (const Error&) {
        return {};
    }
}

std::string_view hint(unsigned status) noexcept {
    switch (status) {
        case 401:
            return ". Give the daemon's token in FOXBENCH_TOKEN, or the name of its file in FOXBENCH_TOKEN_FILE";
        case 403:
            return ". Is the scope of the token in FOXBENCH_TOKEN too small? Changes need one with the scope run";
        case 421:
            return ". Names that the daemon is to answer to stand in its configuration under server: hosts";
        default:
            return {};
    }
}

}  // namespace

ErrorCode code_of(unsigned status) noexcept {
    switch (status) {
        case 404:
        case 410:
            return ErrorCode::not_found;
        case 409:
        case 412:
            return ErrorCode::conflict;
        case 501:
        case 505:
            return ErrorCode::unsupported;
        case 408:
        case 429:
        case 502:
        case 503:
        case 504:
        case 507:
            return ErrorCode::environment;
        default:
            return status >= 400 && status < 500 ? ErrorCode::usage : ErrorCode::internal;
    }
}

Error problem_error(std::string_view tried, unsigned status, std::string_view content_type, std::string_view body) {
    const auto why = document::printable(explanation(content_type, body), kMaxDetailBytes);
    const auto answered = std::string(tried) + (why.empty() ? " was answered with " : ", ") + std::to_string(status);
    std::string message = why.empty() ? answered : why + " (" + answered + ")";
    message += hint(status);
    return Error(code_of(status), message);
}

}  // namespace foxbench::client
