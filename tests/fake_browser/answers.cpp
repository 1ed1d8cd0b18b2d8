#include "tests/fake_browser/answers.hpp"

#include <utility>

namespace foxbench::fake_browser {
namespace {

json tab(const std::string& url) {
    return {{"context", kTab},           {"url", url},        {"userContext", "default"}, {"clientWindow", "window-1"},
            {"originalOpener", nullptr}, {"parent", nullptr}, {"children", nullptr}};
}

/// `foxbench doctor` asks the page about itself.
json evaluated(const json& params) {
    if (params.value("expression", "").find("crossOriginIsolated") == std::string::npos)
        return script_result({{"type", "undefined"}});
    return script_result({{"type", "string"}, {"value", R"({"isolated":true,"opfs":true,"step":20})"}});
}

}  // namespace

std::variant<json, Refusal> result_of(const json& command, const Identity& identity) {
    const auto method = command.at("method").get<std::string>();
    const json params = command.value("params", json::object());
    if (method == "session.new") {
        return json::object({{"sessionId", "session-1"},
                             {"capabilities",
                              {{"acceptInsecureCerts", false},
                               {"browserName", "firefox"},
                               {"browserVersion", identity.version},
                               {"platformName", "linux"},
                               {"setWindowRect", false},
                               {"userAgent", "fake"},
                               {"moz:buildID", identity.build_id},
                               {"moz:processID", identity.pid},
                               {"moz:profile", identity.profile}}}});
    }
    if (method == "session.subscribe") return json::object({{"subscription", "subscription-1"}});
    if (method == "session.unsubscribe" || method == "session.end" || method == "browser.close") return json::object();
    if (method == "browser.getUserContexts") {
        const json context = {{"userContext", "default"}};
        return json::object({{"userContexts", json::array({context})}});
    }
    if (method == "browsingContext.getTree") {
        return json::object({{"contexts", json::array({tab("about:blank")})}});
    }
    if (method == "browsingContext.navigate")
        return json::object({{"navigation", "navigation-1"}, {"url", params.value("url", "")}});
    if (method == "script.evaluate") return evaluated(params);
    if (method == "script.callFunction") return script_result({{"type", "undefined"}});
    return Refusal{"unknown command", method};
}

json success(const json& command, json result) {
    return {{"type", "success"}, {"id", command.at("id")}, {"result", std::move(result)}};
}

json failure(const json& command, const Refusal& refusal) {
    return {{"type", "error"},
            {"id", command.value("id", json())},
            {"error", refusal.code},
            {"message", refusal.message},
            {"stacktrace", ""}};
}

json event(const std::string& method, json params) {
    return {{"type", "event"}, {"method", method}, {"params", std::move(params)}};
}

json script_result(json value) {
    return {{"type", "success"}, {"realm", kRealm}, {"result", std::move(value)}};
}

json channel_message(const std::string& channel, const std::string& text) {
    return event("script.message", {{"channel", channel},
                                    {"data", {{"type", "string"}, {"value", text}}},
                                    {"source", {{"realm", kRealm}, {"context", kTab}}}});
}

}  // namespace foxbench::fake_browser
