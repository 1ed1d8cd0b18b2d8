#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

namespace foxbench::yaml {

/// One value of a YAML file that knows where it stands. Every fault becomes one line: `file:line:column: member: what
/// was expected`, thrown as foxbench::Error (usage). Values are cheap to copy and share the loaded file; not
/// thread-safe.
class Value {
public:
    /// Reads and parses a file. Throws also where the file cannot be read or holds more than one document.
    [[nodiscard]] static Value load(const std::filesystem::path& file);
    /// The same from text; `origin` stands for the file's name in messages.
    [[nodiscard]] static Value parse(const std::string& text, std::string origin);

    [[nodiscard]] bool is_null() const;
    [[nodiscard]] bool is_map() const;
    [[nodiscard]] bool is_list() const;
    [[nodiscard]] bool is_scalar() const;

    [[nodiscard]] std::string string() const;
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::int64_t integer(std::int64_t min = std::numeric_limits<std::int64_t>::min(),
                                       std::int64_t max = std::numeric_limits<std::int64_t>::max()) const;
    [[nodiscard]] double number() const;
    /// As JSON: plain scalars become booleans, numbers or null where they read as such, quoted ones stay strings.
    [[nodiscard]] nlohmann::ordered_json json() const;

    /// A list's items.
    [[nodiscard]] std::vector<Value> items() const;
    /// A map's members in the file's order; a key that stands there twice is refused. An empty value is an empty map.
    [[nodiscard]] std::vector<std::pair<std::string, Value>> members() const;
    /// Refuses every member that is not one of `known`, naming the nearest that is.
    void allow_only(std::initializer_list<std::string_view> known) const;
    [[nodiscard]] std::optional<Value> find(std::string_view key) const;
    /// A member that has to be there.
    [[nodiscard]] Value at(std::string_view key) const;

    /// "file:line:column".
    [[nodiscard]] std::string where() const;
    /// Throws the error that this value is not what was expected.
    [[noreturn]] void fail(const std::string& what) const;

private:
    struct Node;
    Value(std::shared_ptr<const Node> node, std::shared_ptr<const std::string> origin, std::string path);
    [[nodiscard]] Value child(std::shared_ptr<const Node> node, const std::string& name) const;

    std::shared_ptr<const Node> node_;
    std::shared_ptr<const std::string> origin_;
    std::string path_;
};

}  // namespace foxbench::yaml
