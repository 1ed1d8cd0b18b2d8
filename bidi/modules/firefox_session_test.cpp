// The commands of the modules session, browser and storage, against a real Firefox.

#include <algorithm>
#include <chrono>
#include <iostream>

#include <boost/asio/io_context.hpp>

#include "bidi/modules/firefox_fixture.hpp"
#include "bidi/modules/storage.hpp"
#include "bidi/modules/test_command_names.hpp"
#include "bidi/testing/run_task.hpp"

namespace bidi::testing {
namespace {

using ::testing::AnyOf;
using ::testing::IsEmpty;
using ::testing::Not;

TEST_F(FirefoxTest, SessionSaysWhatBrowserItIs) {
    const session::Capabilities& is = session().capabilities;
    EXPECT_THAT(session().session_id, Not(IsEmpty()));
    EXPECT_EQ(is.browser_name, "firefox");
    EXPECT_THAT(is.browser_version, Not(IsEmpty()));
    EXPECT_THAT(is.user_agent, ::testing::HasSubstr("Firefox/"));
    EXPECT_EQ(is.platform_name, "linux");
    EXPECT_EQ(is.extra.at("moz:processID"), firefox().pid());
    ASSERT_TRUE(is.unhandled_prompt_behavior);
    EXPECT_EQ(is.unhandled_prompt_behavior->by_default, session::UserPromptHandlerType::ignore);
}

TEST_F(FirefoxTest, EveryCommandIsThereOrUnknown) {
    run([]() -> Task<> {
        // Without parameters these succeed or end the session; other tests send them.
        const std::vector<std::string_view> need_none = {"session.end",
                                                         "session.status",
                                                         "browser.close",
                                                         "browser.createUserContext",
                                                         "browser.getClientWindows",
                                                         "browser.getUserContexts",
                                                         "browsingContext.getTree",
                                                         "script.getRealms",
                                                         "storage.deleteCookies",
                                                         "storage.getCookies"};
        for (const std::string_view command : kCommandNames) {
            if (std::find(need_none.begin(), need_none.end(), command) != need_none.end()) continue;
            const std::string code = co_await error_code(connection().call(std::string(command)));
            EXPECT_THAT(code, AnyOf("invalid argument", "unknown command", "session not created")) << command;
            if (code == "unknown command") std::cout << "this browser lacks " << command << '\n';
        }
    });
}

TEST_F(FirefoxTest, SubscriptionsAreForContextsAndEndById) {
    run([this]() -> Task<> {
        const std::vector<std::string> log = {"log.entryAdded"};
        co_await session::unsubscribe_events(connection(), log);
        const auto entries = watch<log::EntryAdded>();

        session::SubscribeOptions only_tab;
        only_tab.contexts = {tab_};
        const auto subscribed = co_await session::subscribe(connection(), log, only_tab);
        co_await evaluate("console.log('wanted')");
        co_await until([&] { return !entries->empty(); });
        EXPECT_EQ(entries->front().text, "wanted");

        const std::vector<std::string> ids = {subscribed.subscription};
        co_await session::unsubscribe(connection(), ids);
        co_await evaluate("console.log('unwanted')");

        session::SubscribeOptions only_default;
        only_default.user_contexts = {"default"};
        const auto again = co_await session::subscribe(connection(), log, only_default);
        co_await evaluate("console.log('wanted again')");
        co_await until([&] { return !entries->empty() && entries->back().text == "wanted again"; });
        const std::vector<std::string> again_ids = {again.subscription};
        co_await session::unsubscribe(connection(), again_ids);
        co_await session::subscribe(connection(), log);

        const std::vector<std::string> unknown = {"log.noSuchEvent"};
        EXPECT_EQ(co_await error_code(session::subscribe(connection(), unknown)), "invalid argument");
        EXPECT_EQ(co_await error_code(session::unsubscribe(connection(), ids)), "invalid argument");
        EXPECT_EQ(co_await error_code(session::unsubscribe_events(connection(), unknown)), "invalid argument");
    });
}

TEST_F(FirefoxTest, UserContextsComeAndGo) {
    run([]() -> Task<> {
        browser::CreateUserContextOptions options;
        options.accept_insecure_certs = true;
        options.unhandled_prompt_behavior.emplace(session::UserPromptHandlerType::accept);
        options.proxy.emplace(session::ProxyType::direct);
        const auto made = co_await browser::create_user_context(connection(), options);

        const auto has_it = [&made](const browser::GetUserContextsResult& all) {
            return std::any_of(all.user_contexts.begin(), all.user_contexts.end(),
                               [&made](const auto& info) { return info.user_context == made.user_context; });
        };
        EXPECT_TRUE(has_it(co_await browser::get_user_contexts(connection())));
        co_await browser::remove_user_context(connection(), made.user_context);
        EXPECT_FALSE(has_it(co_await browser::get_user_contexts(connection())));

        EXPECT_EQ(co_await error_code(browser::remove_user_context(connection(), made.user_context)),
                  "no such user context");
        EXPECT_EQ(co_await error_code(browser::remove_user_context(connection(), "default")), "invalid argument");
    });
}

TEST_F(FirefoxTest, ClientWindowsAreListedAndMoved) {
    run([]() -> Task<> {
        const auto windows = co_await browser::get_client_windows(connection());
        EXPECT_EQ(windows.client_windows.size(), 1u);
        if (windows.client_windows.empty()) co_return;
        const browser::ClientWindowInfo& window = windows.client_windows[0];
        EXPECT_GT(window.width, 0u);
        EXPECT_GT(window.height, 0u);
        EXPECT_FALSE(window.state.empty());

        if (!co_await has("browser.setClientWindowState")) {
            EXPECT_EQ(co_await error_code(browser::set_client_window_state(connection(), window.client_window,
                                                                           browser::ClientWindowState::normal)),
                      "unknown command");
            co_return;
        }
        browser::ClientWindowRect rect;
        rect.width = 900;
        rect.height = 700;
        const auto moved = co_await browser::set_client_window_state(connection(), window.client_window,
                                                                     browser::ClientWindowState::normal, rect);
        EXPECT_EQ(moved.client_window, window.client_window);
        EXPECT_EQ(moved.width, 900u);
        EXPECT_EQ(moved.height, 700u);
        EXPECT_EQ(co_await error_code(
                      browser::set_client_window_state(connection(), "no window", browser::ClientWindowState::normal)),
                  "no such client window");
    });
}

std::uint64_t in_a_day() {
    const auto then = std::chrono::system_clock::now() + std::chrono::hours(24);
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::seconds>(then.time_since_epoch()).count());
}

TEST_F(FirefoxTest, CookiesAreSetFoundAndDeleted) {
    site().serve("/cookies.html", "<!doctype html>");
    run([this]() -> Task<> {
        co_await visit("/cookies.html");
        storage::PartialCookie cookie("taste", storage::BytesValue("sweet"), "127.0.0.1");
        cookie.path = "/";
        cookie.http_only = false;
        cookie.secure = false;
        cookie.same_site = storage::SameSite::lax;
        cookie.expiry_s = in_a_day();
        const storage::SetCookieOptions here(storage::ContextPartition{tab_});
        const auto set = co_await storage::set_cookie(connection(), cookie, here);
        EXPECT_EQ(set.partition_key.user_context, "default");
        EXPECT_EQ(co_await evaluate("document.cookie"), "taste=sweet");

        storage::CookiesOptions wanted;
        wanted.filter.emplace().name = "taste";
        wanted.filter->value = cookie.value;
        wanted.filter->domain = cookie.domain;
        wanted.filter->path = "/";
        wanted.filter->size_bytes = 10;
        wanted.filter->http_only = false;
        wanted.filter->secure = false;
        wanted.filter->same_site = storage::SameSite::lax;
        wanted.filter->expiry_s = cookie.expiry_s;
        wanted.partition = here.partition;
        const auto found = co_await storage::get_cookies(connection(), wanted);
        EXPECT_EQ(found.cookies.size(), 1u);
        if (found.cookies.empty()) co_return;
        EXPECT_EQ(found.cookies[0].name, "taste");
        EXPECT_EQ(found.cookies[0].value.value, "sweet");
        EXPECT_EQ(found.cookies[0].size_bytes, 10u);
        EXPECT_EQ(found.cookies[0].expiry_s, cookie.expiry_s);

        co_await storage::delete_cookies(connection(), wanted);
        EXPECT_EQ(co_await evaluate("document.cookie"), "");
    });
}

TEST_F(FirefoxTest, CookiesBelongToTheirPartition) {
    run([]() -> Task<> {
        const auto other = co_await browser::create_user_context(connection());
        const storage::BytesValue sweet(storage::BytesEncoding::base64, "c3dlZXQ=");
        storage::PartialCookie cookie("taste", sweet, "example.test");
        storage::StorageKeyPartition partition;
        partition.user_context = other.user_context;
        const storage::SetCookieOptions there(partition);
        const auto set = co_await storage::set_cookie(connection(), cookie, there);
        EXPECT_EQ(set.partition_key.user_context, other.user_context);

        storage::CookiesOptions in_other;
        in_other.filter.emplace().domain = "example.test";
        in_other.partition = partition;
        storage::CookiesOptions in_default = in_other;
        partition.user_context = "default";
        in_default.partition = partition;
        const auto found = co_await storage::get_cookies(connection(), in_other);
        EXPECT_EQ(found.cookies.size(), 1u);
        if (!found.cookies.empty()) {
            EXPECT_EQ(found.cookies[0].value.type, storage::BytesEncoding::string) << "text needs no base64";
            EXPECT_EQ(found.cookies[0].value.value, "sweet");
        }
        EXPECT_THAT((co_await storage::get_cookies(connection(), in_default)).cookies, IsEmpty());
        const auto deleted = co_await storage::delete_cookies(connection(), in_other);
        EXPECT_EQ(deleted.partition_key.user_context, other.user_context);
        EXPECT_THAT((co_await storage::get_cookies(connection(), in_other)).cookies, IsEmpty());
        co_await browser::remove_user_context(connection(), other.user_context);

        cookie.domain = "not a domain/";
        EXPECT_THAT(co_await error_code(storage::set_cookie(connection(), cookie)),
                    AnyOf("unable to set cookie", "invalid argument"));
    });
}

// In a Firefox of its own, since it ends the session.
TEST(FirefoxSessionTest, OneSessionAtATimeUntilItEnds) {
    boost::asio::io_context io;
    FirefoxProcess firefox;
    const auto lifecycle = [&firefox]() -> Task<> {
        const auto first = co_await Connection::open(firefox.url());
        const auto before = co_await session::status(*first);
        EXPECT_TRUE(before.ready);
        co_await session::start(*first);
        const auto during = co_await session::status(*first);
        EXPECT_FALSE(during.ready);

        const auto second = co_await Connection::open(firefox.url());
        std::string refused;
        try {
            co_await session::start(*second);
        } catch (const ProtocolError& error) {
            refused = error.code();
        }
        EXPECT_EQ(refused, "session not created");

        co_await session::end(*first);
        co_await session::start(*second);
        co_await browser::close(*second);
    };
    testing::run(io, lifecycle());
    EXPECT_EQ(firefox.wait_for_exit(std::chrono::seconds(10)), 0);
}

}  // namespace
}  // namespace bidi::testing
