#include "bidi/modules/browsing_context.hpp"

#include <utility>

#include "bidi/detail/call_as.hpp"

namespace bidi::browsing_context {

using detail::call_as;
using detail::read;
using detail::set_if;

void from_json(const json& in, Info& info) {
    read(in, "children", info.children);
    read(in, "clientWindow", info.client_window);
    read(in, "context", info.context);
    read(in, "originalOpener", info.original_opener);
    read(in, "url", info.url);
    read(in, "userContext", info.user_context);
    read(in, "parent", info.parent);
}

void from_json(const json& in, CaptureScreenshotResult& result) {
    in.at("data").get_to(result.data);
}

void from_json(const json& in, CreateResult& result) {
    in.at("context").get_to(result.context);
    read(in, "userContext", result.user_context);
}

void from_json(const json& in, GetTreeResult& result) {
    read(in, "contexts", result.contexts);
}

void from_json(const json& in, LocateNodesResult& result) {
    read(in, "nodes", result.nodes);
}

void from_json(const json& in, NavigateResult& result) {
    read(in, "navigation", result.navigation);
    read(in, "url", result.url);
}

void from_json(const json& in, PrintResult& result) {
    in.at("data").get_to(result.data);
}

void from_json(const json& in, StartScreencastResult& result) {
    in.at("screencast").get_to(result.screencast);
    read(in, "path", result.path);
}

void from_json(const json& in, StopScreencastResult& result) {
    read(in, "path", result.path);
    read(in, "error", result.error);
}

void to_json(json& out, const ImageFormat& format) {
    out = {{"type", format.type}};
    set_if(out, "quality", format.quality);
}

void to_json(json& out, const BoxClipRectangle& clip) {
    out = {{"type", "box"}, {"x", clip.x}, {"y", clip.y}, {"width", clip.width}, {"height", clip.height}};
}

void to_json(json& out, const ElementClipRectangle& clip) {
    out = {{"type", "element"}, {"element", clip.element}};
}

void to_json(json& out, const AccessibilityLocator& locator) {
    json value = json::object();
    set_if(value, "name", locator.name);
    set_if(value, "role", locator.role);
    out = {{"type", "accessibility"}, {"value", std::move(value)}};
}

void to_json(json& out, const CssLocator& locator) {
    out = {{"type", "css"}, {"value", locator.selector}};
}

void to_json(json& out, const ContextLocator& locator) {
    out = {{"type", "context"}, {"value", {{"context", locator.context}}}};
}

void to_json(json& out, const InnerTextLocator& locator) {
    out = {{"type", "innerText"}, {"value", locator.text}};
    set_if(out, "ignoreCase", locator.ignore_case);
    set_if(out, "matchType", locator.match_type);
    set_if(out, "maxDepth", locator.max_depth);
}

void to_json(json& out, const XPathLocator& locator) {
    out = {{"type", "xpath"}, {"value", locator.expression}};
}

void to_json(json& out, const PrintMargin& margin) {
    out = json::object();
    set_if(out, "bottom", margin.bottom);
    set_if(out, "left", margin.left);
    set_if(out, "right", margin.right);
    set_if(out, "top", margin.top);
}

void to_json(json& out, const PrintPage& page) {
    out = json::object();
    set_if(out, "height", page.height);
    set_if(out, "width", page.width);
}

void to_json(json& out, const Viewport& viewport) {
    out = {{"width", viewport.width}, {"height", viewport.height}};
}

void to_json(json& out, const MediaTrackConstraints& constraints) {
    out = json::object();
    set_if(out, "width", constraints.width);
    set_if(out, "height", constraints.height);
    set_if(out, "frameRate", constraints.frame_rate);
}

Task<> activate(Connection& connection, std::string_view context, CallOptions call) {
    return call_as<void>(connection, "browsingContext.activate", {{"context", context}}, std::move(call));
}

Task<CaptureScreenshotResult> capture_screenshot(Connection& connection, std::string_view context,
                                                 const CaptureScreenshotOptions& options, CallOptions call) {
    json params = {{"context", context}};
    set_if(params, "origin", options.origin);
    set_if(params, "format", options.format);
    set_if(params, "clip", options.clip);
    return call_as<CaptureScreenshotResult>(connection, "browsingContext.captureScreenshot", std::move(params),
                                            std::move(call));
}

Task<> close(Connection& connection, std::string_view context, const CloseOptions& options, CallOptions call) {
    json params = {{"context", context}};
    set_if(params, "promptUnload", options.prompt_unload);
    return call_as<void>(connection, "browsingContext.close", std::move(params), std::move(call));
}

Task<CreateResult> create(Connection& connection, const CreateType& type, const CreateOptions& options,
                          CallOptions call) {
    json params = {{"type", type}};
    set_if(params, "referenceContext", options.reference_context);
    set_if(params, "background", options.background);
    set_if(params, "userContext", options.user_context);
    return call_as<CreateResult>(connection, "browsingContext.create", std::move(params), std::move(call));
}

Task<GetTreeResult> get_tree(Connection& connection, const GetTreeOptions& options, CallOptions call) {
    json params = json::object();
    set_if(params, "maxDepth", options.max_depth);
    set_if(params, "root", options.root);
    return call_as<GetTreeResult>(connection, "browsingContext.getTree", std::move(params), std::move(call));
}

Task<> handle_user_prompt(Connection& connection, std::string_view context, const HandleUserPromptOptions& options,
                          CallOptions call) {
    json params = {{"context", context}};
    set_if(params, "accept", options.accept);
    set_if(params, "userText", options.user_text);
    return call_as<void>(connection, "browsingContext.handleUserPrompt", std::move(params), std::move(call));
}

Task<LocateNodesResult> locate_nodes(Connection& connection, std::string_view context, const Locator& locator,
                                     const LocateNodesOptions& options, CallOptions call) {
    json params = {{"context", context}, {"locator", detail::encode(locator)}};
    set_if(params, "maxNodeCount", options.max_node_count);
    set_if(params, "serializationOptions", options.serialization_options);
    set_if(params, "startNodes", options.start_nodes);
    return call_as<LocateNodesResult>(connection, "browsingContext.locateNodes", std::move(params), std::move(call));
}

Task<NavigateResult> navigate(Connection& connection, std::string_view context, std::string_view url,
                              const NavigateOptions& options, CallOptions call) {
    json params = {{"context", context}, {"url", url}};
    set_if(params, "wait", options.wait);
    return call_as<NavigateResult>(connection, "browsingContext.navigate", std::move(params), std::move(call));
}

Task<PrintResult> print(Connection& connection, std::string_view context, const PrintOptions& options,
                        CallOptions call) {
    json params = {{"context", context}};
    set_if(params, "background", options.background);
    set_if(params, "margin", options.margin);
    set_if(params, "orientation", options.orientation);
    set_if(params, "page", options.page);
    set_if(params, "pageRanges", options.page_ranges);
    set_if(params, "scale", options.scale);
    set_if(params, "shrinkToFit", options.shrink_to_fit);
    return call_as<PrintResult>(connection, "browsingContext.print", std::move(params), std::move(call));
}

Task<NavigateResult> reload(Connection& connection, std::string_view context, const ReloadOptions& options,
                            CallOptions call) {
    json params = {{"context", context}};
    set_if(params, "ignoreCache", options.ignore_cache);
    set_if(params, "wait", options.wait);
    return call_as<NavigateResult>(connection, "browsingContext.reload", std::move(params), std::move(call));
}

Task<> set_bypass_csp(Connection& connection, bool bypass, const SetBypassCspOptions& options, CallOptions call) {
    json params = {{"bypass", bypass ? json(true) : json(nullptr)}};
    set_if(params, "contexts", options.contexts);
    set_if(params, "userContexts", options.user_contexts);
    return call_as<void>(connection, "browsingContext.setBypassCSP", std::move(params), std::move(call));
}

Task<> set_viewport(Connection& connection, const SetViewportOptions& options, CallOptions call) {
    json params = json::object();
    set_if(params, "context", options.context);
    set_if(params, "viewport", options.viewport);
    set_if(params, "devicePixelRatio", options.device_pixel_ratio);
    set_if(params, "userContexts", options.user_contexts);
    return call_as<void>(connection, "browsingContext.setViewport", std::move(params), std::move(call));
}

Task<StartScreencastResult> start_screencast(Connection& connection, std::string_view context,
                                             const StartScreencastOptions& options, CallOptions call) {
    json params = {{"context", context}};
    set_if(params, "mimeType", options.mime_type);
    set_if(params, "video", options.video);
    set_if(params, "audio", options.audio);
    return call_as<StartScreencastResult>(connection, "browsingContext.startScreencast", std::move(params),
                                          std::move(call));
}

Task<StopScreencastResult> stop_screencast(Connection& connection, std::string_view screencast, CallOptions call) {
    return call_as<StopScreencastResult>(connection, "browsingContext.stopScreencast", {{"screencast", screencast}},
                                         std::move(call));
}

Task<> traverse_history(Connection& connection, std::string_view context, std::int64_t delta, CallOptions call) {
    return call_as<void>(connection, "browsingContext.traverseHistory", {{"context", context}, {"delta", delta}},
                         std::move(call));
}

}  // namespace bidi::browsing_context
