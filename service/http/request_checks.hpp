#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/request.hpp"
#include "service/http/route.hpp"
#include "service/http/target.hpp"

/// What a request's header has to be before anything is done for it. Pure functions over the header; each throws
/// Problem. They stand in the order in which they are asked.
namespace foxbench::http {

/// A request's header as it came, before it was found to be in order.
struct Header {
    std::string method;
    std::string target;
    unsigned version = 11;  ///< 10 or 11
    Fields fields;
};

/// Who the server is for its clients.
struct Identity {
    std::uint16_t port = 0;
    std::vector<std::string> names;  ///< ServerOptions::host_names
};

/// How the body is framed, once that is beyond doubt.
struct Framing {
    bool chunked = false;
    std::optional<std::uint64_t> length;  ///< Content-Length

    [[nodiscard]] bool has_body() const noexcept { return chunked || length.value_or(0) > 0; }
};

/// 400 and close for everything that two readers might frame differently (RFC 9112, sections 6.1 and 6.3, and 11.2 on
/// smuggling): both lengths, more than one of either, a length that is no number, a transfer coding other than chunked,
/// one in HTTP/1.0. 431 for more than kMaxHeaderBytes.
[[nodiscard]] Framing check_framing(const Header& header);

/// Whether a Host field's value, or an Origin's authority, is one of ours: localhost, 127.0.0.1 or [::1] with the bound
/// port (which may be left out where it is 80), or a configured name.
[[nodiscard]] bool is_own_host(std::string_view host, const Identity& identity);

/// 400 for none or more than one (RFC 9112, section 3.2); 421 for a foreign one: a name that was made to lead here (DNS
/// rebinding) carries the attacker's name still. The authority of an absolute target has to be ours as well.
void check_host(const Header& header, const Target& target, const Identity& identity);

/// 403 for a request that another site's page made a browser send: a foreign Origin, or Sec-Fetch-Site: cross-site
/// unless it is a navigation by GET, which shows the user what it gets and not the other site.
void check_origin(const Header& header, const Identity& identity);

/// 400 for a body where the method gives it no meaning, 415 for what the route does not take, 411 where a body is
/// needed and its length is not said, 413 for one that is too long by its own words. A request that changes something
/// needs Content-Type: application/json even without a body, since that is what no other site's form can send; but for
/// a DELETE without a body, which no form can send either. Gives the media type alone.
[[nodiscard]] std::string check_body(const Header& header, const Framing& framing, const Route& route);

/// 417 for an expectation other than 100-continue. Whether the client waits for the interim answer.
[[nodiscard]] bool expects_continue(const Header& header, const Framing& framing);

/// 422 naming the query's parameters that the route does not know.
void check_query(const std::multimap<std::string, std::string>& query, const Route& route);

/// The most bytes that a route's body may have.
[[nodiscard]] std::size_t body_limit(const Route& route) noexcept;

}  // namespace foxbench::http
