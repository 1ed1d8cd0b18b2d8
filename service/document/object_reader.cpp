#include "service/document/object_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "service/document/json_text.hpp"
#include "service/error.hpp"

namespace foxbench::document {
namespace {

[[noreturn]] void fail_at(const std::string& pointer, const std::string& what) {
    throw Error(ErrorCode::usage, printable(pointer.empty() ? "/" : pointer, 300) + ": " + what);
}

}  // namespace

double number_from(const Json& value, const std::string& pointer) {
    if (!value.is_number()) fail_at(pointer, "expected a number");
    const auto number = value.get<double>();
    if (number < 0) fail_at(pointer, "expected a number that is not negative");
    if (!(number <= kMaxNumber)) fail_at(pointer, "the number is too large");
    return number;
}

std::int64_t whole_number_from(const Json& value, const std::string& pointer) {
    const double number = number_from(value, pointer);
    if (number != std::floor(number)) fail_at(pointer, "expected a whole number");
    return static_cast<std::int64_t>(number);
}

Json number_to_json(double value) {
    if (value == std::floor(value) && std::fabs(value) <= kMaxNumber) return static_cast<std::int64_t>(value);
    return value;
}

ObjectReader::ObjectReader(const Json& value, std::string pointer) : object_(value), pointer_(std::move(pointer)) {
    if (!value.is_object()) fail_at(pointer_, "expected an object");
}

std::string ObjectReader::pointer_to(std::string_view name) const {
    return document::pointer_to(pointer_, name);
}

const Json* ObjectReader::lookup(std::string_view name) const {
    for (const auto& [key, value] : object_.get_ref<const Json::object_t&>()) {
        if (key == name) return &value;
    }
    return nullptr;
}

bool ObjectReader::mentions(std::string_view name) const {
    return lookup(name) != nullptr;
}

const Json* ObjectReader::find(std::string_view name) {
    known_.push_back(name);
    const Json* value = lookup(name);
    return value == nullptr || value->is_null() ? nullptr : value;
}

const Json& ObjectReader::require(std::string_view name, std::string_view expected) {
    const Json* value = find(name);
    if (value == nullptr) fail(name, "missing; expected " + std::string(expected));
    return *value;
}

std::optional<std::string> ObjectReader::text(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string()) fail(name, "expected a string");
    return value->get<std::string>();
}

std::optional<bool> ObjectReader::boolean(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) fail(name, "expected true or false");
    return value->get<bool>();
}

std::optional<double> ObjectReader::number(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    return number_from(*value, pointer_to(name));
}

std::optional<std::int64_t> ObjectReader::whole_number(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    return whole_number_from(*value, pointer_to(name));
}

std::optional<Json> ObjectReader::object(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) return std::nullopt;
    if (!value->is_object()) fail(name, "expected an object");
    return *value;
}

std::optional<Json> ObjectReader::object_else_unknown(std::string_view name) {
    const Json* value = lookup(name);
    return value != nullptr && value->is_object() ? object(name) : std::nullopt;
}

void ObjectReader::note_nullable(std::string_view name, std::vector<std::string>& absent) {
    skip(name);
    if (!mentions(name)) absent.emplace_back(name);
}

std::optional<double> ObjectReader::nullable_number(std::string_view name, std::vector<std::string>& absent) {
    note_nullable(name, absent);
    return number(name);
}

std::optional<std::int64_t> ObjectReader::nullable_whole_number(std::string_view name,
                                                                std::vector<std::string>& absent) {
    note_nullable(name, absent);
    return whole_number(name);
}

std::string ObjectReader::required_text(std::string_view name) {
    require(name, "a string");
    std::string value = *text(name);
    if (value.empty()) fail(name, "expected a string that is not empty");
    return value;
}

double ObjectReader::required_number(std::string_view name) {
    return number_from(require(name, "a number"), pointer_to(name));
}

const Json& ObjectReader::required_array(std::string_view name) {
    const Json& value = require(name, "an array");
    if (!value.is_array()) fail(name, "expected an array");
    return value;
}

Json ObjectReader::extra() const {
    const auto has = [](const std::vector<std::string_view>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    Json unknown;
    for (const auto& [key, value] : object_.get_ref<const Json::object_t&>()) {
        if (has(skipped_, key) || (!value.is_null() && has(known_, key))) continue;
        if (unknown.is_null()) unknown = Json::object();
        unknown.get_ref<Json::object_t&>().emplace_back(key, value);
    }
    return unknown;
}

void ObjectReader::fail(std::string_view name, const std::string& what) const {
    fail_at(pointer_to(name), what);
}

}  // namespace foxbench::document
