#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bidi/connection.hpp"
#include "bidi/modules/browser.hpp"
#include "bidi/modules/browsing_context.hpp"
#include "bidi/modules/events.hpp"
#include "bidi/modules/script.hpp"
#include "bidi/modules/session.hpp"
#include "bidi/modules/test_site.hpp"
#include "bidi/task.hpp"
#include "bidi/testing/firefox_process.hpp"

namespace bidi {

template <class Self>
void PrintTo(const Word<Self>& word, std::ostream* out) {
    *out << '"' << word.text() << '"';
}

}  // namespace bidi

namespace bidi::testing {

/// The events of one type that arrived since this object was made.
template <class Event>
struct Seen {
    std::vector<Event> events;
    Subscription subscription;

    bool empty() const { return events.empty(); }
    std::size_t size() const { return events.size(); }
    const Event& front() const { return events.front(); }
    const Event& back() const { return events.back(); }
};

/// Tests against one real Firefox, started once for all of them, with a session that is subscribed to every event it
/// knows, and a new tab for each test. Prompts are left to the tests.
///
/// What a browser lacks is found out by asking it (`has`), so that the same tests serve older and newer ones: a command
/// it lacks answers "unknown command", an event "invalid argument" to its subscription.
class FirefoxTest : public ::testing::Test {
protected:
    static void SetUpTestSuite();
    void SetUp() override;
    void TearDown() override;

    /// Runs a test's body on the event loop.
    static void run(const std::function<Task<>()>& body);
    /// Waits until `condition` holds; asked again after each event. Throws std::runtime_error after a hang bound.
    static Task<> until(std::function<bool()> condition);
    /// Has `until` ask again, where it was no event that changed something.
    static void notify();
    /// A command whose result does not matter.
    template <class T>
    static Task<> discard(Task<T> command) {
        co_await std::move(command);
    }
    /// Begins `command`. The result becomes true when it has succeeded.
    static std::shared_ptr<bool> in_background(Task<> command);
    /// Whether the browser has the command. It is asked without parameters, so not for commands that need none.
    static Task<bool> has(std::string command);
    static bool has_event(std::string_view event);
    /// The code of the error that `command` is answered with; empty if it succeeds.
    static Task<std::string> error_code(Task<> command);
    template <class T>
    static Task<std::string> error_code(Task<T> command) {
        return error_code(discard(std::move(command)));
    }

    /// The value of an expression in the test's tab, promises awaited.
    Task<json> evaluate(std::string expression);
    /// Loads a page of the site in the test's tab.
    Task<> visit(std::string path);

    template <class Event>
    [[nodiscard]] static std::shared_ptr<Seen<Event>> watch() {
        auto seen = std::make_shared<Seen<Event>>();
        seen->subscription = on<Event>(connection(), [events = &seen->events](const Event& event) {
            events->push_back(event);
            notify();
        });
        return seen;
    }

    static Connection& connection();
    static TestSite& site();
    static FirefoxProcess& firefox();
    static const session::NewResult& session();
    script::Target page() const { return script::ContextTarget(tab_); }

    std::string tab_;

private:
    struct Shared;
    class Environment;
    static std::unique_ptr<Shared> shared_;
};

}  // namespace bidi::testing
