#include "service/measure/worker_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::measure {
namespace {

using testing::HasSubstr;

workload::Plan plan() {
    workload::Plan plan;
    plan.passes = 2;
    workload::Sequence sequence;
    sequence.case_name = "a";
    sequence.series = {{"a", "per-call", 3, 4, 12}, {"b", "per-call", 3, {}, {}}};
    plan.sequences = {sequence};
    return plan;
}

document::Json pass() {
    return {{"type", "pass"},
            {"sequence", 0},
            {"pass", 1},
            {"started_at_ms", 1000.5},
            {"finished_at_ms", 1001.5},
            {"verified", {{"size", 12}}},
            {"series",
             {{{"name", "a"}, {"total_ms", 0.06}, {"latencies_us", {20, 20, 20.5}}},
              {{"name", "b"}, {"total_ms", 0}, {"latencies_us", {0, 0, 0}}}}}};
}

std::string refusal(const document::Json& message) {
    try {
        (void)read_worker_message(message.dump(), plan());
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::browser);
        return error.what();
    }
    return "(accepted)";
}

TEST(WorkerMessages, APassBecomesADocumentPassForEachSeries) {
    const auto message = read_worker_message(pass().dump(), plan());
    const auto& finished = std::get<FinishedPass>(message);
    EXPECT_EQ(finished.sequence, 0u);
    EXPECT_EQ(finished.pass, 1);
    ASSERT_EQ(finished.series.size(), 2u);
    EXPECT_THAT(finished.series[0].latencies_us, testing::ElementsAre(20, 20, 20.5));
    EXPECT_EQ(finished.series[0].started_at_ms, 1000.5);
    EXPECT_EQ(finished.series[1].verified->dump(), R"({"size":12})");
}

TEST(WorkerMessages, APassSaysWhatWasPlantedOnlyWhereSomethingWas) {
    auto message = pass();
    message["series"][1]["planted_mean_us"] = 50.25;
    const auto read = read_worker_message(message.dump(), plan());
    const auto& finished = std::get<FinishedPass>(read);
    EXPECT_FALSE(finished.series[0].extra.contains("planted_mean_us"));
    EXPECT_EQ(finished.series[1].extra.at("planted_mean_us"), 50.25);
    message["series"][1]["planted_mean_us"] = -1;
    EXPECT_THAT(refusal(message), HasSubstr("what was planted into b is -1"));
}

TEST(WorkerMessages, APassHasToBeThePlannedOne) {
    const auto with = [](const char* pointer, const document::Json& value) {
        auto changed = pass();
        changed[document::Json::json_pointer(pointer)] = value;
        return refusal(changed);
    };
    EXPECT_THAT(with("/sequence", 1), HasSubstr("not planned"));
    EXPECT_THAT(with("/sequence", -1), HasSubstr("not planned"));
    EXPECT_THAT(with("/pass", 3), HasSubstr("not planned"));
    EXPECT_THAT(with("/series/0/name", "c"), HasSubstr("the series 'c' where 'a' is planned"));
    EXPECT_THAT(with("/series/0/latencies_us", document::Json::array({1, 2})),
                HasSubstr("a with 2 calls where 3 are planned"));
    EXPECT_THAT(with("/series/0/latencies_us", document::Json::array({1, 2, "x"})), HasSubstr("'latencies_us' is"));
    EXPECT_THAT(with("/series/0/latencies_us/1", -1), HasSubstr("a latency of a is -1"));
    EXPECT_THAT(with("/series/0/total_ms", nullptr), HasSubstr("'total_ms' is null"));
    EXPECT_THAT(with("/series", document::Json::array()), HasSubstr("0 series where 2 are planned"));
    EXPECT_THAT(with("/type", "x"), HasSubstr("type 'x'"));
}

TEST(WorkerMessages, RefusesWhatIsNoMessage) {
    for (const char* text : {"", "5", "[]", "{", "{}", "\xff", R"({"type":5})"})
        EXPECT_THROW((void)read_worker_message(text, plan()), Error) << text;
}

TEST(WorkerMessages, AFailureNamesSeriesPassAndCall) {
    const document::Json message = {{"type", "error"}, {"name", "Mismatch"}, {"message", "write() took 0 of 4 bytes"},
                                    {"series", "a"},   {"pass", 2},          {"call", 0}};
    const auto failure = std::get<WorkerFailure>(read_worker_message(message.dump(), plan()));
    EXPECT_TRUE(failure.is_mismatch());
    EXPECT_EQ(failure.describe(), "a, pass 2, call 1: Mismatch: write() took 0 of 4 bytes");
    const auto early = std::get<WorkerFailure>(
        read_worker_message(R"({"type":"error","name":"SecurityError","message":"no"})", plan()));
    EXPECT_FALSE(early.is_mismatch());
    EXPECT_EQ(early.describe(), "SecurityError: no");
}

TEST(MessageParts, ComeTogetherInOrder) {
    MessageParts parts;
    EXPECT_EQ(parts.add("+ab"), std::nullopt);
    EXPECT_EQ(parts.add("+cd"), std::nullopt);
    EXPECT_EQ(parts.add(".e"), "abcde");
    EXPECT_EQ(parts.add(".x"), "x");
    EXPECT_THROW((void)parts.add("x"), Error);
    EXPECT_THROW((void)parts.add(""), Error);
}

TEST(MessageParts, AreBounded) {
    MessageParts parts;
    const std::string part = "+" + std::string(MessageParts::kMaxBytes / 4, 'x');
    for (int i = 0; i < 3; ++i) EXPECT_EQ(parts.add(part), std::nullopt);
    EXPECT_THROW((void)parts.add(part + "x"), Error);
}

}  // namespace
}  // namespace foxbench::measure
