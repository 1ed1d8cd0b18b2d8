// What the typed commands and events make of answers: complete ones, poor ones and odd ones.

#include <limits>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bidi/modules/browser.hpp"
#include "bidi/modules/events.hpp"
#include "bidi/modules/storage.hpp"
#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"

namespace bidi {
namespace {

using ::testing::ElementsAre;

template <class T>
T parsed(const char* text) {
    return json::parse(text).get<T>();
}

TEST(SessionResultTest, NewKeepsCapabilitiesItDoesNotKnow) {
    const auto result = parsed<session::NewResult>(R"({"sessionId": "s", "capabilities": {
        "acceptInsecureCerts": true, "browserName": "firefox", "browserVersion": "153.0", "platformName": "linux",
        "setWindowRect": true, "userAgent": "UA", "webSocketUrl": "ws://h/",
        "proxy": {"proxyType": "manual", "httpProxy": "p:1", "socksProxy": "q:2", "socksVersion": 5,
                  "noProxy": ["a"], "x": 1},
        "unhandledPromptBehavior": {"default": "dismiss", "beforeUnload": "newWord"},
        "moz:processID": 42, "moz:buildID": "2026"}})");

    EXPECT_EQ(result.session_id, "s");
    const session::Capabilities& is = result.capabilities;
    EXPECT_TRUE(is.accept_insecure_certs);
    EXPECT_EQ(is.browser_name, "firefox");
    EXPECT_EQ(is.browser_version, "153.0");
    EXPECT_EQ(is.platform_name, "linux");
    EXPECT_TRUE(is.set_window_rect);
    EXPECT_EQ(is.user_agent, "UA");
    EXPECT_EQ(is.web_socket_url, "ws://h/");
    EXPECT_EQ(is.proxy->type, session::ProxyType::manual);
    EXPECT_EQ(is.proxy->socks_version, 5u);
    EXPECT_THAT(*is.proxy->no_proxy, ElementsAre("a"));
    EXPECT_EQ(is.proxy->extra, json::parse(R"({"x": 1})"));
    EXPECT_EQ(is.unhandled_prompt_behavior->by_default, session::UserPromptHandlerType::dismiss);
    EXPECT_EQ(is.unhandled_prompt_behavior->before_unload->text(), "newWord");
    EXPECT_EQ(is.extra, json::parse(R"({"moz:processID": 42, "moz:buildID": "2026"})"));
}

TEST(SessionResultTest, OthersAreRead) {
    const auto status = parsed<session::StatusResult>(R"({"ready": true, "message": "m"})");
    EXPECT_TRUE(status.ready);
    EXPECT_EQ(status.message, "m");
    EXPECT_EQ(parsed<session::SubscribeResult>(R"({"subscription": "s"})").subscription, "s");
}

TEST(BrowserResultTest, AreRead) {
    const auto windows = parsed<browser::GetClientWindowsResult>(R"({"clientWindows": [
        {"active": true, "clientWindow": "w", "height": 600, "state": "maximized", "width": 800, "x": -1, "y": 2}]})");
    ASSERT_EQ(windows.client_windows.size(), 1u);
    const browser::ClientWindowInfo& window = windows.client_windows[0];
    EXPECT_TRUE(window.active);
    EXPECT_EQ(window.client_window, "w");
    EXPECT_EQ(window.state, browser::ClientWindowState::maximized);
    EXPECT_EQ(window.width, 800u);
    EXPECT_EQ(window.height, 600u);
    EXPECT_EQ(window.x, -1);
    EXPECT_EQ(window.y, 2);
    const auto contexts = parsed<browser::GetUserContextsResult>(R"({"userContexts": [{"userContext": "default"}]})");
    ASSERT_EQ(contexts.user_contexts.size(), 1u);
    EXPECT_EQ(contexts.user_contexts[0].user_context, "default");
}

TEST(BrowsingContextResultTest, AreRead) {
    using namespace browsing_context;
    const auto tree = parsed<GetTreeResult>(R"({"contexts": [{"context": "c", "url": "u", "userContext": "default",
        "clientWindow": "w", "originalOpener": "o", "parent": null,
        "children": [{"context": "d", "children": null, "parent": "c"}]}]})");
    ASSERT_EQ(tree.contexts.size(), 1u);
    const Info& top = tree.contexts[0];
    EXPECT_EQ(top.context, "c");
    EXPECT_EQ(top.url, "u");
    EXPECT_EQ(top.user_context, "default");
    EXPECT_EQ(top.client_window, "w");
    EXPECT_EQ(top.original_opener, "o");
    EXPECT_EQ(top.parent, std::nullopt);
    ASSERT_EQ(top.children->size(), 1u);
    EXPECT_EQ(top.children->at(0).parent, "c");
    EXPECT_FALSE(top.children->at(0).children);

    EXPECT_EQ(parsed<CaptureScreenshotResult>(R"({"data": "AA=="})").data, "AA==");
    EXPECT_EQ(parsed<PrintResult>(R"({"data": "AA=="})").data, "AA==");
    const auto created = parsed<CreateResult>(R"({"context": "c", "userContext": "u"})");
    EXPECT_EQ(created.context, "c");
    EXPECT_EQ(created.user_context, "u");
    EXPECT_EQ(parsed<NavigateResult>(R"({"navigation": "n", "url": "u"})").navigation, "n");
    EXPECT_EQ(parsed<NavigateResult>(R"({"navigation": null, "url": "u"})").navigation, std::nullopt);
    EXPECT_EQ(parsed<LocateNodesResult>(R"({"nodes": [{"type": "node", "sharedId": "s"}]})").nodes.at(0).shared_id,
              "s");
    const auto cast = parsed<StartScreencastResult>(R"({"screencast": "s", "path": "/p"})");
    EXPECT_EQ(cast.screencast, "s");
    EXPECT_EQ(cast.path, "/p");
    const auto stopped = parsed<StopScreencastResult>(R"({"path": "/p", "error": "disk full"})");
    EXPECT_EQ(stopped.path, "/p");
    EXPECT_EQ(stopped.error, "disk full");
}

TEST(ScriptResultTest, ValueIsRead) {
    const auto result = parsed<script::EvaluateResult>(
        R"({"type": "success", "realm": "r", "result": {"type": "number", "value": 2}})");
    EXPECT_EQ(result.realm(), "r");
    EXPECT_EQ(result.exception(), nullptr);
    EXPECT_EQ(result.value().plain(), 2);
}

TEST(ScriptResultTest, ExceptionIsAnAnswerUntilTheValueIsAskedFor) {
    const auto result = parsed<script::EvaluateResult>(R"({"type": "exception", "realm": "r", "exceptionDetails": {
        "columnNumber": 3, "lineNumber": 4, "text": "Error: no", "exception": {"type": "error"}, "new": 1,
        "stackTrace": {"callFrames": [{"columnNumber": 1, "functionName": "f", "lineNumber": 2, "url": "u"}]}}})");

    ASSERT_NE(result.exception(), nullptr);
    const script::ExceptionDetails& details = *result.exception();
    EXPECT_EQ(details.text, "Error: no");
    EXPECT_EQ(details.column_number, 3u);
    EXPECT_EQ(details.line_number, 4u);
    EXPECT_EQ(details.exception.type, "error");
    ASSERT_EQ(details.stack_trace.call_frames.size(), 1u);
    EXPECT_EQ(details.stack_trace.call_frames[0].function_name, "f");
    EXPECT_EQ(details.stack_trace.call_frames[0].url, "u");
    try {
        (void)result.value();
        FAIL() << "no ScriptError";
    } catch (const ScriptError& error) {
        EXPECT_EQ(error.kind(), ErrorKind::script_exception);
        EXPECT_EQ(error.details().at("new"), 1);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("Error: no"));
    }
}

TEST(ScriptResultTest, RealmsAreRead) {
    const auto result = parsed<script::GetRealmsResult>(R"({"realms": [
        {"realm": "r1", "origin": "o", "type": "window", "context": "c", "userContext": "u", "sandbox": "s"},
        {"realm": "r2", "origin": "o", "type": "dedicated-worker", "owners": ["r1"]}]})");
    ASSERT_EQ(result.realms.size(), 2u);
    EXPECT_EQ(result.realms[0].type, script::RealmType::window);
    EXPECT_EQ(result.realms[0].context, "c");
    EXPECT_EQ(result.realms[0].user_context, "u");
    EXPECT_EQ(result.realms[0].sandbox, "s");
    EXPECT_EQ(result.realms[1].type, script::RealmType::dedicated_worker);
    EXPECT_THAT(result.realms[1].owners, ElementsAre("r1"));
    EXPECT_EQ(parsed<script::AddPreloadScriptResult>(R"({"script": "p"})").script, "p");
}

TEST(StorageResultTest, CookiesAreRead) {
    const auto result = parsed<storage::GetCookiesResult>(R"({"cookies": [
        {"name": "n", "value": {"type": "base64", "value": "AA=="}, "domain": "h", "path": "/", "size": 3,
         "httpOnly": true,
         "secure": true, "sameSite": "default", "expiry": 9, "moz:x": 1}],
        "partitionKey": {"userContext": "u", "sourceOrigin": "o", "goog:y": 2}})");
    ASSERT_EQ(result.cookies.size(), 1u);
    const storage::Cookie& cookie = result.cookies[0];
    EXPECT_EQ(cookie.name, "n");
    EXPECT_EQ(cookie.value.type, storage::BytesEncoding::base64);
    EXPECT_EQ(cookie.value.value, "AA==");
    EXPECT_EQ(cookie.domain, "h");
    EXPECT_EQ(cookie.path, "/");
    EXPECT_EQ(cookie.size_bytes, 3u);
    EXPECT_TRUE(cookie.http_only);
    EXPECT_TRUE(cookie.secure);
    EXPECT_EQ(cookie.same_site, storage::SameSite::by_default);
    EXPECT_EQ(cookie.expiry_s, 9u);
    EXPECT_EQ(cookie.extra, json::parse(R"({"moz:x": 1})"));
    EXPECT_EQ(result.partition_key.user_context, "u");
    EXPECT_EQ(result.partition_key.source_origin, "o");
    EXPECT_EQ(result.partition_key.extra, json::parse(R"({"goog:y": 2})"));
    EXPECT_EQ(parsed<storage::SetCookieResult>(R"({"partitionKey": {"userContext": "u"}})").partition_key.user_context,
              "u");
    EXPECT_EQ(
        parsed<storage::DeleteCookiesResult>(R"({"partitionKey": {"userContext": "u"}})").partition_key.user_context,
        "u");
}

TEST(EventTest, NavigationEventsAreRead) {
    using namespace browsing_context;
    const auto load =
        parsed<Load>(R"({"context": "c", "navigation": "n", "timestamp": 1.7e12, "url": "u", "userContext": "d"})");
    EXPECT_EQ(load.context, "c");
    EXPECT_EQ(load.navigation, "n");
    EXPECT_EQ(load.timestamp_ms, 1'700'000'000'000u);
    EXPECT_EQ(load.url, "u");
    EXPECT_EQ(load.user_context, "d");
    EXPECT_EQ(parsed<HistoryUpdated>(R"({"context": "c", "timestamp": 5, "url": "u"})").url, "u");
    const auto begin = parsed<DownloadWillBegin>(R"({"context": "c", "download": "d", "suggestedFilename": "f"})");
    EXPECT_EQ(begin.context, "c");
    EXPECT_EQ(begin.download, "d");
    EXPECT_EQ(begin.suggested_filename, "f");
    const auto end =
        parsed<DownloadEnd>(R"({"navigation": "n", "download": "d", "status": "complete", "filepath": "/f"})");
    EXPECT_EQ(end.navigation, "n");
    EXPECT_EQ(end.status, DownloadStatus::complete);
    EXPECT_EQ(end.filepath, "/f");
}

TEST(EventTest, PromptsLogsAndMessagesAreRead) {
    const auto opened = parsed<browsing_context::UserPromptOpened>(
        R"({"context": "c", "handler": "ignore", "message": "m", "type": "prompt", "userContext": "u",
            "defaultValue": "v"})");
    EXPECT_EQ(opened.handler, session::UserPromptHandlerType::ignore);
    EXPECT_EQ(opened.type, browsing_context::UserPromptType::prompt);
    EXPECT_EQ(opened.message, "m");
    EXPECT_EQ(opened.default_value, "v");
    const auto closed = parsed<browsing_context::UserPromptClosed>(
        R"({"context": "c", "accepted": true, "type": "confirm", "userText": "t"})");
    EXPECT_TRUE(closed.accepted);
    EXPECT_EQ(closed.type, browsing_context::UserPromptType::confirm);
    EXPECT_EQ(closed.user_text, "t");

    const auto entry =
        parsed<log::EntryAdded>(R"({"type": "console", "level": "warn", "source": {"realm": "r", "context": "c"},
        "text": "t", "timestamp": 5, "method": "warn", "args": [{"type": "string", "value": "t"}],
        "stackTrace": {"callFrames": [{"functionName": "f"}]}})");
    EXPECT_EQ(entry.type, "console");
    EXPECT_EQ(entry.level, log::Level::warn);
    EXPECT_EQ(entry.source.context, "c");
    EXPECT_EQ(entry.text, "t");
    EXPECT_EQ(entry.method, "warn");
    EXPECT_EQ(entry.args.at(0).plain(), "t");
    EXPECT_EQ(entry.stack_trace->call_frames.at(0).function_name, "f");

    const auto message = parsed<script::Message>(
        R"({"channel": "x", "data": {"type": "number", "value": 1},
            "source": {"realm": "r", "context": "c", "userContext": "u"}})");
    EXPECT_EQ(message.channel, "x");
    EXPECT_EQ(message.data.plain(), 1);
    EXPECT_EQ(message.source.realm, "r");
    EXPECT_EQ(message.source.user_context, "u");
    EXPECT_EQ(parsed<script::RealmDestroyed>(R"({"realm": "r"})").realm, "r");
    EXPECT_EQ(parsed<script::RealmCreated>(R"({"realm": "r", "type": "worklet"})").type, script::RealmType::worklet);
}

template <class T>
class LenientTest : public ::testing::Test {};
using Lenient = ::testing::Types<
    session::NewResult, session::StatusResult, session::SubscribeResult, browser::ClientWindowInfo,
    browser::GetClientWindowsResult, browser::GetUserContextsResult, browsing_context::GetTreeResult,
    browsing_context::LocateNodesResult, browsing_context::NavigateResult, browsing_context::StopScreencastResult,
    browsing_context::ContextCreated, browsing_context::NavigationFailed, browsing_context::HistoryUpdated,
    browsing_context::DownloadWillBegin, browsing_context::DownloadEnd, browsing_context::UserPromptOpened,
    browsing_context::UserPromptClosed, script::GetRealmsResult, script::Message, script::RealmCreated,
    script::RealmDestroyed, log::EntryAdded, storage::GetCookiesResult, storage::SetCookieResult>;
TYPED_TEST_SUITE(LenientTest, Lenient);

TYPED_TEST(LenientTest, ReadsWhatHasNothingOrOnlyTheUnexpected) {
    EXPECT_NO_THROW(json::object().get<TypeParam>());
    EXPECT_NO_THROW(json(nullptr).get<TypeParam>());
    EXPECT_NO_THROW(json::parse(R"({"context": 1, "url": null, "timestamp": "soon", "children": {}, "nodes": [1, null],
        "clientWindows": ["w"], "userContexts": 3, "realms": [[]], "owners": [1], "source": "s", "data": 5, "type": {},
        "args": "a", "stackTrace": [], "cookies": [7], "partitionKey": "k", "capabilities": [], "ready": "yes",
        "newMember": {"x": 1}})")
                        .get<TypeParam>());
}

TEST(LenientNumberTest, StaysInRange) {
    const auto y_of = [](const json& y) { return json{{"y", y}}.get<browser::ClientWindowInfo>().y; };
    const auto width_of = [](const json& width) {
        return json{{"width", width}}.get<browser::ClientWindowInfo>().width;
    };
    EXPECT_EQ(y_of(1e300), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(y_of(-1e300), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(y_of(std::numeric_limits<std::uint64_t>::max()), std::numeric_limits<std::int64_t>::max());
    EXPECT_EQ(y_of(-2.0), -2);
    EXPECT_EQ(width_of(-3), 0u);
    EXPECT_EQ(width_of(-3.5), 0u);
    EXPECT_EQ(width_of(3.0), 3u);
}

/// A browser that a test scripts, and a connection to it.
class AnswerTest : public ::testing::Test {
protected:
    boost::asio::io_context io_;
    testing::ScriptedServer server_{io_};
    std::shared_ptr<Connection> connection_ = testing::run(io_, Connection::open(server_.url()));

    ProtocolError refusal(Task<> task) {
        try {
            testing::run(io_, std::move(task));
        } catch (const ProtocolError& error) {
            return error;
        }
        throw std::runtime_error("the command succeeded");
    }
};

TEST_F(AnswerTest, ResultComesBackTyped) {
    server_.answer("browsingContext.create", {{"context", "c7"}});
    const auto created = testing::run(io_, browsing_context::create(*connection_, browsing_context::CreateType::tab));
    EXPECT_EQ(created.context, "c7");
    EXPECT_EQ(created.user_context, std::nullopt);
}

TEST_F(AnswerTest, CodesThatNobodyKnowsArePassedOn) {
    server_.refuse("browser.close", "no such moon", "it is new");
    const ProtocolError error = refusal(browser::close(*connection_));
    EXPECT_EQ(error.code(), "no such moon");
    EXPECT_EQ(error.remote_message(), "it is new");
    EXPECT_EQ(error.method(), "browser.close");
}

TEST_F(AnswerTest, CommandTheBrowserLacksIsUnknownCommand) {
    EXPECT_EQ(refusal(browsing_context::set_bypass_csp(*connection_, true)).code(), "unknown command");
}

TEST_F(AnswerTest, AnswerWithoutTheIdAskedForIsMalformed) {
    server_.answer("browsingContext.create", {{"url", "u"}});
    EXPECT_THROW(testing::run(io_, browsing_context::create(*connection_, browsing_context::CreateType::tab)),
                 ProtocolError);
}

TEST_F(AnswerTest, EventsArriveTypedAndInOrder) {
    std::vector<std::string> seen;
    const Subscription messages =
        on<script::Message>(*connection_, [&seen](const script::Message& event) { seen.push_back(event.channel); });
    server_.on_command([](const json& command) {
        return std::vector<json>{testing::ScriptedServer::event("script.message", {{"channel", "a"}}),
                                 testing::ScriptedServer::event("script.message", {{"channel", 5}}),
                                 testing::ScriptedServer::event("script.message", {{"channel", "b"}, {"new", 1}}),
                                 testing::ScriptedServer::success(command)};
    });
    testing::run(io_, session::end(*connection_));
    EXPECT_THAT(seen, ElementsAre("a", "", "b"));
}

}  // namespace
}  // namespace bidi
