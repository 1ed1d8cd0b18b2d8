// What every typed command sends: its method and exactly the parameters that were given.

#include <set>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bidi/modules/browser.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "bidi/modules/storage.hpp"
#include "bidi/modules/test_command_names.hpp"
#include "bidi/modules/test_sent_command.hpp"
#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"

namespace bidi {
namespace {

using testing::answered;
using Sent = testing::SentCommand;
using testing::with;

std::vector<Sent> session_commands() {
    using namespace session;
    return {
        {"status", "session.status", "{}", [](Connection& c) { return answered(status(c)); }},
        {"new", "session.new", R"({"capabilities": {}})", [](Connection& c) { return answered(start(c)); }},
        {"new_full", "session.new", R"({"capabilities": {
             "alwaysMatch": {
                 "acceptInsecureCerts": true, "browserName": "firefox", "browserVersion": "153",
                 "platformName": "linux",
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
         [](Connection& c) {
             return answered(subscribe(c, {"log", "script.message"}));
         }},
        {"subscribe_contexts", "session.subscribe", R"({"events": ["log"], "contexts": ["c1", "c2"]})",
         [](Connection& c) {
             return answered(subscribe(c, {"log"}, with<SubscribeOptions>([](auto& o) { o.contexts = {"c1", "c2"}; })));
         }},
        {"subscribe_user_contexts", "session.subscribe", R"({"events": ["log"], "userContexts": ["u"]})",
         [](Connection& c) {
             return answered(subscribe(c, {"log"}, with<SubscribeOptions>([](auto& o) { o.user_contexts = {"u"}; })));
         }},
        {"unsubscribe", "session.unsubscribe", R"({"subscriptions": ["s1", "s2"]})",
         [](Connection& c) {
             return unsubscribe(c, {"s1", "s2"});
         }},
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
             return set_download_behavior(c, DownloadAllowed("/d"),
                                          with<SetDownloadBehaviorOptions>([](auto& o) { o.user_contexts = {"u"}; }));
         }},
        {"set_download_behavior_denied", "browser.setDownloadBehavior", R"({"downloadBehavior": {"type": "denied"}})",
         [](Connection& c) { return set_download_behavior(c, DownloadDenied{}); }},
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
         [](Connection& c) {
             return disown(c, {"h1", "h2"}, ContextTarget{"c", "s"});
         }},
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
         [](Connection& c) { return answered(set_cookie(c, PartialCookie("n", BytesValue("v"), "h"))); }},
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
    for (const auto& module : {session_commands(), browser_commands(), testing::browsing_context_commands(),
                               script_commands(), storage_commands()}) {
        all.insert(all.end(), module.begin(), module.end());
    }
    return all;
}

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
