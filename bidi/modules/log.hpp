#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bidi/modules/script.hpp"

/// The log module: https://w3c.github.io/webdriver-bidi/#module-log
namespace bidi::log {

/// log.Level.
struct Level : Word<Level> {
    using Word::Word;
    static const Level debug, info, warn, error;
};
inline const Level Level::debug{"debug"};
inline const Level Level::info{"info"};
inline const Level Level::warn{"warn"};
inline const Level Level::error{"error"};

/// log.Entry. `type` is "console" (a call of the page's console, with method and args), "javascript" (an error that
/// nobody caught) or a browser's own.
struct Entry {
    std::string type;
    Level level;
    script::Source source;
    std::optional<std::string> text;
    std::uint64_t timestamp_ms = 0;  ///< since 1970
    std::optional<script::StackTrace> stack_trace;
    std::optional<std::string> method;      ///< console only: "log", "warn", ...
    std::vector<script::RemoteValue> args;  ///< console only
};

/// log.entryAdded. Entries from before session.subscribe are sent then.
struct EntryAdded : Entry {
    static constexpr std::string_view kMethod = "log.entryAdded";
};

void from_json(const json& in, Entry& entry);

}  // namespace bidi::log
