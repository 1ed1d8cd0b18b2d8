#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text as protocols have it: ASCII, whatever the locale. Pure functions.
namespace foxbench::http {

[[nodiscard]] constexpr char to_lower(char character) noexcept {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}
[[nodiscard]] std::string lower(std::string_view text);
/// Equal but for the case of ASCII letters.
[[nodiscard]] bool iequals(std::string_view a, std::string_view b) noexcept;
/// Without blanks and tabs at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;
/// The parts between `separator`, outside of quoted strings, trimmed; empty ones are left out (RFC 9110,
/// section 5.6.1).
[[nodiscard]] std::vector<std::string_view> list_items(std::string_view text, char separator = ',');
/// Whether the bytes are UTF-8 (RFC 3629: no surrogates, nothing overlong).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

}  // namespace foxbench::http
