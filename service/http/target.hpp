#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

/// The request target (RFC 9112, section 3.2). Pure functions.
namespace foxbench::http {

/// A target taken apart; path and query are still percent-encoded.
struct Target {
    std::string origin_form;  ///< "/v1/runs?limit=5"
    std::string path;
    std::string query;
    std::optional<std::string> authority;  ///< of the absolute form ("GET http://host/path"); has precedence over Host
};

/// Throws Problem: 400 for what is neither the origin form nor the absolute form of http, for a fragment, for bytes
/// that have to be percent-encoded, and for wrong percent-encoding; 414 for more than kMaxTargetBytes.
[[nodiscard]] Target parse_target(std::string_view text);

/// Undoes percent-encoding; nothing where it is wrong, or gives bytes that are no UTF-8, or control characters (these
/// have no honest use in an address, and much dishonest use in logs).
[[nodiscard]] std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_space = false);

/// "a=1&b=two%20words" as names and values, decoded; a name alone has an empty value. Throws Problem (400) for wrong
/// encoding.
[[nodiscard]] std::multimap<std::string, std::string> parse_query(std::string_view text);

}  // namespace foxbench::http
