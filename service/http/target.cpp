#include "service/http/target.hpp"

#include <algorithm>

#include "service/document/json_text.hpp"
#include "service/http/ascii.hpp"
#include "service/http/limits.hpp"
#include "service/http/problem.hpp"
#include "service/text/words.hpp"

namespace foxbench::http {
namespace {

constexpr std::string_view kAbsoluteForm = "http://";

std::optional<unsigned char> hex_digit(char digit) {
    if (digit >= '0' && digit <= '9') return static_cast<unsigned char>(digit - '0');
    const char lower = to_lower(digit);
    if (lower >= 'a' && lower <= 'f') return static_cast<unsigned char>(lower - 'a' + 10);
    return std::nullopt;
}

/// RFC 3986's characters of path and query. Those that browsers send unescaped though they should not ('|', '[', '"')
/// are let pass; control characters, blanks, bytes beyond ASCII and a fragment are not.
bool is_target_character(char character) {
    return character > 0x20 && character < 0x7f && character != '#' && character != '\\';
}

bool has_right_encoding(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') continue;
        if (i + 2 >= text.size() || !hex_digit(text[i + 1]) || !hex_digit(text[i + 2])) return false;
        i += 2;
    }
    return true;
}

}  // namespace

Target parse_target(std::string_view text) {
    if (text.size() > kMaxTargetBytes)
        throw Problem(414, "The request target has " + std::to_string(text.size()) + " bytes; at most " +
                               std::to_string(kMaxTargetBytes) + " are allowed.");
    Target target;
    if (iequals(text.substr(0, kAbsoluteForm.size()), kAbsoluteForm)) {
        text.remove_prefix(kAbsoluteForm.size());
        const auto end = std::min(text.find_first_of("/?"), text.size());
        target.authority = std::string(text.substr(0, end));
        text.remove_prefix(end);
        if (!text.starts_with('/')) target.origin_form = "/";
    } else if (!text.starts_with('/')) {
        throw Problem(400, "The request target is no path: it has to begin with '/'.");
    }
    target.origin_form += text;
    if (!std::ranges::all_of(target.origin_form, is_target_character))
        throw Problem(400, "The request target has a character that must be percent-encoded, or a fragment.");
    if (!has_right_encoding(target.origin_form))
        throw Problem(400, "The request target's percent-encoding is wrong: '%' needs two hexadecimal digits.");
    const auto question = std::min(target.origin_form.find('?'), target.origin_form.size());
    target.path = target.origin_form.substr(0, question);
    if (question < target.origin_form.size()) target.query = target.origin_form.substr(question + 1);
    if (!percent_decoded(target.path))
        throw Problem(400, "The request's path has control characters or is no UTF-8 when decoded.");
    return target;
}

std::optional<std::string> percent_decoded(std::string_view encoded, bool plus_is_space) {
    std::string decoded;
    decoded.reserve(encoded.size());
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        if (encoded[i] == '+' && plus_is_space) {
            decoded += ' ';
        } else if (encoded[i] == '%') {
            if (i + 2 >= encoded.size()) return std::nullopt;
            const auto high = hex_digit(encoded[i + 1]), low = hex_digit(encoded[i + 2]);
            if (!high || !low) return std::nullopt;
            decoded += static_cast<char>(*high << 4 | *low);
            i += 2;
        } else {
            decoded += encoded[i];
        }
    }
    if (text::has_control_characters(decoded) || !is_utf8(decoded)) return std::nullopt;
    return decoded;
}

std::multimap<std::string, std::string> parse_query(std::string_view text) {
    std::multimap<std::string, std::string> query;
    while (!text.empty()) {
        const auto end = std::min(text.find('&'), text.size());
        const auto part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.empty()) continue;
        const auto equals = std::min(part.find('='), part.size());
        auto name = percent_decoded(part.substr(0, equals), true);
        auto value = percent_decoded(part.substr(std::min(equals + 1, part.size())), true);
        if (!name || !value)
            throw Problem(400, "The query's parameter '" + document::printable(part) +
                                   "' has control characters or is no UTF-8 when decoded.");
        query.emplace(std::move(*name), std::move(*value));
    }
    return query;
}

}  // namespace foxbench::http
