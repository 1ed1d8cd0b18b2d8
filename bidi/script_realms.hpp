#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bidi/json.hpp"

namespace bidi {

/// Where a script command runs, as far as its parameters tell (section 7.7.2.24 "script.Target").
struct ScriptScope {
    std::string context;         ///< browsing context; empty if only a realm is named
    std::string sandbox;         ///< empty: the page's own realm
    std::string realm;           ///< empty: the present one of the context
    std::string expected_realm;  ///< what that was when the command was sent; empty: not known
    bool awaits_promise = true;  ///< what only runs to its end is answered in spite of a navigation that begins
};

/// The scope of a command, or nothing if it is not one of the script commands that may never be answered.
/// @param context what the caller says the call depends on; it wins over the parameters
[[nodiscard]] std::optional<ScriptScope> script_scope(std::string_view method, const json& params,
                                                      std::string_view context);

/// Which realm a browsing context's scripts run in at present, from the events `script.realmCreated` and from results.
/// Pure; not thread-safe.
class ScriptRealms {
public:
    /// Takes in the parameters of `script.realmCreated`. Other realms than windows' have no browsing context.
    void created(const json& params);
    /// A result says which realm the command's target was.
    void learn(const ScriptScope& scope, const json& result);
    void destroyed(std::string_view realm);
    void context_destroyed(std::string_view context);

    /// The present realm of a context and sandbox; empty if it is not known.
    [[nodiscard]] std::string current(const std::string& context, const std::string& sandbox) const;

private:
    void set(const std::string& context, const std::string& sandbox, const std::string& realm);

    std::map<std::pair<std::string, std::string>, std::string> realms_;  // by context and sandbox
};

}  // namespace bidi
