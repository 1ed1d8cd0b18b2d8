#include "bidi/modules/fields.hpp"

#include <algorithm>
#include <limits>

namespace bidi::detail {
namespace {

/// The nearest Integer: browsers write integers as 1, 1.0 and 1e3 alike, and a conversion out of range is undefined.
template <class Integer>
bool decode_integer(const json& from, Integer& to) {
    using Limits = std::numeric_limits<Integer>;
    if (from.is_number_unsigned()) {
        to = static_cast<Integer>(std::min(from.get<std::uint64_t>(), static_cast<std::uint64_t>(Limits::max())));
    } else if (from.is_number_integer()) {
        const auto number = from.get<std::int64_t>();
        to = std::is_unsigned_v<Integer> && number < 0 ? Integer{0} : static_cast<Integer>(number);
    } else if (from.is_number_float()) {
        const auto number = from.get<double>();
        if (number <= static_cast<double>(Limits::min())) {
            to = Limits::min();
        } else if (number >= static_cast<double>(Limits::max())) {
            to = Limits::max();
        } else {
            to = static_cast<Integer>(number);
        }
    } else {
        return false;
    }
    return true;
}

}  // namespace

void add_extra(json& object, const json& extra) {
    if (!extra.is_object()) return;
    for (const auto& [name, value] : extra.items()) object.emplace(name, value);
}

bool decode(const json& from, bool& to) {
    if (!from.is_boolean()) return false;
    to = from.get<bool>();
    return true;
}

bool decode(const json& from, double& to) {
    if (!from.is_number()) return false;
    to = from.get<double>();
    return true;
}

bool decode(const json& from, std::int64_t& to) {
    return decode_integer(from, to);
}

bool decode(const json& from, std::uint64_t& to) {
    return decode_integer(from, to);
}

bool decode(const json& from, std::string& to) {
    if (!from.is_string()) return false;
    to = from.get_ref<const std::string&>();
    return true;
}

bool decode(const json& from, json& to) {
    to = from;
    return true;
}

json unknown_members(const json& object, std::initializer_list<std::string_view> known) {
    json unknown = json::object();
    if (!object.is_object()) return unknown;
    for (const auto& [name, value] : object.items()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) unknown[name] = value;
    }
    return unknown;
}

}  // namespace bidi::detail
