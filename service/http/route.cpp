#include "service/http/route.hpp"

#include <algorithm>
#include <stdexcept>

#include "service/http/target.hpp"

namespace foxbench::http {
namespace {

std::vector<std::string_view> segments(std::string_view path) {
    std::vector<std::string_view> parts;
    path.remove_prefix(1);
    for (;;) {
        const auto slash = path.find('/');
        parts.push_back(path.substr(0, slash));
        if (slash == std::string_view::npos) return parts;
        path.remove_prefix(slash + 1);
    }
}

bool is_parameter(std::string_view segment) {
    return segment.size() > 2 && segment.front() == '{' && segment.back() == '}';
}

/// What a parameter may be once decoded: one step of a path, and no step up.
bool is_plain(std::string_view value) {
    return !value.empty() && value != "." && value != ".." && value.find_first_of("/\\") == std::string_view::npos;
}

/// The pattern with its parameters' names left out: two routes of one shape answer the same paths.
std::string shape(std::string_view pattern) {
    std::string text;
    for (const auto segment : segments(pattern)) {
        text += '/';
        text += is_parameter(segment) ? std::string_view("{}") : segment;
    }
    return text;
}

void check(const Route& route) {
    const auto fail = [&](const std::string& why) {
        throw std::invalid_argument("route " + std::string(to_string(route.method)) + " " + route.pattern + ": " + why);
    };
    if (!route.pattern.starts_with('/')) fail("the pattern has to begin with '/'");
    if (route.operation.empty()) fail("the operation has no name");
    if (!route.handler) fail("there is no handler");
    if (route.idempotent_by_key && route.method != Method::post) fail("Idempotency-Key is for POST");
    if (route.body != Body::none && route.method == Method::get) fail("GET has no body");
    for (const auto segment : segments(route.pattern)) {
        if (!is_parameter(segment) && segment.find_first_of("{}%?# ") != std::string_view::npos)
            fail("a parameter has to be a whole segment");
    }
}

/// The parameters of `path` as `pattern` has them, and how many segments matched literally; nothing for no match.
struct Fit {
    std::map<std::string, std::string> parameters;
    std::size_t literals = 0;
};

std::optional<Fit> fit(std::string_view pattern, const std::vector<std::string_view>& path) {
    const auto wanted = segments(pattern);
    if (wanted.size() != path.size()) return std::nullopt;
    Fit result;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto value = percent_decoded(path[i]);
        if (!value) return std::nullopt;
        if (is_parameter(wanted[i])) {
            if (!is_plain(*value)) return std::nullopt;
            result.parameters.emplace(wanted[i].substr(1, wanted[i].size() - 2), *std::move(value));
        } else if (*value == wanted[i]) {
            ++result.literals;
        } else {
            return std::nullopt;
        }
    }
    return result;
}

}  // namespace

void RouteTable::add(Route route) {
    check(route);
    for (const auto& other : routes_) {
        if (other.operation == route.operation)
            throw std::invalid_argument("the operation " + route.operation + " is there twice");
        if (other.method == route.method && shape(other.pattern) == shape(route.pattern))
            throw std::invalid_argument("the route " + route.pattern + " is there twice");
    }
    routes_.push_back(std::move(route));
}

std::variant<RouteMatch, NoSuchPath, WrongMethod> RouteTable::match(std::string_view method,
                                                                    std::string_view path) const {
    if (!path.starts_with('/')) return NoSuchPath{};
    const auto parts = segments(path);
    // Of the patterns that fit, the most literal one is meant, whatever its methods: DELETE /v1/runs/latest is not
    // answered by another pattern's DELETE.
    std::optional<Fit> best;
    std::vector<const Route*> meant;
    for (const auto& route : routes_) {
        auto fitting = fit(route.pattern, parts);
        if (!fitting || (best && fitting->literals < best->literals)) continue;
        if (!best || fitting->literals > best->literals) meant.clear();
        meant.push_back(&route);
        best = std::move(fitting);
    }
    if (!best) return NoSuchPath{};

    const auto wanted = method_from(method);
    std::string allow;
    for (const Route* route : meant) {
        if (route->method == wanted) return RouteMatch{route, fit(route->pattern, parts)->parameters};
        if (!allow.empty()) allow += ", ";
        allow += route->method == Method::get ? "GET, HEAD" : to_string(route->method);
    }
    return WrongMethod{allow};
}

}  // namespace foxbench::http
