#include "service/http/negotiation.hpp"

#include <algorithm>
#include <array>

#include "service/document/json_text.hpp"
#include "service/http/ascii.hpp"
#include "service/http/problem.hpp"
#include "service/text/words.hpp"

namespace foxbench::http {
namespace {

struct Format {
    std::string_view word, media_type;
};
constexpr std::array<Format, 4> kFormats{
    {{"md", "text/markdown"}, {"json", "application/json"}, {"csv", "text/csv"}, {"html", "text/html"}}};

/// "0.25" in thousandths (RFC 9110, section 12.4.2).
int weight_from(std::string_view text) {
    if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1')) return 0;
    if (text.size() > 1 && text[1] != '.') return 0;
    int weight = (text[0] - '0') * 1000;
    int digit_value = 100;
    for (const char digit : text.substr(std::min<std::size_t>(2, text.size()))) {
        if (digit < '0' || digit > '9') return 0;
        weight += (digit - '0') * digit_value;
        digit_value /= 10;
    }
    return std::min(weight, 1000);
}

/// How exactly an item of Accept means a type: 3 "text/html", 2 "text/*", 1 "*/*", 0 not at all.
int specificity(std::string_view item, std::string_view type) {
    if (iequals(item, type)) return 3;
    if (item == "*/*") return 1;
    const bool is_family = item.size() > 2 && item.ends_with("/*");
    return is_family && iequals(item.substr(0, item.size() - 1), type.substr(0, item.size() - 1)) ? 2 : 0;
}

std::string by_format(const Route& route, const std::string& word) {
    std::vector<std::string> known;
    for (const auto& format : kFormats) {
        const auto made = std::ranges::find(route.produces, format.media_type, media_type_alone);
        if (made == route.produces.end()) continue;
        if (format.word == word) return *made;
        known.emplace_back(format.word);
    }
    throw Problem(422,
                  "There is no format '" + document::printable(word) + "' of this." + text::suggestion(word, known));
}

}  // namespace

std::vector<WeightedItem> weighted_items(std::string_view field) {
    std::vector<WeightedItem> items;
    for (const auto text : list_items(field)) {
        const auto parts = list_items(text, ';');
        if (parts.empty()) continue;
        WeightedItem item{parts.front(), 1000};
        for (const auto part : parts) {
            if (part.size() >= 2 && to_lower(part[0]) == 'q' && part[1] == '=')
                item.weight = weight_from(part.substr(2));
        }
        items.push_back(item);
    }
    return items;
}

std::optional<std::string> choose_media_type(std::string_view accept, const std::vector<std::string>& produces) {
    const auto items = weighted_items(accept);
    std::optional<std::string> chosen;
    int best = 0;
    for (const auto& type : produces) {
        if (items.empty()) return type;
        const auto alone = media_type_alone(type);
        int exactness = 0, weight = 0;
        for (const auto& item : items) {
            const int exact = specificity(item.value, alone);
            if (exact > exactness || (exact == exactness && exact > 0 && item.weight > weight)) {
                exactness = exact;
                weight = item.weight;
            }
        }
        if (weight > best) {
            best = weight;
            chosen = type;
        }
    }
    return chosen;
}

std::string media_type_alone(std::string_view content_type) {
    return lower(trimmed(content_type.substr(0, content_type.find(';'))));
}

std::string negotiate(const Route& route, const Fields& fields, const std::multimap<std::string, std::string>& query) {
    const bool has_formats = std::ranges::find(route.query, "format") != route.query.end();
    if (const auto format = query.find("format"); has_formats && format != query.end())
        return by_format(route, format->second);
    if (route.produces.empty()) return {};
    if (auto chosen = choose_media_type(joined_field(fields, "Accept"), route.produces)) return *std::move(chosen);
    throw Problem(406, "Accept allows none of what there is: " + text::join(route.produces) + ".");
}

}  // namespace foxbench::http
