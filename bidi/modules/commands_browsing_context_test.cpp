// What the typed commands of the module browsingContext send; commands_test.cpp runs this table with the others.

#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/test_sent_command.hpp"

namespace bidi::testing {
namespace {

std::vector<SentCommand> page_commands() {
    using namespace browsing_context;
    return {
        {"activate", "browsingContext.activate", R"({"context": "c"})", [](Connection& c) { return activate(c, "c"); }},
        {"capture_screenshot", "browsingContext.captureScreenshot", R"({"context": "c"})",
         [](Connection& c) { return answered(capture_screenshot(c, "c")); }},
        {"capture_screenshot_box", "browsingContext.captureScreenshot",
         R"({"context": "c", "origin": "document", "format": {"type": "image/jpeg", "quality": 0.5},
             "clip": {"type": "box", "x": 1, "y": 2.5, "width": 3, "height": 4}})",
         [](Connection& c) {
             CaptureScreenshotOptions options;
             options.origin = ScreenshotOrigin::document;
             options.format = ImageFormat("image/jpeg", 0.5);
             options.clip = BoxClipRectangle{1, 2.5, 3, 4};
             return answered(capture_screenshot(c, "c", options));
         }},
        {"capture_screenshot_element", "browsingContext.captureScreenshot",
         R"({"context": "c", "clip": {"type": "element", "element": {"sharedId": "n"}}})",
         [](Connection& c) {
             CaptureScreenshotOptions options;
             options.clip = ElementClipRectangle(script::SharedReference("n"));
             return answered(capture_screenshot(c, "c", options));
         }},
        {"close_context", "browsingContext.close", R"({"context": "c"})", [](Connection& c) { return close(c, "c"); }},
        {"close_context_prompt", "browsingContext.close", R"({"context": "c", "promptUnload": true})",
         [](Connection& c) { return close(c, "c", {.prompt_unload = true}); }},
        {"create", "browsingContext.create", R"({"type": "tab"})",
         [](Connection& c) { return answered(create(c, CreateType::tab)); }},
        {"create_full", "browsingContext.create",
         R"({"type": "window", "referenceContext": "r", "background": true, "userContext": "u"})",
         [](Connection& c) {
             CreateOptions options;
             options.reference_context = "r";
             options.background = true;
             options.user_context = "u";
             return answered(create(c, CreateType::window, options));
         }},
        {"get_tree", "browsingContext.getTree", "{}", [](Connection& c) { return answered(get_tree(c)); }},
        {"get_tree_full", "browsingContext.getTree", R"({"maxDepth": 0, "root": "c"})",
         [](Connection& c) {
             GetTreeOptions options;
             options.max_depth = 0;
             options.root = "c";
             return answered(get_tree(c, options));
         }},
        {"handle_user_prompt", "browsingContext.handleUserPrompt", R"({"context": "c"})",
         [](Connection& c) { return handle_user_prompt(c, "c"); }},
        {"handle_user_prompt_full", "browsingContext.handleUserPrompt",
         R"({"context": "c", "accept": true, "userText": "t"})",
         [](Connection& c) {
             HandleUserPromptOptions options;
             options.accept = true;
             options.user_text = "t";
             return handle_user_prompt(c, "c", options);
         }},
        {"navigate", "browsingContext.navigate", R"({"context": "c", "url": "http://h/"})",
         [](Connection& c) { return answered(navigate(c, "c", "http://h/")); }},
        {"navigate_wait", "browsingContext.navigate", R"({"context": "c", "url": "http://h/", "wait": "complete"})",
         [](Connection& c) { return answered(navigate(c, "c", "http://h/", ReadinessState::complete)); }},
        {"print", "browsingContext.print", R"({"context": "c"})",
         [](Connection& c) { return answered(print(c, "c")); }},
        {"print_full", "browsingContext.print",
         R"({"context": "c", "background": true, "margin": {"bottom": 1, "left": 2, "right": 3, "top": 4},
             "orientation": "landscape", "page": {"height": 20, "width": 10}, "pageRanges": [1, "3-5"], "scale": 1.5,
             "shrinkToFit": false})",
         [](Connection& c) {
             PrintOptions options;
             options.background = true;
             options.margin = PrintMargin{1, 2, 3, 4};
             options.orientation = PrintOrientation::landscape;
             options.page = PrintPage{20, 10};
             options.page_ranges = {std::uint64_t{1}, "3-5"};
             options.scale = 1.5;
             options.shrink_to_fit = false;
             return answered(print(c, "c", options));
         }},
        {"reload", "browsingContext.reload", R"({"context": "c"})",
         [](Connection& c) { return answered(reload(c, "c")); }},
        {"reload_full", "browsingContext.reload", R"({"context": "c", "ignoreCache": true, "wait": "interactive"})",
         [](Connection& c) {
             ReloadOptions options;
             options.ignore_cache = true;
             options.wait = ReadinessState::interactive;
             return answered(reload(c, "c", options));
         }},
        {"set_bypass_csp", "browsingContext.setBypassCSP", R"({"bypass": null})",
         [](Connection& c) { return set_bypass_csp(c, false); }},
        {"set_bypass_csp_full", "browsingContext.setBypassCSP",
         R"({"bypass": true, "contexts": ["c"], "userContexts": ["u"]})",
         [](Connection& c) {
             SetBypassCspOptions options;
             options.contexts = {"c"};
             options.user_contexts = {"u"};
             return set_bypass_csp(c, true, options);
         }},
        {"set_viewport", "browsingContext.setViewport",
         R"({"context": "c", "viewport": {"width": 800, "height": 600}, "devicePixelRatio": 2})",
         [](Connection& c) {
             SetViewportOptions options;
             options.context = "c";
             options.viewport = Viewport{800, 600};
             options.device_pixel_ratio = 2;
             return set_viewport(c, options);
         }},
        {"set_viewport_back", "browsingContext.setViewport",
         R"({"viewport": null, "devicePixelRatio": null, "userContexts": ["u"]})",
         [](Connection& c) {
             SetViewportOptions options;
             options.viewport = nullptr;
             options.device_pixel_ratio = nullptr;
             options.user_contexts = {"u"};
             return set_viewport(c, options);
         }},
        {"start_screencast", "browsingContext.startScreencast", R"({"context": "c"})",
         [](Connection& c) { return answered(start_screencast(c, "c")); }},
        {"start_screencast_full", "browsingContext.startScreencast",
         R"({"context": "c", "mimeType": "video/webm", "video": {"width": 1, "height": 2, "frameRate": 3},
             "audio": true})",
         [](Connection& c) {
             StartScreencastOptions options;
             options.mime_type = "video/webm";
             options.video = MediaTrackConstraints{1, 2, 3};
             options.audio = true;
             return answered(start_screencast(c, "c", options));
         }},
        {"stop_screencast", "browsingContext.stopScreencast", R"({"screencast": "s"})",
         [](Connection& c) { return answered(stop_screencast(c, "s")); }},
        {"traverse_history", "browsingContext.traverseHistory", R"({"context": "c", "delta": -2})",
         [](Connection& c) { return traverse_history(c, "c", -2); }},
    };
}

SentCommand located(std::string name, browsing_context::Locator locator, const std::string& encoded) {
    return {std::move(name), "browsingContext.locateNodes", R"({"context": "c", "locator": )" + encoded + "}",
            [locator](Connection& c) { return answered(browsing_context::locate_nodes(c, "c", locator)); }};
}

std::vector<SentCommand> locator_commands() {
    using namespace browsing_context;
    InnerTextLocator part("t");
    part.ignore_case = true;
    part.match_type = MatchType::partial;
    part.max_depth = 2;
    return {
        located("locate_css", CssLocator{"p > a"}, R"({"type": "css", "value": "p > a"})"),
        located("locate_xpath", XPathLocator{"//a"}, R"({"type": "xpath", "value": "//a"})"),
        located("locate_text", InnerTextLocator{"t"}, R"({"type": "innerText", "value": "t"})"),
        located("locate_text_full", part,
                R"({"type": "innerText", "value": "t", "ignoreCase": true, "matchType": "partial", "maxDepth": 2})"),
        located("locate_role", AccessibilityLocator{"Save", "button"},
                R"({"type": "accessibility", "value": {"name": "Save", "role": "button"}})"),
        located("locate_context", ContextLocator{"child"}, R"({"type": "context", "value": {"context": "child"}})"),
        {"locate_full", "browsingContext.locateNodes",
         R"({"context": "c", "locator": {"type": "css", "value": "a"}, "maxNodeCount": 3,
             "serializationOptions": {"maxDomDepth": null, "maxObjectDepth": 4, "includeShadowTree": "open"},
             "startNodes": [{"sharedId": "n1"}, {"sharedId": "n2", "handle": "h"}]})",
         [](Connection& c) {
             LocateNodesOptions options;
             options.max_node_count = 3;
             script::SerializationOptions& serialization = options.serialization_options.emplace();
             serialization.max_dom_depth = nullptr;
             serialization.max_object_depth = 4;
             serialization.include_shadow_tree = script::IncludeShadowTree::open;
             options.start_nodes = {script::SharedReference("n1"), script::SharedReference("n2", "h")};
             return answered(locate_nodes(c, "c", CssLocator{"a"}, options));
         }},
    };
}

}  // namespace

std::vector<SentCommand> browsing_context_commands() {
    std::vector<SentCommand> all = page_commands();
    const std::vector<SentCommand> locators = locator_commands();
    all.insert(all.end(), locators.begin(), locators.end());
    return all;
}

}  // namespace bidi::testing
