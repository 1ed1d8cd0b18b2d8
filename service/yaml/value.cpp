#include "service/yaml/value.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>

#include <yaml-cpp/yaml.h>

#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::yaml {

struct Value::Node {
    YAML::Node yaml;
};

namespace {

/// A configuration nests a few levels; deeper is a mistake or an attack on the recursion.
constexpr int kMaxDepth = 64;

template <class Number>
std::optional<Number> whole_number(const std::string& text) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

std::optional<bool> truth(const std::string& text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return std::nullopt;
}

/// Quoted scalars carry the tag "!": they are strings whatever they look like.
bool is_quoted(const YAML::Node& node) {
    return node.Tag() == "!";
}

nlohmann::ordered_json to_json(const YAML::Node& node, int depth) {
    if (depth > kMaxDepth) throw Error(ErrorCode::usage, "nested too deeply");
    if (node.IsMap()) {
        auto object = nlohmann::ordered_json::object();
        for (const auto& member : node) object[member.first.Scalar()] = to_json(member.second, depth + 1);
        return object;
    }
    if (node.IsSequence()) {
        auto array = nlohmann::ordered_json::array();
        for (const auto& item : node) array.push_back(to_json(item, depth + 1));
        return array;
    }
    if (!node.IsScalar()) return nullptr;
    const std::string& text = node.Scalar();
    if (!is_quoted(node)) {
        if (const auto value = truth(text)) return *value;
        if (const auto value = whole_number<std::int64_t>(text)) return *value;
        if (const auto value = whole_number<double>(text)) return *value;
    }
    return text;
}

std::string position(const std::string& origin, const YAML::Mark& mark) {
    if (mark.is_null()) return origin;
    return origin + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
}

}  // namespace

Value::Value(std::shared_ptr<const Node> node, std::shared_ptr<const std::string> origin, std::string path)
    : node_(std::move(node)), origin_(std::move(origin)), path_(std::move(path)) {}

Value Value::load(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (stream) text << stream.rdbuf();
    if (!stream)
        throw Error(ErrorCode::usage, file.string() + ": cannot be read: " + std::generic_category().message(errno));
    return parse(text.str(), file.string());
}

Value Value::parse(const std::string& text, std::string origin) {
    try {
        auto documents = YAML::LoadAll(text);
        if (documents.size() > 1) throw Error(ErrorCode::usage, origin + ": holds more than one YAML document");
        auto node = std::make_shared<const Node>(Node{documents.empty() ? YAML::Node() : documents.front()});
        return Value(std::move(node), std::make_shared<const std::string>(std::move(origin)), "");
    } catch (const YAML::Exception& error) {
        throw Error(ErrorCode::usage, position(origin, error.mark) + ": " + error.msg);
    }
}

Value Value::child(std::shared_ptr<const Node> node, const std::string& name) const {
    return Value(std::move(node), origin_, path_.empty() ? name : path_ + "." + name);
}

bool Value::is_null() const {
    return !node_->yaml.IsDefined() || node_->yaml.IsNull();
}
bool Value::is_map() const {
    return node_->yaml.IsMap();
}
bool Value::is_list() const {
    return node_->yaml.IsSequence();
}
bool Value::is_scalar() const {
    return node_->yaml.IsScalar();
}

std::string Value::string() const {
    if (!is_scalar()) fail("expected a text");
    return node_->yaml.Scalar();
}

bool Value::boolean() const {
    if (is_scalar() && !is_quoted(node_->yaml)) {
        if (const auto value = truth(node_->yaml.Scalar())) return *value;
    }
    fail("expected true or false");
}

std::int64_t Value::integer(std::int64_t min, std::int64_t max) const {
    const auto value = is_scalar() ? whole_number<std::int64_t>(node_->yaml.Scalar()) : std::nullopt;
    if (!value) fail("expected a whole number");
    if (*value < min || *value > max)
        fail("expected a number from " + std::to_string(min) + " to " + std::to_string(max));
    return *value;
}

double Value::number() const {
    const auto value = is_scalar() ? whole_number<double>(node_->yaml.Scalar()) : std::nullopt;
    if (!value) fail("expected a number");
    return *value;
}

nlohmann::ordered_json Value::json() const {
    try {
        return to_json(node_->yaml, 0);
    } catch (const Error& error) {
        fail(error.what());
    }
}

std::vector<Value> Value::items() const {
    if (!is_list()) fail("expected a list");
    std::vector<Value> items;
    for (const auto& item : node_->yaml) {
        items.push_back(child(std::make_shared<const Node>(Node{item}), "[" + std::to_string(items.size()) + "]"));
    }
    return items;
}

std::vector<std::pair<std::string, Value>> Value::members() const {
    std::vector<std::pair<std::string, Value>> members;
    if (is_null()) return members;
    if (!is_map()) fail("expected a map of keys and values");
    std::set<std::string> seen;
    for (const auto& member : node_->yaml) {
        const Value key(std::make_shared<const Node>(Node{member.first}), origin_, path_);
        const std::string name = key.string();
        if (!seen.insert(name).second) key.fail("'" + name + "' stands here twice");
        members.emplace_back(name, child(std::make_shared<const Node>(Node{member.second}), name));
    }
    return members;
}

void Value::allow_only(std::initializer_list<std::string_view> known) const {
    const std::vector<std::string> words(known.begin(), known.end());
    if (is_null()) return;
    if (!is_map()) fail("expected a map of keys and values");
    for (const auto& member : node_->yaml) {
        const Value key(std::make_shared<const Node>(Node{member.first}), origin_, path_);
        const std::string name = key.string();
        if (std::ranges::find(words, name) == words.end())
            key.fail("unknown key '" + name + "'." + text::suggestion(name, words));
    }
    (void)members();
}

std::optional<Value> Value::find(std::string_view key) const {
    for (auto& [name, value] : members()) {
        if (name == key) return value;
    }
    return std::nullopt;
}

Value Value::at(std::string_view key) const {
    if (auto value = find(key)) return *value;
    fail("the key '" + std::string(key) + "' is missing");
}

std::string Value::where() const {
    return position(*origin_, node_->yaml.Mark());
}

void Value::fail(const std::string& what) const {
    throw Error(ErrorCode::usage, where() + ": " + (path_.empty() ? "" : path_ + ": ") + what);
}

}  // namespace foxbench::yaml
