#include "service/http/request.hpp"

#include <algorithm>
#include <charconv>

#include "service/document/json_text.hpp"
#include "service/http/ascii.hpp"
#include "service/http/problem.hpp"

namespace foxbench::http {

std::optional<std::string_view> find_field(const Fields& fields, std::string_view name) noexcept {
    const auto found = std::ranges::find_if(fields, [name](const auto& field) { return iequals(field.first, name); });
    if (found == fields.end()) return std::nullopt;
    return found->second;
}

std::size_t count_fields(const Fields& fields, std::string_view name) noexcept {
    return static_cast<std::size_t>(
        std::ranges::count_if(fields, [name](const auto& field) { return iequals(field.first, name); }));
}

std::string joined_field(const Fields& fields, std::string_view name) {
    std::string joined;
    for (const auto& [field, value] : fields) {
        if (!iequals(field, name)) continue;
        if (!joined.empty()) joined += ", ";
        joined += value;
    }
    return joined;
}

std::optional<std::string> Request::header(std::string_view name) const {
    const auto value = find_field(fields, name);
    if (!value) return std::nullopt;
    return std::string(*value);
}

std::optional<std::string> Request::query_text(const std::string& name) const {
    const auto [first, last] = query.equal_range(name);
    if (first == last) return std::nullopt;
    if (std::next(first) != last) throw Problem(422, "The query's parameter '" + name + "' is given more than once.");
    return first->second;
}

std::optional<std::int64_t> Request::query_count(const std::string& name, std::int64_t least, std::int64_t most) const {
    const auto text = query_text(name);
    if (!text) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc() || end != text->data() + text->size() || value < least || value > most) {
        throw Problem(422, "The query's parameter '" + name + "' has to be a whole number of " + std::to_string(least) +
                               " to " + std::to_string(most) + ", not '" + document::printable(*text) + "'.");
    }
    return value;
}

bool Request::query_flag(const std::string& name) const {
    const auto text = query_text(name);
    if (!text || *text == "0" || *text == "false") return false;
    if (text->empty() || *text == "1" || *text == "true") return true;
    throw Problem(422,
                  "The query's parameter '" + name + "' has to be 1 or 0, not '" + document::printable(*text) + "'.");
}

}  // namespace foxbench::http
