#include "bidi/websocket_url.hpp"

#include <charconv>

namespace bidi {

namespace {

constexpr std::string_view kScheme = "ws://";
constexpr std::uint16_t kDefaultPort = 80;  // RFC 6455, section 3

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, port);
    if (error != std::errc{} || stop != end || port == 0) return std::nullopt;
    return port;
}

}  // namespace

std::optional<WebSocketUrl> WebSocketUrl::parse(std::string_view text) {
    if (!text.starts_with(kScheme)) return std::nullopt;
    text.remove_prefix(kScheme.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte <= 0x20 || byte >= 0x7f || c == '#') return std::nullopt;
    }

    const auto path = text.find_first_of("/?");
    const std::string_view authority = text.substr(0, path);
    WebSocketUrl url;
    url.resource = path == std::string_view::npos ? "" : text.substr(path);
    if (!url.resource.starts_with('/')) url.resource.insert(0, "/");

    std::size_t host_end = authority.find(':');
    if (authority.starts_with('[')) {
        const auto bracket = authority.find(']');
        if (bracket == std::string_view::npos) return std::nullopt;
        url.host = authority.substr(1, bracket - 1);
        host_end = bracket + 1;
        if (host_end == authority.size()) host_end = std::string_view::npos;
    } else {
        url.host = authority.substr(0, host_end);
    }
    if (url.host.empty() || url.host.find('@') != std::string::npos) return std::nullopt;

    url.port = kDefaultPort;
    if (host_end != std::string_view::npos) {
        if (authority[host_end] != ':') return std::nullopt;
        const auto port = parse_port(authority.substr(host_end + 1));
        if (!port) return std::nullopt;
        url.port = *port;
    }
    return url;
}

std::string WebSocketUrl::bracketed_host() const {
    return host.find(':') == std::string::npos ? host : '[' + host + ']';
}

std::string WebSocketUrl::authority() const {
    return bracketed_host() + ':' + std::to_string(port);
}

}  // namespace bidi
