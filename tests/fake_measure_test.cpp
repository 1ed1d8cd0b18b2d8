// What a worker may report, as the fake browser's does on order, and what becomes of the run.
#include <ostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fake_browser.hpp"

namespace foxbench {
namespace {

using document::Json;
using document::RunState;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::read_file;

using FakeMeasurement = testing_support::FakeBrowserTest;

TEST_F(FakeMeasurement, OfAMismatchMakesTheRunInvalidAndEndsIt) {  // cases.md 26
    set_rules(R"([{"at": "pass", "nth": 2, "launch": 1, "do": [{"answer": {"type": "error", "name": "Mismatch",
        "message": "write() took 0 of 4096 bytes", "series": "small-append", "pass": 1, "call": 3}}]}])");
    const auto result = run({"--launches", "2"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    const auto document = stored();
    EXPECT_EQ(document.state, RunState::invalid);
    EXPECT_THAT(document.reason.value_or(""), HasSubstr("small-append, pass 1, call 4: Mismatch: write() took 0"));
    EXPECT_EQ(read_file(folder_.file("script.json.launches")).size(), 1u) << "no further launch";
    expect_nothing_left();
}

TEST_F(FakeMeasurement, ThatFailsIsFollowedByANewBrowserAndProfile) {  // cases.md 27, 28, 29
    set_rules(R"js([{"at": "pass", "nth": 3, "launch": 1, "do": [{"answer": {"type": "error",
        "name": "NoModificationAllowedError", "message": "No modification allowed (file small-append.2.2)",
        "stack": "append@worker.js:12:3\nrun@runtime.js:4:5\n", "series": "small-append", "pass": 2
}
}]
}])js");
    const auto result = run({"--launches", "2"});
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_EQ(stored().state, RunState::partial);
    EXPECT_EQ(launch(0).failure,
              "small-append, pass 2: NoModificationAllowedError: No modification allowed (file small-append.2.2)");
    EXPECT_EQ(launch(0).extra.at("stack"), Json("append@worker.js:12:3\nrun@runtime.js:4:5\n")) << "word for word";
    EXPECT_EQ(launch(1).failure, std::nullopt);
    EXPECT_EQ(read_file(folder_.file("script.json.launches")).size(), 2u);
    expect_nothing_left();
}

struct Wrong {
    const char* name;
    const char* rule;
    const char* reason;
};
std::ostream& operator<<(std::ostream& out, const Wrong& wrong) {
    return out << wrong.name;
}

class WrongMeasurement : public FakeMeasurement, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongMeasurement, IsAFailureAndNoEmptySuccess) {  // cases.md 42
    set_rules(std::string("[") + GetParam().rule + "]");
    const auto result = run();
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(stored().state, RunState::failed);
    EXPECT_THAT(stored().reason.value_or(""), HasSubstr(GetParam().reason));
    EXPECT_THAT(result.err, HasSubstr(GetParam().reason));
    expect_nothing_left();
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongMeasurement,
    testing::Values(
        Wrong{"Nothing", R"({"at": "environment", "do": [{"answer": {"type": "done"}}]})",
              "another message than was due"},
        Wrong{"NoPass", R"({"at": "pass", "nth": 1, "do": [{"answer": {"type": "done"}}]})",
              "another message than was due"},
        Wrong{"AnotherPass", R"({"at": "pass", "nth": 1, "do": [{"patch": {"pass": 2}}]})", "out of order"},
        Wrong{"NoCalls", R"({"at": "pass", "nth": 1, "do": [{"patch": {"series":
              [{"name": "small-append", "total_ms": 0, "latencies_us": []}]}}]})",
              "0 calls where 6 are planned"},
        Wrong{"NegativeTime", R"({"at": "pass", "nth": 1, "do": [{"patch": {"series": [{"name": "small-append",
              "total_ms": 1, "latencies_us": [1, 1, 1, -20, 1, 1]}]}}]})",
              "a latency of small-append is -20"},
        Wrong{"NoMessage", R"({"at": "pass", "nth": 1, "do": [{"answer": ".no JSON"}]})", "no JSON object"},
        Wrong{"NoPart", R"({"at": "pass", "nth": 1, "do": [{"answer": "x"}]})", "a part without its mark"},
        // cases.md 31
        Wrong{"NoIsolation", R"({"at": "environment", "do": [{"patch": {"cross_origin_isolated": false}}]})",
              "not cross-origin isolated"},
        // cases.md 30
        Wrong{"NoStorage", R"({"at": "environment", "do": [{"answer": {"type": "error", "name": "SecurityError",
              "message": "Security error when calling GetDirectory", "stack": ""}}]})",
              "SecurityError: Security error when calling GetDirectory"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(FakeMeasurement, WithACoarseClockSaysSo) {  // cases.md 31
    set_rules(R"([{"at": "environment", "do": [{"patch": {"timer_resolution_us": 16667}}]},
                  {"at": "pass", "do": [{"patch": {"series": [{"name": "small-append", "total_ms": 16.667,
                   "latencies_us": [0, 0, 0, 16667, 0, 0]}]}}]}])");
    EXPECT_EQ(run().exit_code, 0);
    const auto report = read_file(results() + "/" + stored().id + "/summary.md");
    EXPECT_THAT(report, AllOf(HasSubstr("Clock: it moves in steps of 16667 µs"), HasSubstr("for small-append")));
}

// cases.md 32, 49: nothing varies, or takes no time at all
TEST_F(FakeMeasurement, OfConstantCallsIsStoredAndReported) {
    set_rules(R"([{"at": "pass", "do": [{"patch": {"series": [{"name": "small-append", "total_ms": 0,
                   "latencies_us": [0, 0, 0, 0, 0, 0]}]}}]}])");
    const auto result = run();
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto report = read_file(results() + "/" + stored().id + "/summary.md");
    EXPECT_THAT(report, HasSubstr("| small-append | 6 | 4,096 | 0.0 | 0.0–0.0 | – | – |"));
    for (const char* bad : {"nan ", "inf ", "NaN", "Infinity"}) {
        EXPECT_EQ(result.out.find(bad), std::string::npos) << bad;
        EXPECT_EQ(report.find(bad), std::string::npos) << bad;
    }
}

TEST_F(FakeMeasurement, BeyondTheDiskIsRefusedBeforeABrowserStarts) {  // cases.md 34
    const auto result =
        testing_support::foxbench({"run", "--config", folder_.file("foxbench.yaml"), "--results", results(), "--cases",
                                   "small-append", "--calls", "1000000", "--bytes", "64MiB", "--chunks", "64MiB"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("a pass needs"), HasSubstr("are free")));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("script.json.launches")));
}

}  // namespace
}  // namespace foxbench
