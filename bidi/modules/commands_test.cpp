// What every typed command sends: its method and exactly the parameters that were given.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bidi/modules/browser.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/test_command_names.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "bidi/modules/storage.hpp"
#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"

namespace bidi {
namespace {

/// One call of a command and what has to go out for it.
struct Sent {
    std::string name;
    std::string method;
    std::string params;
    std::function<Task<>(Connection&)> call;
};

template <class Options>
Options with(const std::function<void(Options&)>& fill) {
    Options options;
    fill(options);
    return options;
}

/// For calls whose answer does not matter here: the server answers `{}`, which not every result can be read from.
template <class T>
Task<> answered(Task<T> task) {
    try {
        co_await std::move(task);
    } catch (const ProtocolError& error) {
        if (error.code() != ProtocolError::kMalformedAnswer) throw;
    }
}

std::vector<Sent> session_commands() {
    using namespace session;
    return {
        {"status", "session.status", "{}", [](Connection& c) { return answered(status(c)); }},
        {"new", "session.new", R"({"capabilities": {}})", [](Connection& c) { return answered(start(c)); }},
        {"new_full", "session.new", R"({"capabilities": {
             "alwaysMatch": {
                 "acceptInsecureCerts": true, "browserName": "firefox", "browserVersion": "153", "platformName": "linux",
                 "proxy": {"proxyType": "manual", "httpProxy": "a:1", "sslProxy": "b:2", "socksProxy": "c:3",
                           "socksVersion": 5, "noProxy": ["d", "e"], "vendor:x": 1},
                 "unhandledPromptBehavior": {"alert": "accept", "beforeUnload": "ignore", "confirm": "dismiss",
                                             "default": "dismiss", "file": "ignore", "prompt": "accept"},
                 "webSocketUrl": true, "moz:firefoxOptions": {"args": []}},
             "firstMatch": [{"proxy": {"proxyType": "pac", "proxyAutoconfigUrl": "http://p/"}},
                            {"browserName": "other"}]}})",
         [](Connection& c) {
             CapabilityRequest all;
             all.accept_insecure_certs = true;
             all.browser_name = "firefox";
             all.browser_version = "153";
             all.platform_name = "linux";
             all.proxy = ProxyConfiguration(ProxyType::manual);
             all.proxy->http_proxy = "a:1";
             all.proxy->ssl_proxy = "b:2";
             all.proxy->socks_proxy = "c:3";
             all.proxy->socks_version = 5;
             all.proxy->no_proxy = {"d", "e"};
             all.proxy->extra = {{"vendor:x", 1}};
             UserPromptHandler& handler = all.unhandled_prompt_behavior.emplace(UserPromptHandlerType::dismiss);
             handler.alert = UserPromptHandlerType::accept;
             handler.before_unload = UserPromptHandlerType::ignore;
             handler.confirm = UserPromptHandlerType::dismiss;
             handler.file = UserPromptHandlerType::ignore;
             handler.prompt = UserPromptHandlerType::accept;
             all.web_socket_url = true;
             all.extra = {{"moz:firefoxOptions", {{"args", json::array()}}}};
             CapabilityRequest pac;
             pac.proxy = ProxyConfiguration(ProxyType::pac);
             pac.proxy->proxy_autoconfig_url = "http://p/";
             CapabilityRequest other;
             other.browser_name = "other";
             CapabilitiesRequest request(all);
             request.first_match = {pac, other};
             return answered(start(c, request));
         }},
        {"end", "session.end", "{}", [](Connection& c) { return end(c); }},
        {"subscribe", "session.subscribe", R"({"events": ["log", "script.message"]})",
         [](Connection& c) { return answered(subscribe(c, {"log", "script.message"})); }},
        {"subscribe_contexts", "session.subscribe", R"({"events": ["log"], "contexts": ["c1", "c2"]})",
         [](Connection& c) {
             return answered(subscribe(c, {"log"}, with<SubscribeOptions>([](auto& o) { o.contexts = {"c1", "c2"}; })));
         }},
        {"subscribe_user_contexts", "session.subscribe", R"({"events": ["log"], "userContexts": ["u"]})",
         [](Connection& c) {
             return answered(subscribe(c, {"log"}, with<SubscribeOptions>([](auto& o) { o.user_contexts = {"u"}; })));
         }},
        {"unsubscribe", "session.unsubscribe", R"({"subscriptions": ["s1", "s2"]})",
         [](Connection& c) { return unsubscribe(c, {"s1", "s2"}); }},
        {"unsubscribe_events", "session.unsubscribe", R"({"events": ["log"]})",
         [](Connection& c) { return unsubscribe_events(c, {"log"}); }},
    };
}

std::vector<Sent> browser_commands() {
    using namespace browser;
    return {
        {"close", "browser.close", "{}", [](Connection& c) { return close(c); }},
        {"create_user_context", "browser.createUserContext", "{}",
         [](Connection& c) { return answered(create_user_context(c)); }},
        {"create_user_context_full", "browser.createUserContext",
         R"({"acceptInsecureCerts": false, "proxy": {"proxyType": "direct"},
             "unhandledPromptBehavior": {"default": "ignore"}})",
         [](Connection& c) {
             CreateUserContextOptions options;
             options.accept_insecure_certs = false;
             options.proxy.emplace(session::ProxyType::direct);
             options.unhandled_prompt_behavior.emplace(session::UserPromptHandlerType::ignore);
             return answered(create_user_context(c, options));
         }},
        {"get_client_windows", "browser.getClientWindows", "{}",
         [](Connection& c) { return answered(get_client_windows(c)); }},
        {"get_user_contexts", "browser.getUserContexts", "{}",
         [](Connection& c) { return answered(get_user_contexts(c)); }},
        {"remove_user_context", "browser.removeUserContext", R"({"userContext": "u"})",
         [](Connection& c) { return remove_user_context(c, "u"); }},
        {"set_client_window_state", "browser.setClientWindowState", R"({"clientWindow": "w", "state": "minimized"})",
         [](Connection& c) { return answered(set_client_window_state(c, "w", ClientWindowState::minimized)); }},
        {"set_client_window_rect", "browser.setClientWindowState",
         R"({"clientWindow": "w", "state": "normal", "width": 800, "height": 600, "x": -5, "y": 7})",
         [](Connection& c) {
             return answered(set_client_window_state(c, "w", ClientWindowState::normal, {800, 600, -5, 7}));
         }},
        {"set_download_behavior", "browser.setDownloadBehavior", R"({"downloadBehavior": null})",
         [](Connection& c) { return set_download_behavior(c, std::nullopt); }},
        {"set_download_behavior_allowed", "browser.setDownloadBehavior",
         R"({"downloadBehavior": {"type": "allowed", "destinationFolder": "/d"}, "userContexts": ["u"]})",
         [](Connection& c) {
             return set_download_behavior(
                 c, DownloadAllowed("/d"), with<SetDownloadBehaviorOptions>([](auto& o) { o.user_contexts = {"u"}; }));
         }},
        {"set_download_behavior_denied", "browser.setDownloadBehavior", R"({"downloadBehavior": {"type": "denied"}})",
         [](Connection& c) { return set_download_behavior(c, DownloadDenied{}); }},
    };
}

std::vector<Sent> page_commands() {
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
        {"print", "browsingContext.print", R"({"context": "c"})", [](Connection& c) { return answered(print(c, "c")); }},
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

Sent located(std::string name, browsing_context::Locator locator, const std::string& encoded) {
    return {std::move(name), "browsingContext.locateNodes", R"({"context": "c", "locator": )" + encoded + "}",
            [locator](Connection& c) { return answered(browsing_context::locate_nodes(c, "c", locator)); }};
}

std::vector<Sent> locator_commands() {
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

std::vector<Sent> script_commands() {
    using namespace script;
    const ContextTarget context("c");
    return {
        {"add_preload_script", "script.addPreloadScript", R"({"functionDeclaration": "() => 1"})",
         [](Connection& c) { return answered(add_preload_script(c, "() => 1")); }},
        {"add_preload_script_full", "script.addPreloadScript",
         R"({"functionDeclaration": "f", "arguments": [{"type": "channel", "value": {"channel": "x",
                 "serializationOptions": {"maxObjectDepth": 1}, "ownership": "root"}}],
             "contexts": ["c"], "userContexts": ["u"], "sandbox": "s"})",
         [](Connection& c) {
             AddPreloadScriptOptions options;
             ChannelProperties& channel = options.arguments.emplace_back("x");
             channel.serialization_options.emplace().max_object_depth = 1;
             channel.ownership = ResultOwnership::root;
             options.contexts = {"c"};
             options.user_contexts = {"u"};
             options.sandbox = "s";
             return answered(add_preload_script(c, "f", options));
         }},
        {"disown", "script.disown", R"({"handles": ["h1", "h2"], "target": {"context": "c", "sandbox": "s"}})",
         [](Connection& c) { return disown(c, {"h1", "h2"}, ContextTarget{"c", "s"}); }},
        {"call_function", "script.callFunction",
         R"({"functionDeclaration": "f", "awaitPromise": false, "target": {"context": "c"}})",
         [=](Connection& c) { return answered(call_function(c, "f", false, context)); }},
        {"call_function_full", "script.callFunction",
         R"({"functionDeclaration": "f", "awaitPromise": true, "target": {"realm": "r"},
             "arguments": [{"type": "string", "value": "a"}, {"sharedId": "n"}], "resultOwnership": "root",
             "serializationOptions": {"maxDomDepth": 2}, "this": {"type": "null"}, "userActivation": true})",
         [](Connection& c) {
             CallFunctionOptions options;
             options.arguments = {string_value("a"), reference_value(SharedReference("n"))};
             options.result_ownership = ResultOwnership::root;
             options.serialization_options.emplace().max_dom_depth = 2;
             options.this_value = null_value();
             options.user_activation = true;
             return answered(call_function(c, "f", true, RealmTarget{"r"}, options));
         }},
        {"evaluate", "script.evaluate", R"({"expression": "1", "target": {"context": "c"}, "awaitPromise": false})",
         [=](Connection& c) { return answered(evaluate(c, "1", context, false)); }},
        {"evaluate_full", "script.evaluate",
         R"({"expression": "1", "target": {"context": "c"}, "awaitPromise": true, "resultOwnership": "none",
             "serializationOptions": {}, "userActivation": false})",
         [=](Connection& c) {
             EvaluateOptions options;
             options.result_ownership = ResultOwnership::none;
             options.serialization_options.emplace();
             options.user_activation = false;
             return answered(evaluate(c, "1", context, true, options));
         }},
        {"get_realms", "script.getRealms", "{}", [](Connection& c) { return answered(get_realms(c)); }},
        {"get_realms_full", "script.getRealms", R"({"context": "c", "type": "dedicated-worker"})",
         [](Connection& c) {
             GetRealmsOptions options;
             options.context = "c";
             options.type = RealmType::dedicated_worker;
             return answered(get_realms(c, options));
         }},
        {"remove_preload_script", "script.removePreloadScript", R"({"script": "p"})",
         [](Connection& c) { return remove_preload_script(c, "p"); }},
    };
}

std::vector<Sent> storage_commands() {
    using namespace storage;
    CookiesOptions full;
    CookieFilter& filter = full.filter.emplace();
    filter.name = "n";
    filter.value = BytesValue(BytesEncoding::base64, "AA==");
    filter.domain = "h";
    filter.path = "/";
    filter.size_bytes = 3;
    filter.http_only = true;
    filter.secure = false;
    filter.same_site = SameSite::strict;
    filter.expiry_s = 99;
    filter.extra = {{"vendor:x", 1}};
    StorageKeyPartition partition;
    partition.user_context = "u";
    partition.source_origin = "http://h";
    partition.extra = {{"vendor:y", 2}};
    full.partition = partition;
    const std::string full_params =
        R"({"filter": {"name": "n", "value": {"type": "base64", "value": "AA=="}, "domain": "h", "path": "/", "size": 3,
                       "httpOnly": true, "secure": false, "sameSite": "strict", "expiry": 99, "vendor:x": 1},
            "partition": {"type": "storageKey", "userContext": "u", "sourceOrigin": "http://h", "vendor:y": 2}})";
    return {
        {"get_cookies", "storage.getCookies", "{}", [](Connection& c) { return answered(get_cookies(c)); }},
        {"get_cookies_full", "storage.getCookies", full_params,
         [=](Connection& c) { return answered(get_cookies(c, full)); }},
        {"set_cookie", "storage.setCookie",
         R"({"cookie": {"name": "n", "value": {"type": "string", "value": "v"}, "domain": "h"}})",
         [](Connection& c) {
             return answered(set_cookie(c, PartialCookie("n", BytesValue("v"), "h")));
         }},
        {"set_cookie_full", "storage.setCookie",
         R"({"cookie": {"name": "n", "value": {"type": "string", "value": "v"}, "domain": "h", "path": "/p",
                        "httpOnly": true, "secure": true, "sameSite": "lax", "expiry": 7, "vendor:x": 1},
             "partition": {"type": "context", "context": "c"}})",
         [](Connection& c) {
             PartialCookie cookie("n", BytesValue("v"), "h");
             cookie.path = "/p";
             cookie.http_only = true;
             cookie.secure = true;
             cookie.same_site = SameSite::lax;
             cookie.expiry_s = 7;
             cookie.extra = {{"vendor:x", 1}};
             return answered(set_cookie(c, cookie, SetCookieOptions(ContextPartition("c"))));
         }},
        {"delete_cookies", "storage.deleteCookies", "{}", [](Connection& c) { return answered(delete_cookies(c)); }},
        {"delete_cookies_full", "storage.deleteCookies", full_params,
         [=](Connection& c) { return answered(delete_cookies(c, full)); }},
    };
}

std::vector<Sent> all_commands() {
    std::vector<Sent> all;
    for (const auto& module : {session_commands(), browser_commands(), page_commands(), locator_commands(),
                               script_commands(), storage_commands()}) {
        all.insert(all.end(), module.begin(), module.end());
    }
    return all;
}

void PrintTo(const Sent& sent, std::ostream* out) { *out << sent.method; }

class CommandTest : public ::testing::TestWithParam<Sent> {};

TEST_P(CommandTest, SendsExactlyWhatWasGiven) {
    boost::asio::io_context io;
    testing::ScriptedServer server(io);
    server.answer(GetParam().method);
    const auto connection = testing::run(io, Connection::open(server.url()));

    testing::run(io, GetParam().call(*connection));

    ASSERT_EQ(server.commands().size(), 1u);
    EXPECT_EQ(server.commands()[0].at("method"), GetParam().method);
    EXPECT_EQ(server.commands()[0].at("params"), json::parse(GetParam().params));
}

INSTANTIATE_TEST_SUITE_P(EveryCommand, CommandTest, ::testing::ValuesIn(all_commands()),
                         [](const auto& tested) { return tested.param.name; });

TEST(CommandsTest, CoverEveryCommandOfTheModules) {
    std::set<std::string> covered;
    for (const Sent& sent : all_commands()) covered.insert(sent.method);

    EXPECT_THAT(covered, ::testing::UnorderedElementsAreArray(testing::kCommandNames));
}

}  // namespace
}  // namespace bidi
