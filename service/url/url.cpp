#include "service/url/url.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <arpa/inet.h>

#include "service/document/json_text.hpp"
#include "service/error.hpp"

namespace foxbench::url {
namespace {

constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;
/// What common servers take, and far more than a person writes.
constexpr std::size_t kMaxUrlBytes = 2'000;
/// RFC 1035, section 2.3.4.
constexpr std::size_t kMaxHostBytes = 253;

bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}

bool is_hex(char c) noexcept {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_letter(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return out;
}

class Parser {
public:
    explicit Parser(std::string_view text) : text_(text), rest_(text) {}

    Url parse() {
        if (text_.size() > kMaxUrlBytes) fail("it is longer than " + std::to_string(kMaxUrlBytes) + " bytes");
        for (const char c : text_) {
            if (c <= ' ' || c > '~')
                fail("blanks, control characters and what is not ASCII have to be percent-encoded");
        }
        Url url;
        url.tls = take_scheme();
        url.port = url.tls ? kHttpsPort : kHttpPort;
        const auto end = std::min(rest_.find_first_of("/?#"), rest_.size());
        take_authority(rest_.substr(0, end), url);
        url.target = target(rest_.substr(end));
        return url;
    }

private:
    bool take_scheme() {
        const auto colon = rest_.find("://");
        const auto scheme = colon == std::string_view::npos ? std::string() : lower(rest_.substr(0, colon));
        if (scheme != "http" && scheme != "https") fail("it has to begin with http:// or https://");
        rest_.remove_prefix(colon + 3);
        return scheme == "https";
    }

    void take_authority(std::string_view authority, Url& url) const {
        // Not even its text is repeated: it holds a password.
        if (authority.find('@') != std::string_view::npos)
            throw Error(ErrorCode::usage, "a URL with a user name or password in it (before '@') is not accepted");
        if (authority.starts_with('[')) {
            const auto bracket = authority.find(']');
            if (bracket == std::string_view::npos) fail("the bracket of its IPv6 address is not closed");
            url.host = lower(authority.substr(1, bracket - 1));
            in6_addr address{};
            if (inet_pton(AF_INET6, url.host.c_str(), &address) != 1) fail("there is no IPv6 address in its brackets");
            authority.remove_prefix(bracket + 1);
        } else {
            const auto colon = std::min(authority.find(':'), authority.size());
            url.host = host(authority.substr(0, colon));
            authority.remove_prefix(colon);
        }
        if (authority.empty()) return;
        if (!authority.starts_with(':')) fail("after its host a port or a path is expected");
        url.port = port(authority.substr(1));
    }

    std::string host(std::string_view text) const {
        if (text.empty()) fail("it names no host");
        const auto allowed = [](char c) { return is_letter(c) || is_digit(c) || c == '-' || c == '.' || c == '_'; };
        if (text.size() > kMaxHostBytes || !std::ranges::all_of(text, allowed)) fail("its host is no name");
        if (text.starts_with('.') || text.find("..") != std::string_view::npos) fail("its host is no name");
        // Resolvers take "127.1", "0x7f.1" and "2130706433" for addresses; people do not.
        const auto without_dot = text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
        const auto last = without_dot.substr(without_dot.rfind('.') + 1);
        const std::string host = lower(text);
        in_addr address{};
        if (is_digit(last.front()) && inet_pton(AF_INET, host.c_str(), &address) != 1)
            fail("its host is neither a name nor an IPv4 address of four decimal numbers");
        return host;
    }

    std::uint16_t port(std::string_view text) const {
        unsigned value = 0;
        const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (text.empty() || error != std::errc{} || stop != text.data() + text.size() || value == 0 || value > 65'535)
            fail("its port is no number from 1 to 65535");
        return static_cast<std::uint16_t>(value);
    }

    std::string target(std::string_view text) const {
        if (text.find('#') != std::string_view::npos) fail("a fragment (#...) is not sent to servers");
        for (std::size_t i = 0; i < text.size(); ++i) {
            constexpr std::string_view kExcluded = "\"<>\\^`{|}";  // RFC 3986 has these nowhere
            if (kExcluded.find(text[i]) != std::string_view::npos)
                fail("'" + std::string(1, text[i]) + "' has to be percent-encoded");
            if (text[i] == '%' && (i + 2 >= text.size() || !is_hex(text[i + 1]) || !is_hex(text[i + 2])))
                fail("a '%' is not followed by two hexadecimal digits");
        }
        return text.starts_with('/') ? std::string(text) : '/' + std::string(text);
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorCode::usage, "'" + document::printable(text_) + "' is no URL that can be used: " + what);
    }

    std::string_view text_, rest_;
};

}  // namespace

std::string Url::host_header() const {
    const bool v6 = host.find(':') != std::string::npos;
    std::string header = v6 ? '[' + host + ']' : host;
    if (port != (tls ? kHttpsPort : kHttpPort)) header += ':' + std::to_string(port);
    return header;
}

std::string Url::origin() const {
    return (tls ? "https://" : "http://") + host_header();
}

Url parse_url(std::string_view text) {
    return Parser(text).parse();
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    constexpr std::string_view kUnreserved = "-._~";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (letter || kUnreserved.find(c) != std::string_view::npos) {
            out += c;
        } else {
            out += '%';
            out += kDigits[byte >> 4];
            out += kDigits[byte & 15];
        }
    }
    return out;
}

}  // namespace foxbench::url
