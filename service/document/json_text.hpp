#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

/// JSON text from outside: strict reading and safe writing. Pure functions, callable from any thread.
namespace foxbench::document {

using Json = nlohmann::ordered_json;

/// Arrays and objects inside each other. A run document needs 9; what goes deeper was made to exhaust somebody's stack.
inline constexpr std::size_t kMaxNesting = 64;

/// Reads one JSON value (RFC 8259) and nothing after it. Throws foxbench::Error (usage) for text that is no JSON, with
/// line and column, also for NaN, numbers beyond a double and invalid UTF-8; and, with the JSON pointer of the place,
/// for an object with the same member twice (readers disagree on which one counts) and for nesting beyond kMaxNesting.
/// `origin` names the source in messages ("run.json", "the request").
[[nodiscard]] Json parse_json(std::string_view text, std::string_view origin);

/// Writes JSON: compact with `indent` -1, else with so many blanks a level. Never throws for what a string holds: bytes
/// that are no UTF-8 (a browser's output can have them) become U+FFFD. What could steer a terminal is escaped: besides
/// what JSON demands also DEL and C1 (U+0080 to U+009F).
[[nodiscard]] std::string to_text(const Json& json, int indent = -1);

/// One more step of a JSON pointer (RFC 6901): "/targets/0" and "a/b" give "/targets/0/a~1b".
[[nodiscard]] std::string pointer_to(std::string_view parent, std::string_view member);
[[nodiscard]] std::string pointer_to(std::string_view parent, std::size_t index);

/// What of `text` can stand in a one-line message: control characters (C1 too) and bytes that are no UTF-8 become '?',
/// and it is cut at `max_bytes`.
[[nodiscard]] std::string printable(std::string_view text, std::size_t max_bytes = 120);

}  // namespace foxbench::document
