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

/// The commands of the browsingContext module: https://w3c.github.io/webdriver-bidi/#module-browsingContext
/// Its events are in browsing_context_events.hpp. What holds for every command is said at bidi::session; a command that
/// takes a context answers "no such frame" for one that is not there (any more).
namespace bidi::browsing_context {

/// browsingContext.ReadinessState: how far a document has to be loaded before a navigation counts as done.
struct ReadinessState : Word<ReadinessState> {
    using Word::Word;
    static const ReadinessState none, interactive, complete;
};
inline const ReadinessState ReadinessState::none{"none"};
inline const ReadinessState ReadinessState::interactive{"interactive"};
inline const ReadinessState ReadinessState::complete{"complete"};

/// browsingContext.CreateType.
struct CreateType : Word<CreateType> {
    using Word::Word;
    static const CreateType tab, window;
};
inline const CreateType CreateType::tab{"tab"};
inline const CreateType CreateType::window{"window"};

/// browsingContext.Info: a context and, as far as asked for, what is in it.
struct Info {
    std::optional<std::vector<Info>> children;  ///< none: below the depth asked for
    std::string client_window;
    std::string context;
    std::optional<std::string> original_opener;
    std::string url;
    std::string user_context;
    std::optional<std::string> parent;  ///< none: top-level, or not said
};

/// The origin of a screenshot: what its coordinates count from.
struct ScreenshotOrigin : Word<ScreenshotOrigin> {
    using Word::Word;
    static const ScreenshotOrigin viewport, document;
};
inline const ScreenshotOrigin ScreenshotOrigin::viewport{"viewport"};
inline const ScreenshotOrigin ScreenshotOrigin::document{"document"};

/// browsingContext.ImageFormat: a MIME type, and a quality from 0 to 1 where the type has one.
struct ImageFormat {
    ImageFormat() = default;
    explicit ImageFormat(std::string mime_type, std::optional<double> image_quality = std::nullopt)
        : type(std::move(mime_type)), quality(image_quality) {}

    std::string type;
    std::optional<double> quality;
};

/// browsingContext.ElementClipRectangle.
struct ElementClipRectangle {
    ElementClipRectangle() = default;
    explicit ElementClipRectangle(script::SharedReference reference) : element(std::move(reference)) {}

    script::SharedReference element;
};

/// browsingContext.BoxClipRectangle, in CSS pixels.
struct BoxClipRectangle {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

using ClipRectangle = std::variant<BoxClipRectangle, ElementClipRectangle>;

struct CaptureScreenshotOptions {
    CaptureScreenshotOptions() = default;

    std::optional<ScreenshotOrigin> origin;  ///< viewport, if not given
    std::optional<ImageFormat> format;       ///< image/png, if not given
    std::optional<ClipRectangle> clip;
};

struct CaptureScreenshotResult {
    std::string data;  ///< the image, in base64
};

struct CloseOptions {
    std::optional<bool> prompt_unload;  ///< let the page ask with its beforeunload handlers
};

struct CreateOptions {
    CreateOptions() = default;

    std::optional<std::string> reference_context;  ///< a tab is put into this one's window, next to it
    std::optional<bool> background;
    std::optional<std::string> user_context;
};

struct CreateResult {
    std::string context;
    std::optional<std::string> user_context;
};

struct GetTreeOptions {
    GetTreeOptions() = default;

    std::optional<std::uint64_t> max_depth;
    std::optional<std::string> root;
};

struct GetTreeResult {
    std::vector<Info> contexts;
};

struct HandleUserPromptOptions {
    HandleUserPromptOptions() = default;

    std::optional<bool> accept;            ///< true, if not given
    std::optional<std::string> user_text;  ///< what window.prompt returns
};

/// browsingContext.AccessibilityLocator: by computed name, role or both.
struct AccessibilityLocator {
    AccessibilityLocator() = default;
    explicit AccessibilityLocator(std::optional<std::string> wanted_name,
                                  std::optional<std::string> wanted_role = std::nullopt)
        : name(std::move(wanted_name)), role(std::move(wanted_role)) {}

    std::optional<std::string> name;
    std::optional<std::string> role;
};

/// browsingContext.CssLocator.
struct CssLocator {
    CssLocator() = default;
    explicit CssLocator(std::string css) : selector(std::move(css)) {}

    std::string selector;
};

/// browsingContext.ContextLocator: the element that holds a child context, e.g. the iframe.
struct ContextLocator {
    ContextLocator() = default;
    explicit ContextLocator(std::string child) : context(std::move(child)) {}

    std::string context;
};

/// The matchType of an InnerTextLocator.
struct MatchType : Word<MatchType> {
    using Word::Word;
    static const MatchType full, partial;
};
inline const MatchType MatchType::full{"full"};
inline const MatchType MatchType::partial{"partial"};

/// browsingContext.InnerTextLocator.
struct InnerTextLocator {
    InnerTextLocator() = default;
    explicit InnerTextLocator(std::string wanted) : text(std::move(wanted)) {}

    std::string text;
    std::optional<bool> ignore_case;
    std::optional<MatchType> match_type;  ///< full, if not given
    std::optional<std::uint64_t> max_depth;
};

/// browsingContext.XPathLocator.
struct XPathLocator {
    XPathLocator() = default;
    explicit XPathLocator(std::string xpath) : expression(std::move(xpath)) {}

    std::string expression;
};

using Locator = std::variant<CssLocator, XPathLocator, InnerTextLocator, AccessibilityLocator, ContextLocator>;

struct LocateNodesOptions {
    LocateNodesOptions() = default;

    std::optional<std::uint64_t> max_node_count;  ///< at least 1
    std::optional<script::SerializationOptions> serialization_options;
    std::vector<script::SharedReference> start_nodes;  ///< where to look; the document, if empty
};

struct LocateNodesResult {
    std::vector<script::RemoteValue> nodes;
};

struct NavigateOptions {
    NavigateOptions() = default;
    NavigateOptions(ReadinessState state) : wait(std::move(state)) {}

    std::optional<ReadinessState> wait;  ///< none, if not given
};

struct NavigateResult {
    std::optional<std::string> navigation;  ///< the id that the navigation's events carry
    std::string url;
};

/// browsingContext.PrintMarginParameters, in centimetres; 1 each, if not given.
struct PrintMargin {
    std::optional<double> bottom;
    std::optional<double> left;
    std::optional<double> right;
    std::optional<double> top;
};

/// browsingContext.PrintPageParameters, in centimetres; 21.59 by 27.94 (letter), if not given.
struct PrintPage {
    std::optional<double> height;
    std::optional<double> width;
};

struct PrintOrientation : Word<PrintOrientation> {
    using Word::Word;
    static const PrintOrientation portrait, landscape;
};
inline const PrintOrientation PrintOrientation::portrait{"portrait"};
inline const PrintOrientation PrintOrientation::landscape{"landscape"};

/// A page number, or a range such as "2-4" or "5-".
using PageRange = std::variant<std::uint64_t, std::string>;

struct PrintOptions {
    PrintOptions() = default;

    std::optional<bool> background;  ///< print backgrounds too
    std::optional<PrintMargin> margin;
    std::optional<PrintOrientation> orientation;  ///< portrait, if not given
    std::optional<PrintPage> page;
    std::vector<PageRange> page_ranges;  ///< all, if empty
    std::optional<double> scale;         ///< 0.1 to 2
    std::optional<bool> shrink_to_fit;   ///< true, if not given
};

struct PrintResult {
    std::string data;  ///< a PDF document, in base64
};

struct ReloadOptions {
    ReloadOptions() = default;

    std::optional<bool> ignore_cache;
    std::optional<ReadinessState> wait;  ///< none, if not given
};

/// The contexts or user contexts that a setting is for; all, if both are empty. Not both at once.
struct SetBypassCspOptions {
    SetBypassCspOptions() = default;

    std::vector<std::string> contexts;
    std::vector<std::string> user_contexts;
};

/// browsingContext.Viewport, in CSS pixels.
struct Viewport {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
};

/// Either a context or user contexts; nullptr as a value goes back to the browser's own.
struct SetViewportOptions {
    SetViewportOptions() = default;

    std::optional<std::string> context;
    std::optional<Nullable<Viewport>> viewport;
    std::optional<Nullable<double>> device_pixel_ratio;  ///< above 0
    std::vector<std::string> user_contexts;
};

/// browsingContext.MediaTrackConstraints; width and height in pixels, frames a second.
struct MediaTrackConstraints {
    std::optional<std::uint64_t> width;
    std::optional<std::uint64_t> height;
    std::optional<std::uint64_t> frame_rate;
};

struct StartScreencastOptions {
    StartScreencastOptions() = default;

    std::optional<std::string> mime_type;
    std::optional<MediaTrackConstraints> video;
    std::optional<bool> audio;
};

struct StartScreencastResult {
    std::string screencast;  ///< the id for stop_screencast
    std::string path;        ///< the file on the browser's machine; deleting it is the caller's task
};

struct StopScreencastResult {
    std::string path;
    std::optional<std::string> error;  ///< why the file is incomplete
};

void from_json(const json& in, Info& info);
void from_json(const json& in, CaptureScreenshotResult& result);
void from_json(const json& in, CreateResult& result);
void from_json(const json& in, GetTreeResult& result);
void from_json(const json& in, LocateNodesResult& result);
void from_json(const json& in, NavigateResult& result);
void from_json(const json& in, PrintResult& result);
void from_json(const json& in, StartScreencastResult& result);
void from_json(const json& in, StopScreencastResult& result);
void to_json(json& out, const ImageFormat& format);
void to_json(json& out, const BoxClipRectangle& clip);
void to_json(json& out, const ElementClipRectangle& clip);
void to_json(json& out, const AccessibilityLocator& locator);
void to_json(json& out, const CssLocator& locator);
void to_json(json& out, const ContextLocator& locator);
void to_json(json& out, const InnerTextLocator& locator);
void to_json(json& out, const XPathLocator& locator);
void to_json(json& out, const PrintMargin& margin);
void to_json(json& out, const PrintPage& page);
void to_json(json& out, const Viewport& viewport);
void to_json(json& out, const MediaTrackConstraints& constraints);

/// browsingContext.activate: brings a top-level context to the front and focuses it.
/// Errors: "invalid argument" for one that is not top-level.
Task<> activate(Connection& connection, std::string_view context, CallOptions call = {});

/// browsingContext.captureScreenshot.
/// Errors: "no such element", "no such node", "unable to capture screen" for an empty area, "unsupported operation".
Task<CaptureScreenshotResult> capture_screenshot(Connection& connection, std::string_view context,
                                                 const CaptureScreenshotOptions& options = {}, CallOptions call = {});

/// browsingContext.close: closes a top-level context.
/// Errors: "invalid argument" for one that is not top-level.
Task<> close(Connection& connection, std::string_view context, const CloseOptions& options = {}, CallOptions call = {});

/// browsingContext.create: opens a tab or a window; answers when its about:blank has loaded.
/// Errors: "invalid argument" for a reference that is not top-level, "no such user context", "unsupported operation".
Task<CreateResult> create(Connection& connection, const CreateType& type, const CreateOptions& options = {},
                          CallOptions call = {});

/// browsingContext.getTree: all top-level contexts, or `root`, with what is in them.
Task<GetTreeResult> get_tree(Connection& connection, const GetTreeOptions& options = {}, CallOptions call = {});

/// browsingContext.handleUserPrompt: answers the prompt that is open.
/// Errors: "no such alert".
Task<> handle_user_prompt(Connection& connection, std::string_view context, const HandleUserPromptOptions& options = {},
                          CallOptions call = {});

/// browsingContext.locateNodes: the nodes that match, in document order.
/// Errors: "invalid selector", "no such node", "invalid argument".
Task<LocateNodesResult> locate_nodes(Connection& connection, std::string_view context, const Locator& locator,
                                     const LocateNodesOptions& options = {}, CallOptions call = {});

/// browsingContext.navigate.
/// Errors: "invalid argument" for a URL that does not parse, "unknown error" when the navigation fails, is cancelled,
/// or is replaced by another one before the wanted state.
Task<NavigateResult> navigate(Connection& connection, std::string_view context, std::string_view url,
                              const NavigateOptions& options = {}, CallOptions call = {});

/// browsingContext.print: the page as a PDF document.
/// Errors: "invalid argument", "unsupported operation".
Task<PrintResult> print(Connection& connection, std::string_view context, const PrintOptions& options = {},
                        CallOptions call = {});

/// browsingContext.reload. Errors as for navigate.
Task<NavigateResult> reload(Connection& connection, std::string_view context, const ReloadOptions& options = {},
                            CallOptions call = {});

/// browsingContext.setBypassCSP: true to ignore pages' Content Security Policy, false to go back to obeying it.
/// Errors: "no such user context", "invalid argument" for contexts that are not top-level.
Task<> set_bypass_csp(Connection& connection, bool bypass, const SetBypassCspOptions& options = {},
                      CallOptions call = {});

/// browsingContext.setViewport: of a top-level context, or of every one in the given user contexts.
/// Errors: "no such user context", "unsupported operation", "invalid argument".
Task<> set_viewport(Connection& connection, const SetViewportOptions& options, CallOptions call = {});

/// browsingContext.startScreencast: records a top-level context into a file on the browser's machine.
/// Errors: "unsupported operation" (e.g. for the MIME type), "invalid argument".
Task<StartScreencastResult> start_screencast(Connection& connection, std::string_view context,
                                             const StartScreencastOptions& options = {}, CallOptions call = {});

/// browsingContext.stopScreencast.
/// Errors: "no such screencast".
Task<StopScreencastResult> stop_screencast(Connection& connection, std::string_view screencast, CallOptions call = {});

/// browsingContext.traverseHistory: `delta` entries forward, or back when negative. Answers before the page has loaded.
/// Errors: "no such history entry", "invalid argument" for a context that is not top-level.
Task<> traverse_history(Connection& connection, std::string_view context, std::int64_t delta, CallOptions call = {});

}  // namespace bidi::browsing_context
