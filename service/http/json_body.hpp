#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/http/problem.hpp"
#include "service/http/request.hpp"

/// JSON that clients send. Pure.
namespace foxbench::http {

/// Reads a body that has to be one JSON value. Throws Problem (400) for what document::parse_json() refuses: no JSON,
/// NaN, numbers beyond a double, wrong UTF-8, duplicate members, nesting beyond 64.
[[nodiscard]] Json parse_body(std::string_view body);

/// Reads the members of an object and collects what is wrong with them, so that a client learns of every fault at once:
/// read everything, then finish(). A member that is absent or null reads as nothing. The object has to outlive it.
class BodyReader {
public:
    explicit BodyReader(const Json& object, std::string pointer = "");

    /// A text of at most `most` code points without control characters.
    [[nodiscard]] std::optional<std::string> text(std::string_view name, std::size_t most);
    /// The same, where line breaks and tabs are allowed.
    [[nodiscard]] std::optional<std::string> lines(std::string_view name, std::size_t most);
    /// A whole number, also one written as 5.0.
    [[nodiscard]] std::optional<std::int64_t> count(std::string_view name, std::int64_t least, std::int64_t most);
    [[nodiscard]] std::optional<bool> flag(std::string_view name);
    /// A list of 1 to `most_items` different texts.
    [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view name, std::size_t most_items,
                                                                std::size_t most);
    /// An object, which the caller reads; null where it is absent or something else.
    [[nodiscard]] const Json* object(std::string_view name);

    /// Adds a fault that the caller found: of a member, or of the object itself with "".
    void fault(std::string_view name, std::string detail);
    /// Throws Problem (422) with every fault, also each member that nobody asked for.
    void finish();

private:
    [[nodiscard]] const Json* member(std::string_view name);
    [[nodiscard]] std::optional<std::string> checked_text(std::string_view name, std::size_t most, bool line_breaks);

    const Json& object_;
    std::string pointer_;
    std::vector<std::string> known_;
    std::vector<BodyFault> faults_;
};

}  // namespace foxbench::http
