// Browsers that start, stop or end badly, as the fake browser does on order: what foxbench makes of it, in whole runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/fake_browser.hpp"
#include "tests/support/stored_run.hpp"

namespace foxbench {
namespace {

using document::RunState;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::read_file;

class FakeStart : public testing_support::FakeBrowserTest {
protected:
    /// The run was completed although this happened, and its only browser was started so many times.
    void expect_completed(int starts) const {
        const auto result = run();
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(stored().state, RunState::completed);
        EXPECT_EQ(launch(0).extra.at("start").at("starts"), starts) << result.err;
        expect_nothing_left();
    }

    /// No browser could be started, which was tried so many times.
    void expect_failed(int starts, const testing::Matcher<std::string>& reason) const {
        const auto result = run();
        EXPECT_EQ(result.exit_code, 1) << result.err;
        EXPECT_EQ(stored().state, RunState::failed);
        EXPECT_THAT(stored().reason.value_or(""), reason);
        EXPECT_EQ(read_file(folder_.file("script.json.launches")).size(), static_cast<std::size_t>(starts));
        expect_nothing_left();
    }
};

TEST_F(FakeStart, BehavesLikeAFirefoxWithoutAScript) {
    expect_completed(1);
    const auto document = stored();
    const auto& browser = document.targets.at(0).browser;
    EXPECT_EQ(browser.name, "Firefox");
    EXPECT_EQ(browser.version, "153.0");
    EXPECT_EQ(browser.sha256.value_or("").size(), 64u);
    EXPECT_EQ(launch(0).environment.value().cross_origin_isolated, true);
    EXPECT_EQ(launch(0).series.at(0).passes.size(), 2u);
    EXPECT_EQ(launch(0).extra.count("anomalies"), 0u) << launch(0).extra.dump();
    EXPECT_THAT(read_file(results() + "/" + document.id + "/summary.md"), HasSubstr("small-append"));
}

TEST_F(FakeStart, MayPrintItsLineInPiecesBetweenJunk) {  // cases.md 1
    set_rules(R"([{"at": "line", "do": [
        {"write": "*** You are running in headless mode.\n[Parent 1, Main Thread] WARNING: junk WebDriver BiDi lis"},
        {"write": "WebDriver BiDi listening on ws://127.0.0.1:1\n", "to": "stdout"},
        {"wait_ms": 20}, {"write": "tening on ws://127.0.0.1:{port}"},
        {"wait_ms": 20}, {"write": "\nmore junk\n"}]}])");
    expect_completed(1);
}

TEST_F(FakeStart, ThatEndsBeforeItListensIsStartedOnceMore) {  // cases.md 8, 36
    set_rules(R"([{"at": "start", "launch": 1, "do": [{"write": "something new\n"}, {"exit": 0}]}])");
    const auto result = run();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("ended before it listened (exit code 0); it wrote: something new"),
                                  HasSubstr("starting it once more")));
    EXPECT_EQ(launch(0).extra.at("start").at("starts"), 2) << "it is counted";
    expect_nothing_left();
}

TEST_F(FakeStart, ThatEndsTwiceFailsTheLaunchAndNotTheRun) {  // cases.md 8, 36
    set_rules(R"([{"at": "start", "launch": 1, "do": [{"signal": 11}]},
                  {"at": "start", "launch": 2, "do": [{"write": "no luck\n", "to": "stdout"}, {"exit": 7}]}])");
    const auto result = run({"--launches", "2"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_THAT(result.err, HasSubstr("signal 11 (SIGSEGV)"));
    EXPECT_EQ(stored().state, RunState::partial);
    EXPECT_THAT(launch(0).failure.value_or(""), HasSubstr("(exit code 7); it wrote: no luck"));
    EXPECT_EQ(launch(1).failure, std::nullopt);
    EXPECT_EQ(launch(1).series.at(0).passes.size(), 2u);
    expect_nothing_left();
}

TEST_F(FakeStart, ThatSaysWhatIsWrongWithTheMachineIsNotStartedAgain) {  // cases.md 7, 10, 11
    set_rules(R"([{"at": "start", "do": [
        {"write": "Firefox is already running, but is not responding.\n"}, {"exit": 0}]}])");
    expect_failed(1, AllOf(HasSubstr("in use by another Firefox"), HasSubstr("Firefox is already running")));
}

TEST_F(FakeStart, ThatNeverListensIsEndedAtTheTargetsDeadline) {  // cases.md 9, 12
    write_config("    start_deadline: 300ms\n");
    set_rules(R"([{"at": "line", "do": [{"ignore": 15}]}])");
    expect_failed(2, HasSubstr("did not listen within 0.300 s; it wrote nothing"));
}

TEST_F(FakeStart, TimesAreMeasuredAndStored) {  // cases.md 12
    set_rules(R"([{"at": "line", "do": [{"wait_ms": 300}, {"default": true}]},
                  {"at": "session.new", "do": [{"wait_ms": 200}, {"default": true}]}])");
    expect_completed(1);
    EXPECT_GE(launch(0).extra.at("start").at("listening_ms").get<double>(), 300);
    EXPECT_GE(launch(0).extra.at("start").at("session_ms").get<double>(), 200);
}

TEST_F(FakeStart, ThatSpeaksHttpInPlaceOfWebSocketSaysItsStatus) {
    set_rules(R"([{"at": "connection", "do": [
        {"text": "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"}]}])");
    expect_failed(2, AllOf(HasSubstr("gave no session"), HasSubstr("HTTP status 404 Not Found")));
}

TEST_F(FakeStart, ThatGivesNoSessionIsEndedAtTheTargetsDeadline) {  // cases.md 5
    write_config("    start_deadline: 300ms\n");
    set_rules(R"([{"at": "session.new", "do": []}])");
    expect_failed(2, AllOf(HasSubstr("gave no session"), HasSubstr("no answer within")));
}

TEST_F(FakeStart, WithAForeignSessionIsStartedAnewByTheCodeAlone) {  // cases.md 14, 21
    set_rules(R"([{"at": "session.new", "launch": 1, "do": [
        {"error": "session not created", "message": "words that no version has used yet"}]}])");
    expect_completed(2);
}

TEST_F(FakeStart, ThatIsAnotherProcessThanWasStartedIsRefused) {
    set_rules(R"([{"at": "session.new", "do": [{"patch": {"capabilities": {"moz:processID": 1}}}]}])");
    expect_failed(2, HasSubstr("process 1 answers"));
}

TEST_F(FakeStart, MayAnswerWithOddCapabilities) {  // cases.md 23
    for (const char* odd : {R"({"sessionId": "s", "capabilities": {}})", R"({"sessionId": "s"})", R"({})",
                            R"({"sessionId": "s", "capabilities": null})",
                            R"({"sessionId": 7, "capabilities": {"acceptInsecureCerts": "yes", "browserName": null,
                                "browserVersion": 153, "platformName": {}, "proxy": [], "setWindowRect": "no",
                                "unhandledPromptBehavior": "dismiss and notify", "moz:processID": null,
                                "userAgent": false, "moz:buildID": 5, "vendor:new": [1, 2]}})"}) {
        // The default makes the session; what is answered first is what counts.
        set_rules(std::string(R"([{"at": "session.new", "do": [{"answer": )") + odd + R"(}, {"default": true}]}])");
        const auto result = run();
        EXPECT_EQ(result.exit_code, 0) << odd << "\n" << result.err;
    }
    expect_nothing_left();
}

TEST_F(FakeStart, ThatRefusesToCloseAndIgnoresSigtermIsKilled) {  // cases.md 4
    set_rules(R"([{"at": "browser.close", "do": [{"ignore": 15}, {"error": "unable to close browser"}]}])");
    expect_completed(1);
}

TEST_F(FakeStart, ThatStandsStillIsKilled) {  // cases.md 4
    set_rules(
        R"([{"at": "browser.close", "do": [{"error": "unable to close browser"}, {"ignore": 15}, {"signal": 19}]}])");
    expect_completed(1);
}

TEST_F(FakeStart, HasEndedAlthoughAGrandchildHoldsItsStreams) {
    set_rules(R"([{"at": "start", "do": [{"grandchild": {"ms": 20000}}, {"exit": 5}]}])");
    const auto result = run();
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_THAT(stored().reason.value_or(""), HasSubstr("ended before it listened (exit code 5)"));
    for (const pid_t left : testing_support::processes_with(folder_.file("browser"))) kill(left, SIGKILL);
    expect_nothing_left();
}

TEST_F(FakeStart, WhoseGrandchildStaysIsReported) {
    set_rules(R"([{"at": "line", "do": [{"grandchild": {"ms": 20000}}, {"default": true}]}])");
    const auto result = run();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(launch(0).extra.at("anomalies").dump(), HasSubstr("of the browser is still there"));
    for (const pid_t left : testing_support::processes_with(folder_.file("browser"))) kill(left, SIGKILL);
    expect_nothing_left();
}

TEST_F(FakeStart, WhoseGrandchildWritesIntoTheProfileLeavesNoneAllTheSame) {  // cases.md 6
    set_rules(R"([{"at": "line", "do": [{"grandchild": {"ms": 1500, "writes": true}}, {"default": true}]}])");
    expect_completed(1);
}

TEST_F(FakeStart, WhoseProfileCannotBeRemovedSaysSoAndTheNextRunTidiesUp) {  // cases.md 2, 6
    // Whether a removal wins against somebody who writes all the time is chance; that it is told where it does not is
    // not.
    set_rules(
        R"([{"at": "line", "launch": 1, "do": [{"grandchild": {"ms": 8000, "writes": true}}, {"default": true}]}])");
    const auto first = run();
    EXPECT_EQ(first.exit_code, 0) << first.err;
    const auto left = testing_support::profiles_left(results());
    for (const auto& profile : left) EXPECT_THAT(first.err, HasSubstr("could not be removed: " + profile));
    testing_support::expect_no_process_with(folder_.file("browser"));
    EXPECT_EQ(run().exit_code, 0);
    expect_nothing_left();
}

TEST_F(FakeStart, ThatUpdatesItselfMeanwhileMakesTheRunInvalid) {  // cases.md 13
    set_rules(R"([{"at": "done", "launch": 1, "do": [{"replace": "libxul.so"}, {"default": true}]}])");
    const auto result = run({"--launches", "2"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_EQ(stored().state, RunState::invalid);
    EXPECT_THAT(stored().reason.value_or(""), HasSubstr("the browser's files changed while it was measured"));
    expect_nothing_left();
}

}  // namespace
}  // namespace foxbench
