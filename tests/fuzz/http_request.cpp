// What stands in a request's header: target, route, query, framing, host, origin, negotiation.
//
// The input: a line "METHOD TARGET", then a line "Name: value" for each field.
#include <optional>
#include <string>

#include "service/http/ascii.hpp"
#include "service/http/json_body.hpp"
#include "service/http/negotiation.hpp"
#include "service/http/problem.hpp"
#include "service/http/request_checks.hpp"
#include "tests/fuzz/target.hpp"

using foxbench::fuzz::require;
using foxbench::fuzz::take_until;
using namespace foxbench::http;

namespace {

const RouteTable& routes() {
    static const RouteTable table = [] {
        RouteTable made;
        const auto add = [&made](Method method, const char* pattern, const char* operation, Body body) {
            Route route;
            route.method = method;
            route.pattern = pattern;
            route.operation = operation;
            route.body = body;
            route.produces = {"text/markdown; charset=utf-8", "application/json", "text/csv", "text/html"};
            route.query = {"format", "limit", "cursor"};
            route.handler = [](const Request&) -> bidi::Task<Response> { co_return empty_response(); };
            made.add(std::move(route));
        };
        add(Method::get, "/", "dashboard", Body::none);
        add(Method::get, "/v1/runs", "listRuns", Body::none);
        add(Method::post, "/v1/runs", "startRun", Body::json);
        add(Method::get, "/v1/runs/{id}", "getRun", Body::none);
        add(Method::del, "/v1/runs/{id}", "deleteRun", Body::none);
        add(Method::post, "/v1/runs/{id}/cancel", "cancelRun", Body::none);
        add(Method::get, "/v1/runs/{id}/tables/{table}", "getTable", Body::none);
        add(Method::put, "/v1/baselines/{name}", "putBaseline", Body::json);
        add(Method::post, "/v1/imports", "import", Body::import_);
        return made;
    }();
    return table;
}

bool is_clean(std::string_view text) {
    for (const char character : text) {
        if (static_cast<unsigned char>(character) < 0x20 || character == 0x7f) return false;
    }
    return is_utf8(text);
}

void check_parameters(const RouteMatch& match) {
    for (const auto& [name, value] : match.parameters) {
        require(!value.empty() && is_clean(value), "a parameter of the path is text");
        require(value.find('/') == std::string::npos && value != "." && value != "..", "and one segment");
    }
}

void check_request(const Header& header) {
    const Identity identity{8177, {"lab.example"}};
    const auto framing = check_framing(header);
    const auto target = parse_target(header.target);
    require(target.origin_form.starts_with('/') && target.path.starts_with('/'), "a target is a path");
    check_host(header, target, identity);
    check_origin(header, identity);
    const auto found = routes().match(header.method, target.path);
    const auto* match = std::get_if<RouteMatch>(&found);
    if (match == nullptr) return;
    check_parameters(*match);
    (void)check_body(header, framing, *match->route);
    (void)expects_continue(header, framing);
    const auto query = parse_query(target.query);
    for (const auto& [name, value] : query) require(is_clean(name) && is_clean(value), "a query is text");
    check_query(query, *match->route);
    const auto type = negotiate(*match->route, header.fields, query);
    bool produced = false;
    for (const auto& one : match->route->produces) produced = produced || one == type;
    require(produced, "the answer's type is one of the route's");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto rest = foxbench::fuzz::text_of(data, size);
    auto line = take_until(rest, '\n');
    Header header;
    header.method = std::string(take_until(line, ' '));
    header.target = std::string(line);
    while (!rest.empty()) {
        auto field = take_until(rest, '\n');
        const auto name = take_until(field, ':');
        header.fields.emplace_back(std::string(name), std::string(trimmed(field)));
    }
    try {
        check_request(header);
    } catch (const Problem& problem) {
        require(problem.status >= 400 && problem.status < 500, "a refusal is the client's fault");
        require(is_clean(problem.what()), "a refusal quotes no control characters");
    }
    for (const auto& item : weighted_items(joined_field(header.fields, "Accept")))
        require(item.weight >= 0 && item.weight <= 1000, "a weight is at most one");
    return 0;
}
