#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace spdlog::sinks {
class sink;
}

/// What the service tells its operator: spdlog, set up once, and events with fields on top of it. One event is always
/// one line, whatever a browser, a request or a file name put into it.
namespace foxbench::log {

using Json = nlohmann::ordered_json;

enum class Format {
    human,  ///< 2026-09-16T05:13:01.982Z info run.finished: the run has ended run=2026-... seconds=12.5
    json    ///< {"time":"2026-09-16T05:13:01.982Z","level":"info","event":"run.finished","message":...,"run":...}
};

enum class Level { debug, info, warn, error };

[[nodiscard]] const char* to_string(Level level) noexcept;
/// "debug", "info", "warn", "error"; "human", "json". Both throw foxbench::Error (usage) for another word, naming the
/// known ones.
[[nodiscard]] Level level_from(std::string_view word);
[[nodiscard]] Format format_from(std::string_view word);

struct Options {
    Format format = Format::human;
    Level level = Level::info;
};

/// Sends everything that is logged from now on, also by spdlog's own functions, to standard error: coloured where that
/// is a terminal and the format is human. Messages of spdlog's own functions are events named "log". May be called
/// again; call it while no other thread logs.
void set_up(const Options& options);
/// The same to another place.
void set_up(const Options& options, std::shared_ptr<spdlog::sinks::sink> sink);

/// Changes what is logged from now on; from any thread.
void set_level(Level level);
[[nodiscard]] Level level();

/// One fact of an event: `{"run", id}`, `{"seconds", 12.5}`.
struct Field {
    Field(std::string_view field_name, Json field_value) : name(field_name), value(std::move(field_value)) {}

    std::string_view name;
    Json value;
};
using Fields = std::initializer_list<Field>;

/// Logs one event. `name` is for programs and stays the same between versions ("run.finished"); `message` is for
/// people; the fields become members of the JSON line. A field with the name of one of the line's own members (time,
/// level, event, message) is written with an underscore behind it. From any thread; never throws.
void event(Level level, std::string_view name, std::string_view message, Fields fields = {}) noexcept;

inline void debug(std::string_view name, std::string_view message, Fields fields = {}) noexcept {
    event(Level::debug, name, message, fields);
}
inline void info(std::string_view name, std::string_view message, Fields fields = {}) noexcept {
    event(Level::info, name, message, fields);
}
inline void warn(std::string_view name, std::string_view message, Fields fields = {}) noexcept {
    event(Level::warn, name, message, fields);
}
inline void error(std::string_view name, std::string_view message, Fields fields = {}) noexcept {
    event(Level::error, name, message, fields);
}

}  // namespace foxbench::log
