#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "bidi/json.hpp"
#include "bidi/modules/word.hpp"

namespace bidi {

/// A parameter for which the protocol tells null ("back to the default", "without a limit") from a value. Where it may
/// be absent as well it stands in a std::optional.
template <class T>
struct Nullable {
    Nullable(std::nullptr_t) {}
    template <std::convertible_to<T> U>
    Nullable(U&& given) : value(std::forward<U>(given)) {}

    std::optional<T> value;
};

}  // namespace bidi

/// How the typed commands write parameters and read answers.
///
/// Reading is forgiving on purpose: a member that is absent, null or of another type than expected leaves the target as
/// it was, and an element of another type is left out of a list. What a caller cannot do without (an id it asked for)
/// is read with json::at and get_to instead, which throw nlohmann::json::exception.
namespace bidi::detail {

// Writing.

template <class T>
json encode(const T& value) {
    return json(value);
}

template <class T>
json encode(const Nullable<T>& nullable) {
    return nullable.value ? encode(*nullable.value) : json(nullptr);
}

template <class... Ts>
json encode(const std::variant<Ts...>& alternatives) {
    return std::visit([](const auto& value) { return encode(value); }, alternatives);
}

template <class T>
void set_if(json& object, const char* name, const std::optional<T>& value) {
    if (value) object[name] = encode(*value);
}

/// An empty list counts as not given: no list of the protocol means something else when it is empty.
template <class T>
void set_if(json& object, const char* name, const std::vector<T>& values) {
    if (values.empty()) return;
    json& list = object[name] = json::array();
    for (const T& value : values) list.push_back(encode(value));
}

/// Adds the members of `extra` that `object` does not have yet.
void add_extra(json& object, const json& extra);

// Reading.

bool decode(const json& from, bool& to);
bool decode(const json& from, double& to);
bool decode(const json& from, std::int64_t& to);
bool decode(const json& from, std::uint64_t& to);
bool decode(const json& from, std::string& to);
bool decode(const json& from, json& to);

template <class Self>
bool decode(const json& from, Word<Self>& to) {
    std::string text;
    if (!decode(from, text)) return false;
    to = Word<Self>(std::move(text));
    return true;
}

template <class T>
concept Structure = std::is_class_v<T> && requires(const json& from, T& to) {
    from_json(from, to);
};

template <Structure T>
bool decode(const json& from, T& to) {
    if (!from.is_object()) return false;
    from_json(from, to);
    return true;
}

template <class T>
bool decode(const json& from, std::vector<T>& to) {
    if (!from.is_array()) return false;
    to.clear();
    for (const json& element : from) {
        if (T value{}; decode(element, value)) to.push_back(std::move(value));
    }
    return true;
}

template <class T>
bool decode(const json& from, std::optional<T>& to) {
    T value{};
    if (from.is_null() || !decode(from, value)) return false;
    to = std::move(value);
    return true;
}

/// Reads the member `name` of `object` into `to`.
template <class T>
void read(const json& object, const char* name, T& to) {
    if (!object.is_object()) return;
    if (const auto member = object.find(name); member != object.end()) decode(*member, to);
}

/// The members of `object` whose names are not in `known`.
json unknown_members(const json& object, std::initializer_list<std::string_view> known);

}  // namespace bidi::detail
