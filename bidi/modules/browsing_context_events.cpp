#include "bidi/modules/browsing_context_events.hpp"

namespace bidi::browsing_context {

using detail::read;

void from_json(const json& in, NavigationInfo& info) {
    read(in, "context", info.context);
    read(in, "navigation", info.navigation);
    read(in, "timestamp", info.timestamp_ms);
    read(in, "url", info.url);
    read(in, "userContext", info.user_context);
}

void from_json(const json& in, HistoryUpdated& event) {
    read(in, "context", event.context);
    read(in, "timestamp", event.timestamp_ms);
    read(in, "url", event.url);
    read(in, "userContext", event.user_context);
}

void from_json(const json& in, DownloadWillBegin& event) {
    from_json(in, static_cast<NavigationInfo&>(event));
    read(in, "download", event.download);
    read(in, "suggestedFilename", event.suggested_filename);
}

void from_json(const json& in, DownloadEnd& event) {
    from_json(in, static_cast<NavigationInfo&>(event));
    read(in, "download", event.download);
    read(in, "status", event.status);
    read(in, "filepath", event.filepath);
}

void from_json(const json& in, UserPromptClosed& event) {
    read(in, "context", event.context);
    read(in, "accepted", event.accepted);
    read(in, "type", event.type);
    read(in, "userContext", event.user_context);
    read(in, "userText", event.user_text);
}

void from_json(const json& in, UserPromptOpened& event) {
    read(in, "context", event.context);
    read(in, "handler", event.handler);
    read(in, "message", event.message);
    read(in, "type", event.type);
    read(in, "userContext", event.user_context);
    read(in, "defaultValue", event.default_value);
}

}  // namespace bidi::browsing_context
