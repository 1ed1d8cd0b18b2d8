#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/document/run_document.hpp"

namespace foxbench::document {

/// The largest number that a run document may hold: above 2^53 - 1 readers of JSON lose whole numbers (RFC 8259 section
/// 6), and no size, time or count of a measurement comes near it.
inline constexpr double kMaxNumber = 9007199254740991.0;

/// Takes one object's members out by name and type, and keeps what nobody asked for. Every fault is a foxbench::Error
/// (usage) that begins with the JSON pointer of the value: "/targets/0/name: expected a string". It refers to the
/// object: keep that alive. A null counts as absent, but is kept in extra().
class ObjectReader {
public:
    /// Throws where `value` is no object.
    ObjectReader(const Json& value, std::string pointer);

    [[nodiscard]] const std::string& pointer() const noexcept { return pointer_; }
    [[nodiscard]] std::string pointer_to(std::string_view name) const;
    /// Whether there is such a member, be it null.
    [[nodiscard]] bool mentions(std::string_view name) const;

    /// The member's value; null where it is absent or null. From now on the member counts as known.
    const Json* find(std::string_view name);
    const Json& require(std::string_view name, std::string_view expected);

    std::optional<std::string> text(std::string_view name);
    std::optional<bool> boolean(std::string_view name);
    /// 0 to kMaxNumber.
    std::optional<double> number(std::string_view name);
    /// The same without a fraction; 8192000.0 is a whole number.
    std::optional<std::int64_t> whole_number(std::string_view name);
    std::optional<Json> object(std::string_view name);
    /// The same, but what is no object is no fault: it stays an unknown member (somebody else's of that name).
    std::optional<Json> object_else_unknown(std::string_view name);
    /// As number() and whole_number(), for members that are written as null where there is no value: here null is what
    /// it is, and it is the absent ones that are noted, in `absent`.
    std::optional<double> nullable_number(std::string_view name, std::vector<std::string>& absent);
    std::optional<std::int64_t> nullable_whole_number(std::string_view name, std::vector<std::string>& absent);

    /// As text(), but must be there and not empty.
    std::string required_text(std::string_view name);
    double required_number(std::string_view name);
    const Json& required_array(std::string_view name);

    /// Counts a member as known, whatever it is, null included.
    void skip(std::string_view name) { skipped_.push_back(name); }
    /// The unknown members and the known ones that are null, in the document's order; null where there are none.
    [[nodiscard]] Json extra() const;

    /// Throws "pointer of name: what".
    [[noreturn]] void fail(std::string_view name, const std::string& what) const;

private:
    const Json* lookup(std::string_view name) const;
    void note_nullable(std::string_view name, std::vector<std::string>& absent);

    const Json& object_;
    std::string pointer_;
    std::vector<std::string_view> known_;
    std::vector<std::string_view> skipped_;
};

/// A number of a run document: not negative, at most kMaxNumber. Throws as ObjectReader does.
[[nodiscard]] double number_from(const Json& value, const std::string& pointer);
[[nodiscard]] std::int64_t whole_number_from(const Json& value, const std::string& pointer);

/// Writes a number the short way: without a fraction where it has none, as it is written in documents.
[[nodiscard]] Json number_to_json(double value);

}  // namespace foxbench::document
