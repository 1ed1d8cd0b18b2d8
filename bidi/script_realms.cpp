#include "bidi/script_realms.hpp"

namespace bidi {

namespace {

std::string text_member(const json& object, const char* name) {
    if (!object.is_object()) return {};
    const auto member = object.find(name);
    return member != object.end() && member->is_string() ? member->get<std::string>() : std::string();
}

}  // namespace

std::optional<ScriptScope> script_scope(std::string_view method, const json& params, std::string_view context) {
    if (method != "script.evaluate" && method != "script.callFunction") return std::nullopt;
    ScriptScope scope;
    if (const auto target = params.find("target"); target != params.end()) {
        scope.context = text_member(*target, "context");
        scope.sandbox = text_member(*target, "sandbox");
        scope.realm = text_member(*target, "realm");
    }
    if (!context.empty()) scope.context = context;
    if (const auto await = params.find("awaitPromise"); await != params.end() && await->is_boolean()) {
        scope.awaits_promise = await->get<bool>();
    }
    return scope;
}

void ScriptRealms::created(const json& params) {
    set(text_member(params, "context"), text_member(params, "sandbox"), text_member(params, "realm"));
}

void ScriptRealms::learn(const ScriptScope& scope, const json& result) {
    if (scope.realm.empty()) set(scope.context, scope.sandbox, text_member(result, "realm"));
}

void ScriptRealms::destroyed(std::string_view realm) {
    std::erase_if(realms_, [realm](const auto& entry) { return entry.second == realm; });
}

void ScriptRealms::context_destroyed(std::string_view context) {
    std::erase_if(realms_, [context](const auto& entry) { return entry.first.first == context; });
}

std::string ScriptRealms::current(const std::string& context, const std::string& sandbox) const {
    const auto found = realms_.find({context, sandbox});
    return found == realms_.end() ? std::string() : found->second;
}

void ScriptRealms::set(const std::string& context, const std::string& sandbox, const std::string& realm) {
    if (!context.empty() && !realm.empty()) realms_[{context, sandbox}] = realm;
}

}  // namespace bidi
