#pragma once

#include <span>
#include <string>
#include <string_view>

#include "service/document/run_document.hpp"

/// The preferences that a browser is measured with.
namespace foxbench::browser {

/// How finely a page's clock steps (firefox-bidi.md, finding 8).
enum class Timer {
    standard,  ///< 20 µs in a cross-origin isolated page, as users have it
    precise    ///< about 0.1 µs, by two further preferences
};

/// A value of user.js with why it is there. Exactly one kind of value is meant.
struct MeasuringPreference {
    enum class Kind { boolean, integer, text };

    constexpr MeasuringPreference(std::string_view n, bool value, std::string_view why)
        : name(n), kind(Kind::boolean), integer(value ? 1 : 0), reason(why) {}
    constexpr MeasuringPreference(std::string_view n, int value, std::string_view why)
        : name(n), kind(Kind::integer), integer(value), reason(why) {}
    constexpr MeasuringPreference(std::string_view n, const char* value, std::string_view why)
        : name(n), kind(Kind::text), integer(0), text(value), reason(why) {}

    std::string_view name;
    Kind kind;
    int integer;
    std::string_view text;
    std::string_view reason;
};

/// What every measured browser gets besides what the remote agent sets by itself.
[[nodiscard]] std::span<const MeasuringPreference> measuring_preferences() noexcept;

/// Preferences by name: an object whose values are booleans, integers of 32 bits or strings, names in order.
using Preferences = document::Json;

/// What a launch writes into user.js: the measuring preferences, those of the timer over them, the target's own over
/// both. Throws foxbench::Error (usage), naming the preference, for a value of another type and for a name that is
/// empty or has characters that no preference has. `target` may be null. Pure.
[[nodiscard]] Preferences effective_preferences(const document::Json& target, Timer timer);

/// The text of user.js, one line a preference. Pure.
[[nodiscard]] std::string user_js(const Preferences& preferences);

}  // namespace foxbench::browser
