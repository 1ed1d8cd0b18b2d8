#include "bidi/modules/script_values.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace bidi::script {
namespace {

using detail::set_if;

/// How deep plain() follows nested values: what a page builds must not overflow this process's stack.
constexpr int kMaxPlainDepth = 500;

LocalValue typed(const char* type) {
    return LocalValue(json{{"type", type}});
}

LocalValue typed(const char* type, json value) {
    return LocalValue(json{{"type", type}, {"value", std::move(value)}});
}

json list_of(const std::vector<LocalValue>& elements) {
    json list = json::array();
    for (const LocalValue& element : elements) list.push_back(element.encoded);
    return list;
}

json plain_of(const json& remote, int depth);

json plain_number(const json& value) {
    using Limits = std::numeric_limits<double>;
    if (!value.is_string()) return value;
    if (value == "-0") return -0.0;
    if (value == "Infinity") return Limits::infinity();
    if (value == "-Infinity") return -Limits::infinity();
    return Limits::quiet_NaN();
}

json plain_list(const json& value, int depth) {
    if (!value.is_array()) return nullptr;
    json list = json::array();
    for (const json& element : value) list.push_back(plain_of(element, depth));
    return list;
}

json plain_mapping(const json& value, int depth) {
    if (!value.is_array()) return nullptr;
    json object = json::object();
    for (const json& entry : value) {
        if (!entry.is_array() || entry.size() != 2) continue;
        const json key = entry[0].is_string() ? entry[0] : plain_of(entry[0], depth);
        object[key.is_string() ? key.get<std::string>() : key.dump()] = plain_of(entry[1], depth);
    }
    return object;
}

std::string plain_regexp(const json& value) {
    std::string pattern;
    std::string flags;
    detail::read(value, "pattern", pattern);
    detail::read(value, "flags", flags);
    return "/" + pattern + "/" + flags;
}

json plain_of(const std::string& type, const json& value, int depth) {
    if (depth >= kMaxPlainDepth) return nullptr;
    if (type == "string" || type == "boolean" || type == "bigint" || type == "date") return value;
    if (type == "number") return plain_number(value);
    if (type == "regexp") return plain_regexp(value);
    if (type == "array" || type == "set" || type == "nodelist" || type == "htmlcollection") {
        return plain_list(value, depth + 1);
    }
    if (type == "object" || type == "map") return plain_mapping(value, depth + 1);
    return nullptr;
}

json plain_of(const json& remote, int depth) {
    std::string type;
    detail::read(remote, "type", type);
    const auto value = remote.is_object() ? remote.find("value") : remote.end();
    return plain_of(type, value == remote.end() ? json() : *value, depth);
}

}  // namespace

json RemoteValue::plain() const {
    return plain_of(type, value, 0);
}

LocalValue undefined_value() {
    return typed("undefined");
}

LocalValue null_value() {
    return typed("null");
}

LocalValue boolean_value(bool value) {
    return typed("boolean", value);
}

LocalValue string_value(std::string_view text) {
    return typed("string", text);
}

LocalValue number_value(double number) {
    if (std::isnan(number)) return typed("number", "NaN");
    if (std::isinf(number)) return typed("number", number > 0 ? "Infinity" : "-Infinity");
    if (number == 0 && std::signbit(number)) return typed("number", "-0");
    return typed("number", number);
}

LocalValue bigint_value(std::string_view digits) {
    return typed("bigint", digits);
}

LocalValue date_value(std::string_view text) {
    return typed("date", text);
}

LocalValue regexp_value(std::string_view pattern, std::string_view flags) {
    json value = {{"pattern", pattern}};
    if (!flags.empty()) value["flags"] = flags;
    return typed("regexp", std::move(value));
}

LocalValue array_value(const std::vector<LocalValue>& elements) {
    return typed("array", list_of(elements));
}

LocalValue set_value(const std::vector<LocalValue>& elements) {
    return typed("set", list_of(elements));
}

LocalValue object_value(const ObjectEntries& entries) {
    json mapping = json::array();
    for (const auto& [key, value] : entries) mapping.push_back(json::array({key, value.encoded}));
    return typed("object", std::move(mapping));
}

LocalValue map_value(const MapEntries& entries) {
    json mapping = json::array();
    for (const auto& [key, value] : entries) mapping.push_back(json::array({key.encoded, value.encoded}));
    return typed("map", std::move(mapping));
}

LocalValue channel_value(const ChannelProperties& channel) {
    return LocalValue(channel);
}

LocalValue channel_value(std::string_view channel) {
    return channel_value(ChannelProperties(std::string(channel)));
}

LocalValue reference_value(const SharedReference& reference) {
    return LocalValue(reference);
}

LocalValue reference_value(const RemoteObjectReference& reference) {
    return LocalValue(reference);
}

LocalValue reference_value(const RemoteValue& value) {
    if (value.shared_id) return reference_value(SharedReference(*value.shared_id, value.handle));
    if (value.handle) return reference_value(RemoteObjectReference(*value.handle));
    throw std::invalid_argument("cannot refer to a value of type " + value.type +
                                ": it has neither a handle nor a shared id; ask for it with ResultOwnership::root");
}

LocalValue plain_value(const json& data) {
    switch (data.type()) {
        case json::value_t::boolean:
            return boolean_value(data.get<bool>());
        case json::value_t::string:
            return string_value(data.get_ref<const std::string&>());
        case json::value_t::number_float:
            return number_value(data.get<double>());
        case json::value_t::number_integer:
        case json::value_t::number_unsigned:
            return typed("number", data);
        case json::value_t::array: {
            std::vector<LocalValue> elements;
            elements.reserve(data.size());
            for (const json& element : data) elements.push_back(plain_value(element));
            return array_value(elements);
        }
        case json::value_t::object: {
            ObjectEntries entries;
            entries.reserve(data.size());
            for (const auto& [key, value] : data.items()) entries.emplace_back(key, plain_value(value));
            return object_value(entries);
        }
        case json::value_t::null:
        case json::value_t::binary:
        case json::value_t::discarded:
            break;
    }
    return null_value();
}

SharedReference shared_reference(const RemoteValue& value) {
    if (!value.shared_id) {
        throw std::invalid_argument("cannot refer to a value of type " + value.type +
                                    " as a node: it has no shared id");
    }
    return SharedReference(*value.shared_id, value.handle);
}

void to_json(json& out, const SerializationOptions& options) {
    out = json::object();
    set_if(out, "maxDomDepth", options.max_dom_depth);
    set_if(out, "maxObjectDepth", options.max_object_depth);
    set_if(out, "includeShadowTree", options.include_shadow_tree);
}

void to_json(json& out, const SharedReference& reference) {
    out = {{"sharedId", reference.shared_id}};
    set_if(out, "handle", reference.handle);
}

void to_json(json& out, const RemoteObjectReference& reference) {
    out = {{"handle", reference.handle}};
    set_if(out, "sharedId", reference.shared_id);
}

void to_json(json& out, const ChannelProperties& channel) {
    json value = {{"channel", channel.channel}};
    set_if(value, "serializationOptions", channel.serialization_options);
    set_if(value, "ownership", channel.ownership);
    out = {{"type", "channel"}, {"value", std::move(value)}};
}

void to_json(json& out, const LocalValue& value) {
    out = value.encoded;
}

void from_json(const json& in, RemoteValue& value) {
    detail::read(in, "type", value.type);
    detail::read(in, "value", value.value);
    detail::read(in, "handle", value.handle);
    detail::read(in, "internalId", value.internal_id);
    detail::read(in, "sharedId", value.shared_id);
}

}  // namespace bidi::script
