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
#include "bidi/modules/script_values.hpp"
#include "bidi/modules/word.hpp"
#include "bidi/task.hpp"

/// The script module: https://w3c.github.io/webdriver-bidi/#module-script
/// What holds for every command is said at bidi::session.
namespace bidi::script {

/// script.StackFrame; lines and columns count from 0.
struct StackFrame {
    std::uint64_t column_number = 0;
    std::string function_name;
    std::uint64_t line_number = 0;
    std::string url;
};

/// script.StackTrace, the innermost call first.
struct StackTrace {
    std::vector<StackFrame> call_frames;
};

/// script.ExceptionDetails; line and column count from 0.
struct ExceptionDetails {
    std::uint64_t column_number = 0;
    RemoteValue exception;
    std::uint64_t line_number = 0;
    StackTrace stack_trace;
    std::string text;  ///< e.g. "TypeError: x is not a function"
    json raw;          ///< all of it as the browser wrote it
};

/// script.EvaluateResult: the value of a script that ran to its end, or the exception that ended it. An exception is a
/// successful answer; only value() makes it one in C++.
class EvaluateResult {
public:
    /// The realm that the script ran in.
    const std::string& realm() const { return realm_; }

    /// The exception that ended the script, or nullptr.
    const ExceptionDetails* exception() const { return std::get_if<ExceptionDetails>(&outcome_); }

    /// The script's value. Throws bidi::ScriptError if it ended with an exception.
    const RemoteValue& value() const&;
    RemoteValue value() &&;  ///< so that `co_await evaluate(...)` can be asked at once

    friend void from_json(const json& in, EvaluateResult& result);

private:
    void throw_exception() const;

    std::string realm_;
    std::variant<RemoteValue, ExceptionDetails> outcome_;
};

/// script.RealmType.
struct RealmType : Word<RealmType> {
    using Word::Word;
    static const RealmType window, dedicated_worker, shared_worker, service_worker, worker, paint_worklet,
        audio_worklet, worklet;
};
inline const RealmType RealmType::window{"window"};
inline const RealmType RealmType::dedicated_worker{"dedicated-worker"};
inline const RealmType RealmType::shared_worker{"shared-worker"};
inline const RealmType RealmType::service_worker{"service-worker"};
inline const RealmType RealmType::worker{"worker"};
inline const RealmType RealmType::paint_worklet{"paint-worklet"};
inline const RealmType RealmType::audio_worklet{"audio-worklet"};
inline const RealmType RealmType::worklet{"worklet"};

/// script.RealmInfo.
struct RealmInfo {
    std::string realm;
    std::string origin;
    RealmType type;
    std::optional<std::string> context;       ///< windows only
    std::optional<std::string> user_context;  ///< windows only
    std::optional<std::string> sandbox;       ///< windows only
    std::vector<std::string> owners;          ///< dedicated workers only: their creators' realms
};

/// script.Source: where a message or a log entry came from.
struct Source {
    std::string realm;
    std::optional<std::string> context;
    std::optional<std::string> user_context;
};

/// script.ContextTarget: the document that the context shows, or a sandbox of that name in it.
struct ContextTarget {
    ContextTarget() = default;
    explicit ContextTarget(std::string id, std::optional<std::string> sandbox_name = std::nullopt)
        : context(std::move(id)), sandbox(std::move(sandbox_name)) {}

    std::string context;
    std::optional<std::string> sandbox;
};

/// script.RealmTarget.
struct RealmTarget {
    RealmTarget() = default;
    explicit RealmTarget(std::string id) : realm(std::move(id)) {}

    std::string realm;
};

using Target = std::variant<ContextTarget, RealmTarget>;

struct AddPreloadScriptOptions {
    AddPreloadScriptOptions() = default;

    std::vector<ChannelProperties> arguments;
    std::vector<std::string> contexts;       ///< only in these top-level contexts; everywhere, if empty
    std::vector<std::string> user_contexts;  ///< only in these; not together with contexts
    std::optional<std::string> sandbox;
};

struct AddPreloadScriptResult {
    std::string script;  ///< the id for remove_preload_script
};

struct CallFunctionOptions {
    CallFunctionOptions() = default;

    std::vector<LocalValue> arguments;
    std::optional<ResultOwnership> result_ownership;
    std::optional<SerializationOptions> serialization_options;
    std::optional<LocalValue> this_value;
    std::optional<bool> user_activation;  ///< as if a user had just clicked
};

struct EvaluateOptions {
    EvaluateOptions() = default;

    std::optional<ResultOwnership> result_ownership;
    std::optional<SerializationOptions> serialization_options;
    std::optional<bool> user_activation;  ///< as if a user had just clicked
};

struct GetRealmsOptions {
    GetRealmsOptions() = default;

    std::optional<std::string> context;
    std::optional<RealmType> type;
};

struct GetRealmsResult {
    std::vector<RealmInfo> realms;
};

/// script.message: a channel function was called in the page. Messages of a command come before its result, in order.
struct Message {
    static constexpr std::string_view kMethod = "script.message";
    std::string channel;
    RemoteValue data;
    Source source;
};

/// script.realmCreated.
struct RealmCreated : RealmInfo {
    static constexpr std::string_view kMethod = "script.realmCreated";
};

/// script.realmDestroyed.
struct RealmDestroyed {
    static constexpr std::string_view kMethod = "script.realmDestroyed";
    std::string realm;
};

void from_json(const json& in, StackFrame& frame);
void from_json(const json& in, StackTrace& trace);
void from_json(const json& in, ExceptionDetails& details);
void from_json(const json& in, EvaluateResult& result);
void from_json(const json& in, RealmInfo& info);
void from_json(const json& in, Source& source);
void from_json(const json& in, AddPreloadScriptResult& result);
void from_json(const json& in, GetRealmsResult& result);
void from_json(const json& in, Message& event);
void from_json(const json& in, RealmDestroyed& event);
void to_json(json& out, const ContextTarget& target);
void to_json(json& out, const RealmTarget& target);

/// script.addPreloadScript: runs the function in every new document before the page's own scripts.
/// Errors: "invalid argument" for a context that is not top-level or for both kinds of contexts, "no such frame",
/// "no such user context".
Task<AddPreloadScriptResult> add_preload_script(Connection& connection, std::string_view function_declaration,
                                                const AddPreloadScriptOptions& options = {}, CallOptions call = {});

/// script.disown: lets go of objects kept alive by ResultOwnership::root; unknown handles are ignored.
/// Errors: "no such frame".
Task<> disown(Connection& connection, const std::vector<std::string>& handles, const Target& target,
              CallOptions call = {});

/// script.callFunction: calls the function that `function_declaration` evaluates to.
///
/// With `await_promise` a browser may never answer once the page navigates or its process ends
/// (w3c/webdriver-bidi#378); Connection::call says which subscriptions turn that into a bidi::DiscardedError before the
/// deadline. Errors: "no such frame", "no such handle", "no such node".
Task<EvaluateResult> call_function(Connection& connection, std::string_view function_declaration, bool await_promise,
                                   const Target& target, const CallFunctionOptions& options = {},
                                   CallOptions call = {});

/// script.evaluate: runs `expression` as a classic script. `await_promise` as for call_function.
/// Errors: "no such frame".
Task<EvaluateResult> evaluate(Connection& connection, std::string_view expression, const Target& target,
                              bool await_promise, const EvaluateOptions& options = {}, CallOptions call = {});

/// script.getRealms.
/// Errors: "no such frame".
Task<GetRealmsResult> get_realms(Connection& connection, const GetRealmsOptions& options = {}, CallOptions call = {});

/// script.removePreloadScript.
/// Errors: "no such script".
Task<> remove_preload_script(Connection& connection, std::string_view script, CallOptions call = {});

}  // namespace bidi::script
