#include "bidi/modules/browser.hpp"

#include <utility>

#include "bidi/detail/call_as.hpp"

namespace bidi::browser {

using detail::call_as;
using detail::read;
using detail::set_if;

void from_json(const json& in, ClientWindowInfo& info) {
    read(in, "active", info.active);
    read(in, "clientWindow", info.client_window);
    read(in, "height", info.height);
    read(in, "state", info.state);
    read(in, "width", info.width);
    read(in, "x", info.x);
    read(in, "y", info.y);
}

void from_json(const json& in, UserContextInfo& info) {
    in.at("userContext").get_to(info.user_context);
}

void from_json(const json& in, GetClientWindowsResult& result) {
    read(in, "clientWindows", result.client_windows);
}

void from_json(const json& in, GetUserContextsResult& result) {
    read(in, "userContexts", result.user_contexts);
}

void to_json(json& out, const DownloadAllowed& behavior) {
    out = {{"type", "allowed"}, {"destinationFolder", behavior.destination_folder}};
}

void to_json(json& out, const DownloadDenied&) {
    out = {{"type", "denied"}};
}

Task<> close(Connection& connection, CallOptions call) {
    return call_as<void>(connection, "browser.close", json::object(), std::move(call));
}

Task<UserContextInfo> create_user_context(Connection& connection, const CreateUserContextOptions& options,
                                          CallOptions call) {
    json params = json::object();
    set_if(params, "acceptInsecureCerts", options.accept_insecure_certs);
    set_if(params, "proxy", options.proxy);
    set_if(params, "unhandledPromptBehavior", options.unhandled_prompt_behavior);
    return call_as<UserContextInfo>(connection, "browser.createUserContext", std::move(params), std::move(call));
}

Task<GetClientWindowsResult> get_client_windows(Connection& connection, CallOptions call) {
    return call_as<GetClientWindowsResult>(connection, "browser.getClientWindows", json::object(), std::move(call));
}

Task<GetUserContextsResult> get_user_contexts(Connection& connection, CallOptions call) {
    return call_as<GetUserContextsResult>(connection, "browser.getUserContexts", json::object(), std::move(call));
}

Task<> remove_user_context(Connection& connection, std::string_view user_context, CallOptions call) {
    return call_as<void>(connection, "browser.removeUserContext", {{"userContext", user_context}}, std::move(call));
}

Task<ClientWindowInfo> set_client_window_state(Connection& connection, std::string_view client_window,
                                               const ClientWindowState& state, const ClientWindowRect& rect,
                                               CallOptions call) {
    json params = {{"clientWindow", client_window}, {"state", state}};
    set_if(params, "width", rect.width);
    set_if(params, "height", rect.height);
    set_if(params, "x", rect.x);
    set_if(params, "y", rect.y);
    return call_as<ClientWindowInfo>(connection, "browser.setClientWindowState", std::move(params), std::move(call));
}

Task<> set_download_behavior(Connection& connection, const std::optional<DownloadBehavior>& behavior,
                             const SetDownloadBehaviorOptions& options, CallOptions call) {
    json params = {{"downloadBehavior", behavior ? detail::encode(*behavior) : json(nullptr)}};
    set_if(params, "userContexts", options.user_contexts);
    return call_as<void>(connection, "browser.setDownloadBehavior", std::move(params), std::move(call));
}

}  // namespace bidi::browser
