#include "service/workload/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"
#include "service/workload/formula.hpp"

namespace foxbench::workload {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Manifest opfs() {
    return find_workload(FOXBENCH_SOURCE_DIR "/workloads", "opfs-sync-write");
}

std::string refusal(const std::string& preset, const Json& overrides) {
    try {
        (void)make_plan(opfs(), preset, overrides);
    } catch (const Error& error) {
        EXPECT_EQ(exit_code(error.code()), 2);
        return error.what();
    }
    return "(accepted)";
}

std::vector<std::string> series_names(const Plan& plan) {
    std::vector<std::string> names;
    for (const auto& sequence : plan.sequences) {
        for (const auto& series : sequence.series) names.push_back(series.name);
    }
    return names;
}

TEST(Plan, OfTheQuickPresetHasEverySeriesOfTheReference) {
    const Plan plan = make_plan(opfs(), "quick", Json::object());
    EXPECT_THAT(series_names(plan),
                ElementsAre("small-append", "small-overwrite", "chunked-append (64 KiB)", "chunked-append (1 MiB)",
                            "append+flush", "new-file: create+open", "new-file: first write", "new-file: close",
                            "new-file: delete", "new-file: full cycle"));
    EXPECT_EQ(plan.config().dump(),
              R"({"preset":"quick","calls":2000,"bytes":4096,"chunks":[65536,1048576],"passes":3,"files":200})");
    EXPECT_EQ(plan.passes_total(), 6 * 4);
    EXPECT_EQ(plan.disk_bytes(), 2000 * 4096);
}

TEST(Plan, LeavesOutAParameterThatIsAtItsDefault) {
    EXPECT_FALSE(make_plan(opfs(), "quick", {{"planted_us", 0}}).config().contains("planted_us"));
    const Plan planted = make_plan(opfs(), "quick", {{"planted_us", "50"}});
    EXPECT_EQ(planted.config()["planted_us"], 50);
    EXPECT_EQ(planted.for_worker()["parameters"]["planted_us"], 50);
    EXPECT_EQ(restore_plan(opfs(), planted.config()).for_worker(), planted.for_worker());
    EXPECT_THAT(refusal("quick", {{"planted_us", 100'001}}),
                HasSubstr("planted_us: 100001 is out of range, 0 to 100000"));
}

TEST(Plan, FollowsTheParameters) {
    const Plan plan = make_plan(opfs(), "quick", {{"calls", "100"}, {"chunks", "64KiB"}, {"files", 10}, {"passes", 5}});
    EXPECT_EQ(plan.preset, "quick+overrides");
    EXPECT_EQ(plan.passes, 5);
    const auto& chunked = plan.sequences.at(2);
    EXPECT_EQ(chunked.values.dump(), R"({"chunk":65536})");
    EXPECT_EQ(chunked.series.at(0).calls, 7);  // 409,600 bytes are 6.25 chunks: the last call writes what is left
    EXPECT_EQ(chunked.series.at(0).bytes_per_call, 65536);
    EXPECT_EQ(chunked.series.at(0).bytes_total, 409600);
    const auto& files = plan.sequences.back();
    EXPECT_EQ(files.series.at(0).calls, 10);
    EXPECT_EQ(files.series.at(0).bytes_total, std::nullopt);
    EXPECT_EQ(files.series.at(1).bytes_total, 40960);
}

TEST(Plan, IsRestoredFromARunsConfigWhateverThePresetsSayByThen) {
    const Plan plan = make_plan(opfs(), "quick", {{"calls", 100}, {"cases", "new-file"}});
    Manifest changed = opfs();
    for (auto& [name, values] : changed.presets) values["passes"] = 9;
    Json config = plan.config();
    config["launches"] = 3;  // a run's, not the workload's
    const Plan restored = restore_plan(changed, config);
    EXPECT_EQ(restored.config(), plan.config());
    EXPECT_EQ(restored.preset, "quick+overrides");
    EXPECT_EQ(restored.for_worker(), plan.for_worker());
}

TEST(Plan, RunsTheChosenCasesInTheManifestsOrder) {
    const Plan plan = make_plan(opfs(), "full", {{"cases", "new-file, small-append"}});
    EXPECT_THAT(plan.cases, ElementsAre("small-append", "new-file"));
    EXPECT_EQ(plan.sequences.front().case_name, "small-append");
    EXPECT_EQ(plan.preset, "full+overrides");
    EXPECT_EQ(make_plan(opfs(), "quick", {{"cases", opfs().case_names()}}).config().contains("cases"), false);
}

TEST(Plan, RefusesWhatIsUnknownAndSaysWhatIsKnown) {
    EXPECT_THAT(refusal("quikc", Json::object()),
                HasSubstr("no preset 'quikc' in opfs-sync-write. Did you mean 'quick'?"));
    EXPECT_THAT(refusal("quick", {{"call", 5}}),
                HasSubstr("no parameter 'call' in opfs-sync-write. Did you mean 'calls'?"));
    EXPECT_THAT(refusal("quick", {{"cases", "small-appendd"}}), HasSubstr("Did you mean 'small-append'?"));
    EXPECT_THAT(refusal("quick", {{"cases", ""}}), HasSubstr("at least one"));
    EXPECT_THAT(refusal("quick", {{"cases", 5}}), HasSubstr("list of names"));
}

TEST(Plan, RefusesValuesOutOfTheirLimits) {
    EXPECT_THAT(refusal("quick", {{"calls", 0}}), HasSubstr("calls: 0 is out of range, 1 to 1000000"));
    EXPECT_THAT(refusal("quick", {{"calls", 1000001}}), HasSubstr("out of range"));
    EXPECT_THAT(refusal("quick", {{"calls", "5x"}}), HasSubstr("calls: '5x' is no whole number"));
    EXPECT_THAT(refusal("quick", {{"calls", -5}}), HasSubstr("is no whole number"));
    EXPECT_THAT(refusal("quick", {{"calls", 1.5}}), HasSubstr("is no whole number"));
    EXPECT_THAT(refusal("quick", {{"bytes", "65MiB"}}), HasSubstr("bytes: 65 MiB is out of range, 1 B to 64 MiB"));
    EXPECT_THAT(refusal("quick", {{"bytes", "128KiB"}}),
                HasSubstr("chunks: 64 KiB is out of range, 128 KiB to 256 MiB (at least bytes)"));
    EXPECT_THAT(refusal("quick", {{"chunks", "64KiB,64KiB"}}), HasSubstr("twice"));
    EXPECT_THAT(refusal("quick", {{"chunks", ""}}), HasSubstr("takes 1 to 8 values, not 0"));
    EXPECT_THAT(refusal("quick", {{"chunks", Json::array({1, 2, 3, 4, 5, 6, 7, 8, 9})}}), HasSubstr("not 9"));
    EXPECT_THAT(refusal("quick", {{"passes", 1001}}), HasSubstr("out of range"));
    EXPECT_THAT(refusal("quick", {{"files", 100001}}), HasSubstr("out of range"));
}

TEST(Parameters, ReadAsPeopleWriteThem) {
    const auto manifest = opfs();
    EXPECT_EQ(in_words(*manifest.find_parameter("calls"), 2000), "2000");
    EXPECT_EQ(in_words(*manifest.find_parameter("bytes"), 4096), "4 KiB");
    EXPECT_EQ(in_words(*manifest.find_parameter("chunks"), {65536, 1048576}), "64 KiB, 1 MiB");
}

TEST(Formula, KnowsItsVariablesAndGivesWholeNumbers) {
    EXPECT_EQ(evaluate("ceil(calls * bytes / chunk)", {{"calls", 2000}, {"bytes", 4096}, {"chunk", 1048576}}), 8);
    EXPECT_EQ(evaluate("max(a, b) - min(a, b)", {{"a", 3}, {"b", 5}}), 2);
    for (const char* formula : {"", "calls / 3", "unknown", "1 +", "-1", "1/0", "x = 5", "\"a\""}) {
        EXPECT_THROW((void)evaluate(formula, {{"calls", 100}}), Error) << formula;
    }
}

}  // namespace
}  // namespace foxbench::workload
