#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bidi/connection.hpp"
#include "bidi/modules/fields.hpp"
#include "bidi/modules/session.hpp"
#include "bidi/modules/word.hpp"
#include "bidi/task.hpp"

/// The browser module: https://w3c.github.io/webdriver-bidi/#module-browser
/// What holds for every command is said at bidi::session.
namespace bidi::browser {

/// The state of a browser.ClientWindowInfo.
struct ClientWindowState : Word<ClientWindowState> {
    using Word::Word;
    static const ClientWindowState fullscreen, maximized, minimized, normal;
};
inline const ClientWindowState ClientWindowState::fullscreen{"fullscreen"};
inline const ClientWindowState ClientWindowState::maximized{"maximized"};
inline const ClientWindowState ClientWindowState::minimized{"minimized"};
inline const ClientWindowState ClientWindowState::normal{"normal"};

/// browser.ClientWindowInfo; lengths are CSS pixels.
struct ClientWindowInfo {
    bool active = false;
    std::string client_window;
    std::uint64_t height = 0;
    ClientWindowState state;
    std::uint64_t width = 0;
    std::int64_t x = 0;
    std::int64_t y = 0;
};

/// browser.UserContextInfo: an isolated set of storage. "default" is always there.
struct UserContextInfo {
    std::string user_context;
};

struct GetClientWindowsResult {
    std::vector<ClientWindowInfo> client_windows;
};

struct GetUserContextsResult {
    std::vector<UserContextInfo> user_contexts;
};

struct CreateUserContextOptions {
    CreateUserContextOptions() = default;

    std::optional<bool> accept_insecure_certs;
    std::optional<session::ProxyConfiguration> proxy;
    std::optional<session::UserPromptHandler> unhandled_prompt_behavior;
};

/// Where a window in the normal state goes, in CSS pixels; what is not given stays.
struct ClientWindowRect {
    std::optional<std::uint64_t> width;
    std::optional<std::uint64_t> height;
    std::optional<std::int64_t> x;
    std::optional<std::int64_t> y;
};

/// browser.DownloadBehaviorAllowed: downloads go into this folder.
struct DownloadAllowed {
    DownloadAllowed() = default;
    explicit DownloadAllowed(std::string folder) : destination_folder(std::move(folder)) {}

    std::string destination_folder;
};

/// browser.DownloadBehaviorDenied: downloads are cancelled.
struct DownloadDenied {};

using DownloadBehavior = std::variant<DownloadAllowed, DownloadDenied>;

struct SetDownloadBehaviorOptions {
    SetDownloadBehaviorOptions() = default;

    std::vector<std::string> user_contexts;  ///< only these; all, if empty
};

void from_json(const json& in, ClientWindowInfo& info);
void from_json(const json& in, UserContextInfo& info);
void from_json(const json& in, GetClientWindowsResult& result);
void from_json(const json& in, GetUserContextsResult& result);
void to_json(json& out, const DownloadAllowed& behavior);
void to_json(json& out, const DownloadDenied& behavior);

/// browser.close: ends all sessions and the browser, without asking pages. The connection closes after the answer.
/// Errors: "unable to close browser".
Task<> close(Connection& connection, CallOptions call = {});

/// browser.createUserContext.
/// Errors: "unsupported operation" for a proxy or certificates' setting that the browser cannot give a user context.
Task<UserContextInfo> create_user_context(Connection& connection, const CreateUserContextOptions& options = {},
                                          CallOptions call = {});

/// browser.getClientWindows: the windows of the operating system.
Task<GetClientWindowsResult> get_client_windows(Connection& connection, CallOptions call = {});

/// browser.getUserContexts: all of them, "default" included.
Task<GetUserContextsResult> get_user_contexts(Connection& connection, CallOptions call = {});

/// browser.removeUserContext: closes its pages without asking them and forgets its storage.
/// Errors: "invalid argument" for "default", "no such user context".
Task<> remove_user_context(Connection& connection, std::string_view user_context, CallOptions call = {});

/// browser.setClientWindowState. `rect` goes with ClientWindowState::normal only.
/// Errors: "no such client window", "unsupported operation".
Task<ClientWindowInfo> set_client_window_state(Connection& connection, std::string_view client_window,
                                               const ClientWindowState& state, const ClientWindowRect& rect = {},
                                               CallOptions call = {});

/// browser.setDownloadBehavior; no behaviour means the browser's own.
/// Errors: "no such user context", "unsupported operation".
Task<> set_download_behavior(Connection& connection, const std::optional<DownloadBehavior>& behavior,
                             const SetDownloadBehaviorOptions& options = {}, CallOptions call = {});

}  // namespace bidi::browser
