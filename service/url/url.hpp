#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace foxbench::url {

/// An address to send requests to.
struct Url {
    bool tls = false;        ///< https
    std::string host;        ///< a name, an IPv4 address, or an IPv6 address without its brackets; lower case
    std::uint16_t port = 0;  ///< the scheme's own where none was written
    std::string target;      ///< path and query, as they are sent; at least "/"

    /// What the Host header says: brackets around an IPv6 address, and the port where it is not the scheme's own.
    [[nodiscard]] std::string host_header() const;
    /// Scheme, host and port: "http://127.0.0.1:8177".
    [[nodiscard]] std::string origin() const;
};

/// Reads an absolute http or https URL (RFC 3986), strictly: no user information (a password in a file that is shown by
/// `config show`), no fragment, no blanks or control characters, nothing but ASCII; an IPv4 address in four decimal
/// numbers. Throws foxbench::Error (usage) saying what is wrong. Pure.
[[nodiscard]] Url parse_url(std::string_view text);

/// One part of a path, or one value in a query, with everything but RFC 3986's unreserved characters percent-encoded.
[[nodiscard]] std::string percent_encoded(std::string_view text);

}  // namespace foxbench::url
