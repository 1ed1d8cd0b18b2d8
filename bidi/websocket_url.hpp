#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bidi {

/// A `ws://` address (RFC 6455, section 3), taken apart.
struct WebSocketUrl {
    std::string host;      ///< name or address; an IPv6 address without its brackets
    std::uint16_t port{};  ///< 1 to 65535
    std::string resource;  ///< path and query, at least "/"

    /// Nothing if the text is no `ws://` address. Neither `wss` nor user names: a browser's remote agent offers
    /// neither.
    [[nodiscard]] static std::optional<WebSocketUrl> parse(std::string_view text);

    /// The host as it stands in an address or a `Host` header: an IPv6 address in brackets.
    [[nodiscard]] std::string bracketed_host() const;

    /// `HOST:PORT`, for messages.
    [[nodiscard]] std::string authority() const;
};

}  // namespace bidi
