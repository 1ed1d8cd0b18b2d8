// The events of the modules browsingContext, log and script, provoked in a real Firefox. What a browser lacks it
// refuses to subscribe to; the tests say so instead of waiting for it.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

#include "bidi/modules/firefox_fixture.hpp"

namespace bidi::testing {
namespace {

using namespace browsing_context;
using ::testing::HasSubstr;
using ::testing::Not;

class EventsTest : public FirefoxTest {
protected:
    /// Whether the test can go on. If not, subscribing fails exactly as the specification says.
    static Task<bool> sends(std::string_view event) {
        if (has_event(event)) co_return true;
        std::cout << "this browser lacks " << event << '\n';
        const std::vector<std::string> names(1, std::string(event));
        EXPECT_EQ(co_await error_code(session::subscribe(connection(), names)), "invalid argument");
        co_return false;
    }

    Task<> click() {
        const json click = json::parse(R"([{"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": 5, "y": 5}, {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0}]}])");
        json params = json::object();
        params["context"] = tab_;
        params["actions"] = click;
        co_await connection().call("input.performActions", params);
    }

    /// The first event of the test's tab, awaited.
    template <class Event>
    Task<Event> first_of_tab(std::shared_ptr<Seen<Event>> seen) {
        auto found = seen->events.end();
        co_await until([&] {
            found = std::find_if(seen->events.begin(), seen->events.end(),
                                 [this](const Event& event) { return event.context == tab_; });
            return found != seen->events.end();
        });
        co_return *found;
    }
};

TEST_F(EventsTest, ContextsComeAndGo) {
    run([]() -> Task<> {
        const auto created = watch<ContextCreated>();
        const auto destroyed = watch<ContextDestroyed>();
        const auto tab = co_await create(connection(), CreateType::tab);
        co_await until([&] { return !created->empty(); });
        EXPECT_EQ(created->front().context, tab.context);
        EXPECT_EQ(created->front().user_context, "default");
        co_await close(connection(), tab.context);
        co_await until([&] { return !destroyed->empty(); });
        EXPECT_EQ(destroyed->front().context, tab.context);
    });
}

TEST_F(EventsTest, NavigationIsToldStepByStep) {
    site().serve("/steps.html", "<title>steps</title>");
    run([this]() -> Task<> {
        const auto started = watch<NavigationStarted>();
        const auto committed = watch<NavigationCommitted>();
        const auto parsed = watch<DomContentLoaded>();
        const auto loaded = watch<Load>();
        const std::string url = site().url("/steps.html");
        const auto navigated = co_await navigate(connection(), tab_, url, ReadinessState::complete);
        const Load load = co_await first_of_tab(loaded);
        EXPECT_EQ(load.navigation, navigated.navigation);
        EXPECT_EQ(load.url, url);
        EXPECT_GT(load.timestamp_ms, 1'700'000'000'000u);
        const NavigationStarted start = co_await first_of_tab(started);
        EXPECT_EQ(start.navigation, navigated.navigation);
        const DomContentLoaded parse = co_await first_of_tab(parsed);
        EXPECT_EQ(parse.navigation, navigated.navigation);
        if (!co_await sends(NavigationCommitted::kMethod)) co_return;
        const NavigationCommitted commit = co_await first_of_tab(committed);
        EXPECT_EQ(commit.navigation, navigated.navigation);
    });
}

TEST_F(EventsTest, FragmentNavigationAndHistoryUpdatesAreTold) {
    site().serve("/history.html", "<p id=there>");
    run([this]() -> Task<> {
        co_await visit("/history.html");
        const auto fragments = watch<FragmentNavigated>();
        const auto updates = watch<HistoryUpdated>();
        co_await evaluate("location.hash = 'there'; 0");
        const FragmentNavigated fragment = co_await first_of_tab(fragments);
        EXPECT_EQ(fragment.url, site().url("/history.html#there"));
        if (!co_await sends(HistoryUpdated::kMethod)) co_return;
        co_await evaluate("history.pushState({}, '', 'pushed.html'); 0");
        const HistoryUpdated update = co_await first_of_tab(updates);
        EXPECT_EQ(update.url, site().url("/pushed.html"));
        EXPECT_GT(update.timestamp_ms, 1'700'000'000'000u);
    });
}

// The specification says "aborted"; Firefox, as long as it lacks that event, says "failed".
TEST_F(EventsTest, NavigationInPlaceOfAnotherEndsThatOne) {
    const auto requested = std::make_shared<bool>(false);
    site().stall("/never.html", [requested] {
        *requested = true;
        notify();
    });
    site().serve("/other.html", "<title>other</title>");
    run([this, requested]() -> Task<> {
        const bool can_abort = co_await sends(NavigationAborted::kMethod);
        const bool can_fail = co_await sends(NavigationFailed::kMethod);
        if (!can_abort && !can_fail) co_return;
        const auto aborted = watch<NavigationAborted>();
        const auto failed = watch<NavigationFailed>();
        const std::string url = site().url("/never.html");
        const std::string other = site().url("/other.html");  // the tab shows about:blank, without a base for URLs
        const auto started = watch<NavigationStarted>();
        in_background(discard(navigate(connection(), tab_, url)));  // not answered before the page's first byte
        const NavigationStarted replaced = co_await first_of_tab(started);
        co_await until([&] { return *requested; });
        const std::string leave = "location.href = '" + other + "'";
        in_background(discard(evaluate(leave)));  // may be discarded together with the page
        co_await until([&] { return !aborted->empty() || !failed->empty(); });
        const NavigationInfo& event =
            can_abort ? static_cast<const NavigationInfo&>(aborted->events.at(0)) : failed->events.at(0);
        EXPECT_EQ(event.context, tab_);
        EXPECT_EQ(event.url, url);
        EXPECT_EQ(event.navigation, replaced.navigation);
    });
}

TEST_F(EventsTest, DownloadsAreToldAndGoWhereTheyAreWanted) {
    site().serve("/data.bin", "downloaded", "Content-Type: application/octet-stream\r\n");
    site().serve("/download.html", "<a id=link href=data.bin download=data.bin>x</a>");
    run([this]() -> Task<> {
        if (!co_await sends(DownloadWillBegin::kMethod)) co_return;
        const bool directed = co_await has("browser.setDownloadBehavior");
        const browser::DownloadBehavior into_scratch = browser::DownloadAllowed(firefox().scratch().string());
        const browser::DownloadBehavior denied = browser::DownloadDenied{};
        if (!directed) {
            EXPECT_EQ(co_await error_code(browser::set_download_behavior(connection(), denied)), "unknown command");
            co_return;
        }
        const auto begun = watch<DownloadWillBegin>();
        const auto ended = watch<DownloadEnd>();
        co_await browser::set_download_behavior(connection(), into_scratch);
        co_await visit("/download.html");
        co_await evaluate("document.getElementById('link').click()");
        const DownloadWillBegin begin = co_await first_of_tab(begun);
        EXPECT_EQ(begin.suggested_filename, "data.bin");
        EXPECT_EQ(begin.url, site().url("/data.bin"));
        if (!co_await sends(DownloadEnd::kMethod)) co_return;
        const DownloadEnd end = co_await first_of_tab(ended);
        EXPECT_EQ(end.status, DownloadStatus::complete);
        EXPECT_EQ(end.download, begin.download);
        EXPECT_EQ(end.filepath, (firefox().scratch() / "data.bin").string());
        std::ifstream file(end.filepath.value_or(""));
        EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "downloaded");
        std::filesystem::remove(end.filepath.value_or(""));

        ended->events.clear();
        browser::SetDownloadBehaviorOptions only_default;
        only_default.user_contexts = std::vector<std::string>(1, "default");
        co_await browser::set_download_behavior(connection(), denied, only_default);
        co_await evaluate("document.getElementById('link').click()");
        const DownloadEnd cancelled = co_await first_of_tab(ended);
        EXPECT_EQ(cancelled.status, DownloadStatus::canceled);
        EXPECT_FALSE(cancelled.filepath);
        co_await browser::set_download_behavior(connection(), std::nullopt, only_default);
        co_await browser::set_download_behavior(connection(), std::nullopt);
    });
}

TEST_F(EventsTest, PromptsAreToldAndAnswered) {
    run([this]() -> Task<> {
        const auto opened = watch<UserPromptOpened>();
        const auto closed = watch<UserPromptClosed>();
        // The timer lets the command end before the prompt blocks the page.
        co_await evaluate("setTimeout(() => { window.answer = prompt('Who?', 'nobody') }); 0");
        const UserPromptOpened asked = co_await first_of_tab(opened);
        EXPECT_EQ(asked.type, UserPromptType::prompt);
        EXPECT_EQ(asked.message, "Who?");
        EXPECT_EQ(asked.default_value, "nobody");
        EXPECT_EQ(asked.handler, session::UserPromptHandlerType::ignore);
        HandleUserPromptOptions answer;
        answer.accept = true;
        answer.user_text = "me";
        co_await handle_user_prompt(connection(), tab_, answer);
        const UserPromptClosed answered = co_await first_of_tab(closed);
        EXPECT_EQ(answered.type, UserPromptType::prompt);
        EXPECT_TRUE(answered.accepted);
        EXPECT_EQ(answered.user_text, "me");
        EXPECT_EQ(co_await evaluate("window.answer"), "me");

        opened->events.clear();
        closed->events.clear();
        co_await evaluate("setTimeout(() => { window.answer = confirm('Sure?') }); 0");
        const UserPromptOpened confirm = co_await first_of_tab(opened);
        EXPECT_EQ(confirm.type, UserPromptType::confirm);
        answer.accept = false;
        answer.user_text.reset();
        co_await handle_user_prompt(connection(), tab_, answer);
        const UserPromptClosed refused = co_await first_of_tab(closed);
        EXPECT_FALSE(refused.accepted);
        EXPECT_EQ(co_await evaluate("window.answer"), false);

        opened->events.clear();
        co_await evaluate("setTimeout(() => alert('Hear!')); 0");
        const UserPromptOpened alert = co_await first_of_tab(opened);
        EXPECT_EQ(alert.type, UserPromptType::alert);
        co_await handle_user_prompt(connection(), tab_);
        EXPECT_EQ(co_await error_code(handle_user_prompt(connection(), tab_)), "no such alert");
    });
}

TEST_F(EventsTest, ClosingAsksThePageOnlyWhenWanted) {
    site().serve("/leave.html", "<script>onbeforeunload = event => event.preventDefault()</script>");
    run([this]() -> Task<> {
        co_await visit("/leave.html");
        co_await click();  // pages may ask only after a user's gesture
        const auto opened = watch<UserPromptOpened>();
        const auto destroyed = watch<ContextDestroyed>();
        // The command waits for the prompt's answer, which only other commands can give.
        CloseOptions asking;
        asking.prompt_unload = true;
        const auto ended = in_background(close(connection(), tab_, asking));
        const UserPromptOpened asked = co_await first_of_tab(opened);
        EXPECT_EQ(asked.type, UserPromptType::beforeunload);
        co_await handle_user_prompt(connection(), tab_);
        co_await until([&] { return *ended && !destroyed->empty(); });
        EXPECT_EQ(destroyed->front().context, tab_);
    });
}

TEST_F(EventsTest, ConsoleAndErrorsAreLogged) {
    site().serve("/log.html", "<script>function broken() { throw new TypeError('out of order') }</script>");
    run([this]() -> Task<> {
        co_await visit("/log.html");
        const auto entries = watch<log::EntryAdded>();
        co_await evaluate("console.warn('careful', {depth: 1})");
        co_await until([&] { return !entries->empty(); });
        const log::EntryAdded warning = entries->front();
        EXPECT_EQ(warning.type, "console");
        EXPECT_EQ(warning.level, log::Level::warn);
        EXPECT_EQ(warning.method, "warn");
        EXPECT_EQ(warning.source.context, tab_);
        EXPECT_THAT(warning.args, ::testing::SizeIs(2));
        EXPECT_EQ(warning.args.at(0).plain(), "careful");
        EXPECT_EQ(warning.args.at(1).plain(), json::parse(R"({"depth": 1})"));
        EXPECT_GT(warning.timestamp_ms, 1'700'000'000'000u);

        entries->events.clear();
        co_await evaluate("setTimeout(broken); 0");
        co_await until([&] { return !entries->empty(); });
        const log::EntryAdded error = entries->front();
        EXPECT_EQ(error.type, "javascript");
        EXPECT_EQ(error.level, log::Level::error);
        EXPECT_THAT(error.text.value_or(""), HasSubstr("out of order"));
        EXPECT_TRUE(error.stack_trace);
        EXPECT_EQ(error.stack_trace.value().call_frames.at(0).function_name, "broken");
        EXPECT_FALSE(error.method);
    });
}

TEST_F(EventsTest, RealmsComeAndGo) {
    site().serve("/realm.html", "<p>realm");
    run([this]() -> Task<> {
        const auto created = watch<script::RealmCreated>();
        const auto destroyed = watch<script::RealmDestroyed>();
        co_await visit("/realm.html");
        script::RealmCreated window;
        co_await until([&] {
            for (const script::RealmCreated& event : created->events) {
                if (event.context == tab_ && event.origin != "null") window = event;
            }
            return !window.realm.empty();
        });
        EXPECT_EQ(window.type, script::RealmType::window);
        EXPECT_EQ(window.origin + "/realm.html", site().url("/realm.html"));
        co_await visit("/realm.html");
        co_await until([&] {
            return std::any_of(destroyed->events.begin(), destroyed->events.end(),
                               [&](const auto& event) { return event.realm == window.realm; });
        });
    });
}

}  // namespace
}  // namespace bidi::testing
