#include "bidi/modules/session.hpp"

#include <utility>

#include "bidi/detail/call_as.hpp"

namespace bidi::session {

using detail::call_as;
using detail::read;
using detail::set_if;

void to_json(json& out, const UserPromptHandler& handler) {
    out = json::object();
    set_if(out, "alert", handler.alert);
    set_if(out, "beforeUnload", handler.before_unload);
    set_if(out, "confirm", handler.confirm);
    set_if(out, "default", handler.by_default);
    set_if(out, "file", handler.file);
    set_if(out, "prompt", handler.prompt);
}

void from_json(const json& in, UserPromptHandler& handler) {
    read(in, "alert", handler.alert);
    read(in, "beforeUnload", handler.before_unload);
    read(in, "confirm", handler.confirm);
    read(in, "default", handler.by_default);
    read(in, "file", handler.file);
    read(in, "prompt", handler.prompt);
}

void to_json(json& out, const ProxyConfiguration& proxy) {
    out = {{"proxyType", proxy.type}};
    set_if(out, "httpProxy", proxy.http_proxy);
    set_if(out, "sslProxy", proxy.ssl_proxy);
    set_if(out, "socksProxy", proxy.socks_proxy);
    set_if(out, "socksVersion", proxy.socks_version);
    set_if(out, "noProxy", proxy.no_proxy);
    set_if(out, "proxyAutoconfigUrl", proxy.proxy_autoconfig_url);
    detail::add_extra(out, proxy.extra);
}

void from_json(const json& in, ProxyConfiguration& proxy) {
    proxy.type = ProxyType();
    read(in, "proxyType", proxy.type);
    read(in, "httpProxy", proxy.http_proxy);
    read(in, "sslProxy", proxy.ssl_proxy);
    read(in, "socksProxy", proxy.socks_proxy);
    read(in, "socksVersion", proxy.socks_version);
    read(in, "noProxy", proxy.no_proxy);
    read(in, "proxyAutoconfigUrl", proxy.proxy_autoconfig_url);
    proxy.extra = detail::unknown_members(
        in, {"proxyType", "httpProxy", "sslProxy", "socksProxy", "socksVersion", "noProxy", "proxyAutoconfigUrl"});
}

void to_json(json& out, const CapabilityRequest& request) {
    out = json::object();
    set_if(out, "acceptInsecureCerts", request.accept_insecure_certs);
    set_if(out, "browserName", request.browser_name);
    set_if(out, "browserVersion", request.browser_version);
    set_if(out, "platformName", request.platform_name);
    set_if(out, "proxy", request.proxy);
    set_if(out, "unhandledPromptBehavior", request.unhandled_prompt_behavior);
    set_if(out, "webSocketUrl", request.web_socket_url);
    detail::add_extra(out, request.extra);
}

void to_json(json& out, const CapabilitiesRequest& request) {
    out = json::object();
    set_if(out, "alwaysMatch", request.always_match);
    set_if(out, "firstMatch", request.first_match);
}

void from_json(const json& in, Capabilities& capabilities) {
    read(in, "acceptInsecureCerts", capabilities.accept_insecure_certs);
    read(in, "browserName", capabilities.browser_name);
    read(in, "browserVersion", capabilities.browser_version);
    read(in, "platformName", capabilities.platform_name);
    read(in, "setWindowRect", capabilities.set_window_rect);
    read(in, "userAgent", capabilities.user_agent);
    read(in, "proxy", capabilities.proxy);
    read(in, "unhandledPromptBehavior", capabilities.unhandled_prompt_behavior);
    read(in, "webSocketUrl", capabilities.web_socket_url);
    capabilities.extra =
        detail::unknown_members(in, {"acceptInsecureCerts", "browserName", "browserVersion", "platformName",
                                     "setWindowRect", "userAgent", "proxy", "unhandledPromptBehavior", "webSocketUrl"});
}

void from_json(const json& in, NewResult& result) {
    read(in, "sessionId", result.session_id);
    read(in, "capabilities", result.capabilities);
}

void from_json(const json& in, StatusResult& result) {
    read(in, "ready", result.ready);
    read(in, "message", result.message);
}

void from_json(const json& in, SubscribeResult& result) {
    read(in, "subscription", result.subscription);
}

Task<StatusResult> status(Connection& connection, CallOptions call) {
    return call_as<StatusResult>(connection, "session.status", json::object(), std::move(call));
}

Task<NewResult> start(Connection& connection, const CapabilitiesRequest& capabilities, CallOptions call) {
    return call_as<NewResult>(connection, "session.new", {{"capabilities", capabilities}}, std::move(call));
}

Task<> end(Connection& connection, CallOptions call) {
    return call_as<void>(connection, "session.end", json::object(), std::move(call));
}

Task<SubscribeResult> subscribe(Connection& connection, const std::vector<std::string>& events,
                                const SubscribeOptions& options, CallOptions call) {
    json params = {{"events", events}};
    set_if(params, "contexts", options.contexts);
    set_if(params, "userContexts", options.user_contexts);
    return call_as<SubscribeResult>(connection, "session.subscribe", std::move(params), std::move(call));
}

Task<> unsubscribe(Connection& connection, const std::vector<std::string>& subscriptions, CallOptions call) {
    return call_as<void>(connection, "session.unsubscribe", {{"subscriptions", subscriptions}}, std::move(call));
}

Task<> unsubscribe_events(Connection& connection, const std::vector<std::string>& events, CallOptions call) {
    return call_as<void>(connection, "session.unsubscribe", {{"events", events}}, std::move(call));
}

}  // namespace bidi::session
