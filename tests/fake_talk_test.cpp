// What a browser may say, or leave unsaid, while it is measured, as the fake browser does on order.
#include <cstdlib>
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_browser.hpp"

namespace foxbench {
namespace {

using document::RunState;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using FakeTalk = testing_support::FakeBrowserTest;

// ---- what a run is not disturbed by

struct Harmless {
    const char* name;
    const char* rules;
};
std::ostream& operator<<(std::ostream& out, const Harmless& harmless) {
    return out << harmless.name;
}

class HarmlessTalk : public FakeTalk, public testing::WithParamInterface<Harmless> {};

TEST_P(HarmlessTalk, DoesNotDisturbARun) {
    set_rules(GetParam().rules);
    const auto result = run();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(stored().state, RunState::completed);
    EXPECT_EQ(launch(0).series.at(0).passes.size(), 2u);
    expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(
    All, HarmlessTalk,
    testing::Values(
        Harmless{"SingleBytes", R"([{"at": "session.new", "do": [{"style": "bytes"}, {"default": true}]}])"},
        Harmless{"FragmentsWithPingsBetween",
                 R"([{"at": "session.new", "do": [{"style": "fragments"}, {"default": true}]}])"},
        Harmless{"StrangersAnswers", R"([{"at": "script.callFunction", "do": [
            {"answer": {}, "id": 4711}, {"answer": {}, "id": 0}, {"answer": {}, "id": -1}, {"answer": {}, "id": "1"},
            {"answer": {}, "id": 1.5}, {"answer": {}, "id": null}, {"answer": {}, "id": 18446744073709551615},
            {"error": "unknown error", "id": null}, {"default": true}]}])"},
        Harmless{"DoubleAnswers", R"([{"at": "script.callFunction", "with": "foxbench.proceed", "do": [
            {"default": true}, {"default": true}, {"error": "no such frame"}]}])"},
        Harmless{"LateAnswers", R"([{"at": "script.callFunction", "with": "foxbench.proceed", "nth": 2, "do": [
            {"wait_ms": 200}, {"default": true}]}])"},
        Harmless{"WhatIsNoMessage", R"([{"at": "pass", "nth": 2, "do": [
            {"send": ""}, {"send": "no JSON"}, {"send": "[]"}, {"send": "{\"type\": \"event\"}"}, {"binary": "x"},
            {"send": "{\"type\": \"success\", \"id\": {}}"}, {"ping": "are you there"}, {"default": true}]}])"},
        Harmless{"OddEvents", R"([{"at": "pass", "nth": 2, "do": [
            {"event": "vendor:somethingNew", "params": {"deep": [[[1]]]}}, {"event": "", "params": {}},
            {"event": "script.message", "params": {}}, {"event": "script.message", "params": {"channel": 5}},
            {"event": "script.message", "params": {"channel": "another", "data": {"type": "string", "value": "x"}}},
            {"event": "log.entryAdded", "params": {"level": "unheard of"}}, {"event": "script.realmDestroyed"},
            {"event": "browsingContext.userPromptOpened", "params": {"type": 3}},
            {"event": "browsingContext.contextDestroyed", "params": {"context": "another", "children": 7}},
            {"event": "browsingContext.navigationStarted", "params": {"context": "another"}},
            {"event": "script.realmDestroyed", "params": {"realm": "another"}}, {"default": true}]}])"},
        // cases.md 22
        Harmless{"LackOfUsefulEvents", R"([
            {"at": "session.subscribe", "with": "script.message", "do": [{"default": true}]},
            {"at": "session.subscribe", "do": [{"error": "invalid argument", "message": "no such event"}]}])"}),
    [](const auto& test) { return std::string(test.param.name); });

// ---- what ends a launch: what was stored before stays, and the next launch has a new browser

struct End {
    const char* name;
    const char* actions;  ///< when the second measured pass is due
    const char* reason;
};
std::ostream& operator<<(std::ostream& out, const End& end) {
    return out << end.name;
}

class EndOfTalk : public FakeTalk, public testing::WithParamInterface<End> {};

TEST_P(EndOfTalk, FailsTheLaunchOnceWithItsReasonAndKeepsWhatIsFinished) {  // cases.md 16, 17, 18, 20, 28, 36
    set_rules(std::string(R"([{"at": "pass", "nth": 3, "launch": 1, "do": )") + GetParam().actions + "}]");
    const auto result = run({"--launches", "2"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    const auto document = stored();
    EXPECT_EQ(document.state, RunState::partial);
    const std::string reason = document.reason.value_or("");
    EXPECT_THAT(reason, AllOf(testing::StartsWith("fake, launch 1: "), HasSubstr(GetParam().reason),
                              HasSubstr("5 of 6 passes are kept")));
    EXPECT_THAT(reason, Not(HasSubstr("more)"))) << "one end is one failure";
    const auto& launches = document.targets.at(0).launches;
    EXPECT_THAT(launches.at(0).failure.value_or(""), HasSubstr(GetParam().reason));
    EXPECT_EQ(launches.at(0).series.at(0).passes.size(), 1u);
    EXPECT_EQ(launches.at(1).failure, std::nullopt);
    EXPECT_EQ(launches.at(1).series.at(0).passes.size(), 2u);
    expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(
    All, EndOfTalk,
    testing::Values(End{"Close", R"([{"close": 1001, "reason": "leaving"}])", "WebSocket close 1001, \"leaving\""},
                    End{"CloseWithAPrivateCode", R"([{"close": 4999}])", "WebSocket close 4999"},
                    End{"Reset", R"([{"reset": true}])", "1006"},
                    End{"ResetAfterHalfAFrame", R"([{"bytes": "817e02006162"}, {"reset": true}])", "1006"},
                    // 1: whole frames never announce so much; the limit is told from the header alone.
                    End{"HugeLength", R"([{"bytes": "817f0000001000000000"}])", "longer than the limit"},
                    End{"LengthBeyondAllIntegers", R"([{"bytes": "817fffffffffffffffff"}])", "WebSocket"},
                    End{"ReservedBits", R"([{"bytes": "f10161"}])", "broke the WebSocket protocol"},
                    End{"ContinuationOfNothing", R"([{"bytes": "800161"}])", "broke the WebSocket protocol"},
                    End{"TextThatIsNoUtf8", R"([{"bytes": "8102c328"}])", "broke the WebSocket protocol"},
                    End{"Exit", R"([{"write": "the last words\n"}, {"exit": 245}])", "| the last words"},
                    End{"ExitWithoutAFault", R"([{"exit": 0}])", "exit code 0"},
                    End{"Signal", R"([{"signal": 9}])", "signal 9 (SIGKILL)"},
                    End{"Navigation", R"([{"event": "browsingContext.navigationStarted", "params":
            {"context": "tab-1", "navigation": "n", "url": "http://elsewhere/", "timestamp": 0}}])",
                        "the page in browsing context tab-1 is gone"},
                    End{"CrashOfThePage", R"([{"event": "script.realmDestroyed", "params": {"realm": "realm-1"}},
            {"event": "browsingContext.navigationCommitted", "params":
            {"context": "tab-1", "navigation": null, "url": "about:tabcrashed", "timestamp": 0}}])",
                        "the page in browsing context tab-1 is gone"},
                    End{"EndOfTheTab", R"([{"event": "browsingContext.contextDestroyed", "params":
            {"context": "tab-1", "children": null, "url": ""}}])",
                        "the page in browsing context tab-1 is gone"}),
    [](const auto& test) { return std::string(test.param.name); });

// ---- the rest

TEST_F(FakeTalk, NeedsTheEventThatCarriesTheResults) {  // cases.md 22
    set_rules(R"([{"at": "session.subscribe", "with": "script.message", "do": [{"error": "invalid argument"}]}])");
    EXPECT_EQ(run().exit_code, 1);
    EXPECT_THAT(stored().reason.value_or(""), HasSubstr("session.subscribe: invalid argument"));
    expect_nothing_left();
}

TEST_F(FakeTalk, OfLackingEventsIsSaidOnce) {  // cases.md 22
    set_rules(R"([{"at": "session.subscribe", "with": "log.entryAdded", "do": [{"error": "invalid argument"}]}])");
    auto arguments = small_run({"--launches", "3"});
    arguments.insert(arguments.begin(), "-v");
    const auto result = testing_support::foxbench(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string lacks = "log.entryAdded is not to be had in this browser";
    const auto first = result.err.find(lacks);
    ASSERT_NE(first, std::string::npos) << result.err;
    EXPECT_EQ(result.err.find(lacks, first + 1), std::string::npos) << result.err;
}

TEST_F(FakeTalk, OfAPromptIsRecorded) {  // cases.md 24
    set_rules(R"([{"at": "pass", "nth": 2, "do": [{"event": "browsingContext.userPromptOpened", "params":
        {"context": "tab-1", "handler": "dismiss", "type": "alert", "message": "Really?"}}, {"default": true}]}])");
    EXPECT_EQ(run().exit_code, 0);
    EXPECT_THAT(launch(0).extra.at("anomalies").dump(),
                HasSubstr("the page opened a prompt, which was dismissed: Really?"));
}

/// The long form: it takes the patience for a pass, two minutes.
TEST_F(FakeTalk, ThatEndsInThePassIsGivenUp) {  // cases.md 19
    if (std::getenv("FOXBENCH_LONG") == nullptr) return;
    set_rules(R"([{"at": "pass", "nth": 3, "launch": 1, "do": []}])");
    EXPECT_EQ(run({"--launches", "2"}).exit_code, 3);
    EXPECT_THAT(launch(0).failure.value_or(""), HasSubstr("small-append: nothing came from the browser for 121 s"));
    EXPECT_EQ(launch(0).series.at(0).passes.size(), 1u);
    EXPECT_EQ(launch(1).failure, std::nullopt);
    expect_nothing_left();
}

TEST_F(FakeTalk, OfManyErrorsInTheLogIsKeptWithinALimit) {
    std::string events;
    for (int i = 0; i < 100; ++i) {
        events += R"({"event": "log.entryAdded", "params": {"type": "javascript", "level": "error", "source": {"realm":
            "realm-1"}, "timestamp": 0, "text": "error )" +
                  std::to_string(i) + "\"}},";
    }
    set_rules(R"([{"at": "pass", "nth": 1, "do": [)" + events + R"({"default": true}]}])");
    EXPECT_EQ(run().exit_code, 0);
    const auto anomalies = launch(0).extra.at("anomalies");
    EXPECT_EQ(anomalies.size(), 20u);
    EXPECT_THAT(anomalies.at(0).get<std::string>(), HasSubstr("error 0"));
}

}  // namespace
}  // namespace foxbench
