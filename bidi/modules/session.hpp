#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bidi/connection.hpp"
#include "bidi/modules/fields.hpp"
#include "bidi/modules/word.hpp"
#include "bidi/task.hpp"

/// The session module: https://w3c.github.io/webdriver-bidi/#module-session
///
/// Of every command in this and the other modules: parameters are encoded before the function returns, so arguments
/// need not outlive the call; the task must be awaited on the connection's executor. Parameters that need several
/// members are filled in one by one: their types are no aggregates, since GCC 12 corrupts the strings of a braced
/// temporary aggregate in a `co_await` expression. A command throws bidi::ProtocolError with the browser's error code
/// ("invalid argument" for parameters it does not take, "unknown command" for a command it does not have, "invalid
/// session id" without a session, and what stands at the command), bidi::TimeoutError at the deadline and whatever
/// ended the connection.
namespace bidi::session {

/// session.UserPromptHandlerType: what the browser does by itself with a prompt.
struct UserPromptHandlerType : Word<UserPromptHandlerType> {
    using Word::Word;
    static const UserPromptHandlerType accept, dismiss, ignore;
};
inline const UserPromptHandlerType UserPromptHandlerType::accept{"accept"};
inline const UserPromptHandlerType UserPromptHandlerType::dismiss{"dismiss"};
inline const UserPromptHandlerType UserPromptHandlerType::ignore{"ignore"};

/// session.UserPromptHandler: the behaviour for each type of prompt; `by_default` is for the types that have none.
struct UserPromptHandler {
    UserPromptHandler() = default;
    explicit UserPromptHandler(UserPromptHandlerType everywhere) : by_default(std::move(everywhere)) {}

    std::optional<UserPromptHandlerType> alert;
    std::optional<UserPromptHandlerType> before_unload;
    std::optional<UserPromptHandlerType> confirm;
    std::optional<UserPromptHandlerType> by_default;
    std::optional<UserPromptHandlerType> file;
    std::optional<UserPromptHandlerType> prompt;
};

/// The proxyType of session.ProxyConfiguration.
struct ProxyType : Word<ProxyType> {
    using Word::Word;
    static const ProxyType autodetect, direct, manual, pac, system;
};
inline const ProxyType ProxyType::autodetect{"autodetect"};
inline const ProxyType ProxyType::direct{"direct"};
inline const ProxyType ProxyType::manual{"manual"};
inline const ProxyType ProxyType::pac{"pac"};
inline const ProxyType ProxyType::system{"system"};

/// session.ProxyConfiguration. Hosts are written "host" or "host:port".
struct ProxyConfiguration {
    ProxyConfiguration() = default;
    explicit ProxyConfiguration(ProxyType proxy_type) : type(std::move(proxy_type)) {}

    ProxyType type = ProxyType::system;
    std::optional<std::string> http_proxy;             ///< manual
    std::optional<std::string> ssl_proxy;              ///< manual
    std::optional<std::string> socks_proxy;            ///< manual; needs socks_version
    std::optional<std::uint64_t> socks_version;        ///< manual; 0 to 255
    std::optional<std::vector<std::string>> no_proxy;  ///< manual
    std::optional<std::string> proxy_autoconfig_url;   ///< pac
    json extra = json::object();                       ///< further members, both ways
};

/// session.CapabilityRequest.
struct CapabilityRequest {
    CapabilityRequest() = default;

    std::optional<bool> accept_insecure_certs;
    std::optional<std::string> browser_name;
    std::optional<std::string> browser_version;
    std::optional<std::string> platform_name;
    std::optional<ProxyConfiguration> proxy;
    std::optional<UserPromptHandler> unhandled_prompt_behavior;
    std::optional<bool> web_socket_url;  ///< only a classic WebDriver endpoint needs it
    json extra = json::object();         ///< vendors' capabilities, e.g. "moz:firefoxOptions"
};

/// session.CapabilitiesRequest.
struct CapabilitiesRequest {
    CapabilitiesRequest() = default;
    CapabilitiesRequest(CapabilityRequest required) : always_match(std::move(required)) {}

    std::optional<CapabilityRequest> always_match;
    std::vector<CapabilityRequest> first_match;
};

/// What the browser says about itself and the session.
struct Capabilities {
    bool accept_insecure_certs = false;
    std::string browser_name;
    std::string browser_version;
    std::string platform_name;
    bool set_window_rect = false;
    std::string user_agent;
    std::optional<ProxyConfiguration> proxy;
    std::optional<UserPromptHandler> unhandled_prompt_behavior;
    std::optional<std::string> web_socket_url;
    json extra = json::object();  ///< everything else, e.g. "moz:processID", "moz:buildID", "moz:profile"
};

struct NewResult {
    std::string session_id;
    Capabilities capabilities;
};

struct StatusResult {
    bool ready = false;  ///< whether a session can be started; false while there is one
    std::string message;
};

struct SubscribeResult {
    std::string subscription;  ///< the id for unsubscribe
};

/// Where events are wanted from; everywhere if both are empty. The specification allows only one of them.
struct SubscribeOptions {
    SubscribeOptions() = default;

    std::vector<std::string> contexts;  ///< the top-level traversables of these contexts
    std::vector<std::string> user_contexts;
};

void to_json(json& out, const UserPromptHandler& handler);
void from_json(const json& in, UserPromptHandler& handler);
void to_json(json& out, const ProxyConfiguration& proxy);
void from_json(const json& in, ProxyConfiguration& proxy);
void to_json(json& out, const CapabilityRequest& request);
void to_json(json& out, const CapabilitiesRequest& request);
void from_json(const json& in, Capabilities& capabilities);
void from_json(const json& in, NewResult& result);
void from_json(const json& in, StatusResult& result);
void from_json(const json& in, SubscribeResult& result);

/// session.status: whether a session could be started. Works without a session.
Task<StatusResult> status(Connection& connection, CallOptions call = {});

/// session.new: starts the session of this connection. (`new` is a keyword of C++.)
/// Errors: "session not created" when capabilities do not match or the browser's number of sessions is reached.
Task<NewResult> start(Connection& connection, const CapabilitiesRequest& capabilities = {}, CallOptions call = {});

/// session.end: ends the session; the browser goes on and closes the connection.
Task<> end(Connection& connection, CallOptions call = {});

/// session.subscribe: switches events on, by name ("log.entryAdded") or by module ("log"). One unknown name makes the
/// whole command fail.
/// Errors: "invalid argument" for an unknown event or both kinds of options, "no such frame", "no such user context".
Task<SubscribeResult> subscribe(Connection& connection, const std::vector<std::string>& events,
                                const SubscribeOptions& options = {}, CallOptions call = {});

/// session.unsubscribe by ids of subscriptions, with all that each of them switched on.
/// Errors: "invalid argument" for an id that is not a subscription of this session.
Task<> unsubscribe(Connection& connection, const std::vector<std::string>& subscriptions, CallOptions call = {});

/// session.unsubscribe by attributes: takes the events out of the session's global subscriptions.
/// Errors: "invalid argument" for an event that is unknown or not subscribed to.
Task<> unsubscribe_events(Connection& connection, const std::vector<std::string>& events, CallOptions call = {});

}  // namespace bidi::session
