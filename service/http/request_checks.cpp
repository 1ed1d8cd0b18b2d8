#include "service/http/request_checks.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "service/document/json_text.hpp"
#include "service/http/ascii.hpp"
#include "service/http/limits.hpp"
#include "service/http/negotiation.hpp"
#include "service/http/problem.hpp"
#include "service/text/words.hpp"

namespace foxbench::http {
namespace {

constexpr std::string_view kJson = "application/json";
constexpr std::string_view kMarkdown = "text/markdown";
constexpr std::uint16_t kDefaultPort = 80;

[[noreturn]] void refuse_framing(std::string why) {
    Problem problem(400, std::move(why));
    problem.close = true;
    throw problem;
}

std::size_t header_bytes(const Header& header) {
    std::size_t bytes = header.method.size() + header.target.size() + std::string_view("  HTTP/1.1\r\n\r\n").size();
    for (const auto& [name, value] : header.fields) bytes += name.size() + value.size() + 4;
    return bytes;
}

/// The parameter `name` of a Content-Type, lower case, without quotes.
std::optional<std::string> type_parameter(std::string_view content_type, std::string_view name) {
    for (auto part : list_items(content_type, ';')) {
        if (part.size() <= name.size() || !iequals(part.substr(0, name.size()), name) || part[name.size()] != '=')
            continue;
        part.remove_prefix(name.size() + 1);
        if (part.size() >= 2 && part.front() == '"' && part.back() == '"') part = part.substr(1, part.size() - 2);
        return lower(part);
    }
    return std::nullopt;
}

std::string_view taken_types(const Route& route) {
    return route.body == Body::import_ ? "application/json or text/markdown" : kJson;
}

void check_content_type(const Header& header, const Route& route, const std::string& type) {
    const bool taken = type == kJson || (route.body == Body::import_ && type == kMarkdown);
    if (!taken || count_fields(header.fields, "Content-Type") > 1) {
        throw Problem(415, "This takes Content-Type: " + std::string(taken_types(route)) +
                               ", also with an empty body; " +
                               (type.empty() ? "there is none." : "not '" + document::printable(type) + "'."));
    }
    const auto charset = type_parameter(*find_field(header.fields, "Content-Type"), "charset");
    if (charset && *charset != "utf-8" && *charset != "utf8")
        throw Problem(415, "Bodies are UTF-8, not '" + document::printable(*charset) + "'.");
}

}  // namespace

Framing check_framing(const Header& header) {
    Framing framing;
    const auto lengths = count_fields(header.fields, "Content-Length");
    const auto codings = count_fields(header.fields, "Transfer-Encoding");
    if (lengths > 0 && codings > 0) refuse_framing("There are both Content-Length and Transfer-Encoding.");
    if (lengths > 1 || codings > 1) refuse_framing("Content-Length or Transfer-Encoding is there more than once.");
    if (codings == 1) {
        if (header.version < 11) refuse_framing("HTTP/1.0 has no Transfer-Encoding.");
        if (!iequals(*find_field(header.fields, "Transfer-Encoding"), "chunked"))
            refuse_framing("The only transfer coding that is known here is chunked.");
        framing.chunked = true;
    }
    if (lengths == 1) {
        const auto text = *find_field(header.fields, "Content-Length");
        std::uint64_t length = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        if (text.empty() || error != std::errc() || end != text.data() + text.size())
            refuse_framing("Content-Length is no number.");
        framing.length = length;
    }
    if (header_bytes(header) > kMaxHeaderBytes) {
        Problem problem(431, "The header has more than " + std::to_string(kMaxHeaderBytes) + " bytes.");
        problem.close = true;
        throw problem;
    }
    return framing;
}

bool is_own_host(std::string_view host, const Identity& identity) {
    constexpr std::array<std::string_view, 3> kLoopback{"localhost", "127.0.0.1", "[::1]"};
    const auto is_it = [&](std::string_view name) {
        return iequals(host, name) ||
               (host.size() > name.size() && host[name.size()] == ':' && iequals(host.substr(0, name.size()), name));
    };
    for (const auto name : kLoopback) {
        if (!is_it(name)) continue;
        return host.size() == name.size() ? identity.port == kDefaultPort
                                          : host.substr(name.size() + 1) == std::to_string(identity.port);
    }
    return std::ranges::any_of(identity.names, [&](const std::string& name) {
        if (iequals(host, name)) return true;
        if (!is_it(name)) return false;
        const auto port = host.substr(name.size() + 1);
        return !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string_view::npos;
    });
}

void check_host(const Header& header, const Target& target, const Identity& identity) {
    if (count_fields(header.fields, "Host") != 1) {
        Problem problem(400, "A request needs one Host field.");
        problem.close = true;
        throw problem;
    }
    const auto host = *find_field(header.fields, "Host");
    if (!is_own_host(host, identity) || (target.authority && !is_own_host(*target.authority, identity))) {
        throw Problem(421, "This daemon is not '" + document::printable(target.authority.value_or(std::string(host))) +
                               "'. It answers to localhost, 127.0.0.1 and [::1] with port " +
                               std::to_string(identity.port) +
                               ", and to the names in the configuration (server.hosts).");
    }
}

void check_origin(const Header& header, const Identity& identity) {
    const auto host = find_field(header.fields, "Host").value_or("");
    for (const auto& [name, value] : header.fields) {
        if (!iequals(name, "Origin")) continue;
        std::string_view authority = value;
        for (const std::string_view scheme : {"http://", "https://"}) {
            if (iequals(authority.substr(0, scheme.size()), scheme)) authority.remove_prefix(scheme.size());
        }
        // A configured name goes with any port, but another port is another site: there the two fields have to agree.
        const Identity loopback{identity.port, {}};
        const bool own =
            authority.size() < value.size() && (iequals(authority, host) || is_own_host(authority, loopback));
        if (!own)
            throw Problem(403, "A page of '" + document::printable(value) + "' may not ask this daemon anything.");
    }
    const bool is_get = header.method == "GET" || header.method == "HEAD";
    const auto site = find_field(header.fields, "Sec-Fetch-Site").value_or("");
    const auto mode = find_field(header.fields, "Sec-Fetch-Mode").value_or("");
    if (iequals(site, "cross-site") && !(is_get && iequals(mode, "navigate")))
        throw Problem(403, "Another site's page may not ask this daemon anything.");
}

std::string check_body(const Header& header, const Framing& framing, const Route& route) {
    const auto type = media_type_alone(find_field(header.fields, "Content-Type").value_or(""));
    if (!changes_state(route.method)) {
        if (framing.has_body()) throw Problem(400, "GET and HEAD have no body.");
        return type;
    }
    if (const auto coding = find_field(header.fields, "Content-Encoding"); coding && !iequals(*coding, "identity"))
        throw Problem(415, "Bodies are taken as they are, without Content-Encoding.");
    if (route.method != Method::del || framing.has_body()) check_content_type(header, route, type);
    if (route.body != Body::none && !framing.chunked && !framing.length)
        throw Problem(411, "This needs a body, and Content-Length or Transfer-Encoding: chunked with it.");
    if (framing.length.value_or(0) > body_limit(route)) {
        throw Problem(413, "The body has " + std::to_string(*framing.length) + " bytes; this takes at most " +
                               std::to_string(body_limit(route)) + ".");
    }
    return type;
}

bool expects_continue(const Header& header, const Framing& framing) {
    const auto expectation = find_field(header.fields, "Expect");
    // HTTP/1.0 knows none, and what it says of one has no meaning (RFC 9110, section 10.1.1).
    if (!expectation || header.version < 11) return false;
    if (!iequals(*expectation, "100-continue"))
        throw Problem(417, "The only expectation that can be met is 100-continue.");
    return framing.has_body();
}

void check_query(const std::multimap<std::string, std::string>& query, const Route& route) {
    for (const auto& [name, value] : query) {
        if (std::ranges::find(route.query, name) != route.query.end()) continue;
        throw Problem(422,
                      "There is no parameter '" + document::printable(name) + "' of this query." +
                          (route.query.empty() ? std::string(" It has none.") : text::suggestion(name, route.query)));
    }
}

std::size_t body_limit(const Route& route) noexcept {
    return route.body == Body::import_ ? kMaxImportBytes : kMaxBodyBytes;
}

}  // namespace foxbench::http
