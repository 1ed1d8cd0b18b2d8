#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/session.hpp"

/// The events of the browsingContext module: https://w3c.github.io/webdriver-bidi/#module-browsingContext-events
/// Each is received with bidi::on once session.subscribe has switched it on.
namespace bidi::browsing_context {

/// browsingContext.NavigationInfo.
struct NavigationInfo {
    std::string context;
    std::optional<std::string> navigation;
    std::uint64_t timestamp_ms = 0;  ///< since 1970
    std::string url;
    std::optional<std::string> user_context;
};

/// browsingContext.UserPromptType.
struct UserPromptType : Word<UserPromptType> {
    using Word::Word;
    static const UserPromptType alert, beforeunload, confirm, prompt;
};
inline const UserPromptType UserPromptType::alert{"alert"};
inline const UserPromptType UserPromptType::beforeunload{"beforeunload"};
inline const UserPromptType UserPromptType::confirm{"confirm"};
inline const UserPromptType UserPromptType::prompt{"prompt"};

/// How a download ended.
struct DownloadStatus : Word<DownloadStatus> {
    using Word::Word;
    static const DownloadStatus canceled, complete;
};
inline const DownloadStatus DownloadStatus::canceled{"canceled"};
inline const DownloadStatus DownloadStatus::complete{"complete"};

/// Sent on subscribing too, for each context that is there already.
struct ContextCreated : Info {
    static constexpr std::string_view kMethod = "browsingContext.contextCreated";
};

struct ContextDestroyed : Info {
    static constexpr std::string_view kMethod = "browsingContext.contextDestroyed";
};

struct NavigationStarted : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.navigationStarted";
};

struct FragmentNavigated : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.fragmentNavigated";
};

/// history.pushState or replaceState changed the URL.
struct HistoryUpdated {
    static constexpr std::string_view kMethod = "browsingContext.historyUpdated";
    std::string context;
    std::uint64_t timestamp_ms = 0;  ///< since 1970
    std::string url;
    std::optional<std::string> user_context;
};

struct DomContentLoaded : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.domContentLoaded";
};

struct Load : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.load";
};

struct DownloadWillBegin : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.downloadWillBegin";
    std::string download;  ///< empty from browsers older than the member
    std::string suggested_filename;
};

struct DownloadEnd : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.downloadEnd";
    std::string download;  ///< empty from browsers older than the member
    DownloadStatus status;
    std::optional<std::string> filepath;  ///< complete downloads only, where the browser says it
};

struct NavigationAborted : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.navigationAborted";
};

struct NavigationCommitted : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.navigationCommitted";
};

struct NavigationFailed : NavigationInfo {
    static constexpr std::string_view kMethod = "browsingContext.navigationFailed";
};

struct UserPromptClosed {
    static constexpr std::string_view kMethod = "browsingContext.userPromptClosed";
    std::string context;
    bool accepted = false;
    UserPromptType type;
    std::optional<std::string> user_context;
    std::optional<std::string> user_text;
};

struct UserPromptOpened {
    static constexpr std::string_view kMethod = "browsingContext.userPromptOpened";
    std::string context;
    session::UserPromptHandlerType handler;  ///< what the browser is about to do by itself
    std::string message;
    UserPromptType type;
    std::optional<std::string> user_context;
    std::optional<std::string> default_value;
};

void from_json(const json& in, NavigationInfo& info);
void from_json(const json& in, HistoryUpdated& event);
void from_json(const json& in, DownloadWillBegin& event);
void from_json(const json& in, DownloadEnd& event);
void from_json(const json& in, UserPromptClosed& event);
void from_json(const json& in, UserPromptOpened& event);

}  // namespace bidi::browsing_context
