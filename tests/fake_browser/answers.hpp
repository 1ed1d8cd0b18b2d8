#pragma once

#include <string>
#include <variant>

#include <sys/types.h>

#include "bidi/json.hpp"

/// What a well-behaved browser answers. Pure.
namespace foxbench::fake_browser {

using bidi::json;

/// Its only tab, and the realm of the page in it.
inline constexpr const char* kTab = "tab-1";
inline constexpr const char* kRealm = "realm-1";

/// What the browser says of itself.
struct Identity {
    std::string version, build_id, profile;
    pid_t pid = 0;
};

struct Refusal {
    std::string code, message;
};

/// The result of a command that changes nothing, or why there is none.
[[nodiscard]] std::variant<json, Refusal> result_of(const json& command, const Identity& identity);

[[nodiscard]] json success(const json& command, json result);
[[nodiscard]] json failure(const json& command, const Refusal& refusal);
[[nodiscard]] json event(const std::string& method, json params);

/// The result of a script that gave `value`.
[[nodiscard]] json script_result(json value);
/// The event that carries a text through a channel.
[[nodiscard]] json channel_message(const std::string& channel, const std::string& text);

}  // namespace foxbench::fake_browser
