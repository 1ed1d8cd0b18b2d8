#include "service/http/ascii.hpp"

#include <algorithm>

namespace foxbench::http {

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), to_lower);
    return result;
}

bool iequals(std::string_view a, std::string_view b) noexcept {
    return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

std::string_view trimmed(std::string_view text) noexcept {
    const auto begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::vector<std::string_view> list_items(std::string_view text, char separator) {
    std::vector<std::string_view> items;
    bool quoted = false;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool end = i == text.size();
        if (!end && quoted && text[i] == '\\') {
            ++i;
            if (i < text.size()) continue;
        } else if (!end && text[i] == '"') {
            quoted = !quoted;
        }
        if (i >= text.size() || (!quoted && text[i] == separator)) {
            const auto item = trimmed(text.substr(begin, i - begin));
            if (!item.empty()) items.push_back(item);
            begin = i + 1;
        }
    }
    return items;
}

bool is_utf8(std::string_view text) noexcept {
    for (std::size_t i = 0; i < text.size();) {
        const auto lead = static_cast<unsigned char>(text[i]);
        if (lead < 0x80) {
            ++i;
            continue;
        }
        const std::size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                                   : (lead & 0xf0) == 0xe0        ? 3
                                   : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                                  : 0;
        if (length == 0 || text.size() - i < length) return false;
        // The second byte's range keeps overlong forms, surrogates and what lies beyond U+10FFFF out.
        const auto second = static_cast<unsigned char>(text[i + 1]);
        const unsigned char least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        const unsigned char most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most) return false;
        for (std::size_t next = 2; next < length; ++next) {
            if ((static_cast<unsigned char>(text[i + next]) & 0xc0) != 0x80) return false;
        }
        i += length;
    }
    return true;
}

}  // namespace foxbench::http
