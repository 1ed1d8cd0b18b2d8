#include "bidi/modules/script.hpp"

#include <utility>

#include "bidi/detail/call_as.hpp"

namespace bidi::script {

using detail::call_as;
using detail::encode;
using detail::read;
using detail::set_if;

const RemoteValue& EvaluateResult::value() const& {
    throw_exception();
    return std::get<RemoteValue>(outcome_);
}

RemoteValue EvaluateResult::value() && {
    throw_exception();
    return std::get<RemoteValue>(std::move(outcome_));
}

void EvaluateResult::throw_exception() const {
    if (const ExceptionDetails* details = exception()) throw ScriptError(details->raw);
}

void from_json(const json& in, StackFrame& frame) {
    read(in, "columnNumber", frame.column_number);
    read(in, "functionName", frame.function_name);
    read(in, "lineNumber", frame.line_number);
    read(in, "url", frame.url);
}

void from_json(const json& in, StackTrace& trace) {
    read(in, "callFrames", trace.call_frames);
}

void from_json(const json& in, ExceptionDetails& details) {
    read(in, "columnNumber", details.column_number);
    read(in, "exception", details.exception);
    read(in, "lineNumber", details.line_number);
    read(in, "stackTrace", details.stack_trace);
    read(in, "text", details.text);
    details.raw = in;
}

void from_json(const json& in, EvaluateResult& result) {
    read(in, "realm", result.realm_);
    if (in.at("type") == "exception") {
        result.outcome_ = in.at("exceptionDetails").get<ExceptionDetails>();
    } else {
        result.outcome_ = in.at("result").get<RemoteValue>();
    }
}

void from_json(const json& in, RealmInfo& info) {
    read(in, "realm", info.realm);
    read(in, "origin", info.origin);
    read(in, "type", info.type);
    read(in, "context", info.context);
    read(in, "userContext", info.user_context);
    read(in, "sandbox", info.sandbox);
    read(in, "owners", info.owners);
}

void from_json(const json& in, Source& source) {
    read(in, "realm", source.realm);
    read(in, "context", source.context);
    read(in, "userContext", source.user_context);
}

void from_json(const json& in, AddPreloadScriptResult& result) {
    in.at("script").get_to(result.script);
}

void from_json(const json& in, GetRealmsResult& result) {
    read(in, "realms", result.realms);
}

void from_json(const json& in, Message& event) {
    read(in, "channel", event.channel);
    read(in, "data", event.data);
    read(in, "source", event.source);
}

void from_json(const json& in, RealmDestroyed& event) {
    read(in, "realm", event.realm);
}

void to_json(json& out, const ContextTarget& target) {
    out = {{"context", target.context}};
    set_if(out, "sandbox", target.sandbox);
}

void to_json(json& out, const RealmTarget& target) {
    out = {{"realm", target.realm}};
}

Task<AddPreloadScriptResult> add_preload_script(Connection& connection, std::string_view function_declaration,
                                                const AddPreloadScriptOptions& options, CallOptions call) {
    json params = {{"functionDeclaration", function_declaration}};
    set_if(params, "arguments", options.arguments);
    set_if(params, "contexts", options.contexts);
    set_if(params, "userContexts", options.user_contexts);
    set_if(params, "sandbox", options.sandbox);
    return call_as<AddPreloadScriptResult>(connection, "script.addPreloadScript", std::move(params), std::move(call));
}

Task<> disown(Connection& connection, const std::vector<std::string>& handles, const Target& target, CallOptions call) {
    return call_as<void>(connection, "script.disown", {{"handles", handles}, {"target", encode(target)}},
                         std::move(call));
}

Task<EvaluateResult> call_function(Connection& connection, std::string_view function_declaration, bool await_promise,
                                   const Target& target, const CallFunctionOptions& options, CallOptions call) {
    json params = {
        {"functionDeclaration", function_declaration}, {"awaitPromise", await_promise}, {"target", encode(target)}};
    set_if(params, "arguments", options.arguments);
    set_if(params, "resultOwnership", options.result_ownership);
    set_if(params, "serializationOptions", options.serialization_options);
    set_if(params, "this", options.this_value);
    set_if(params, "userActivation", options.user_activation);
    return call_as<EvaluateResult>(connection, "script.callFunction", std::move(params), std::move(call));
}

Task<EvaluateResult> evaluate(Connection& connection, std::string_view expression, const Target& target,
                              bool await_promise, const EvaluateOptions& options, CallOptions call) {
    json params = {{"expression", expression}, {"target", encode(target)}, {"awaitPromise", await_promise}};
    set_if(params, "resultOwnership", options.result_ownership);
    set_if(params, "serializationOptions", options.serialization_options);
    set_if(params, "userActivation", options.user_activation);
    return call_as<EvaluateResult>(connection, "script.evaluate", std::move(params), std::move(call));
}

Task<GetRealmsResult> get_realms(Connection& connection, const GetRealmsOptions& options, CallOptions call) {
    json params = json::object();
    set_if(params, "context", options.context);
    set_if(params, "type", options.type);
    return call_as<GetRealmsResult>(connection, "script.getRealms", std::move(params), std::move(call));
}

Task<> remove_preload_script(Connection& connection, std::string_view script, CallOptions call) {
    return call_as<void>(connection, "script.removePreloadScript", {{"script", script}}, std::move(call));
}

}  // namespace bidi::script
