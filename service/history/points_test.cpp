#include "service/history/points.hpp"

#include <gmock/gmock.h>

#include "service/document/purpose.hpp"
#include "service/history/sample_runs.hpp"

namespace foxbench::history {
namespace {

using document::Json;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

document::RunDocument night(std::vector<double> means = {40, 42, 41}) {
    return sample_night("2026-09-03", {{.means_us = {{"small-append", std::move(means)}}}});
}

/// A launch that others disturbed, by the rules of service/host/noise_rules.hpp.
void make_noisy(document::Launch& launch) {
    launch.noise = Json{{"other_cpu_percent", 150.0}};
}

TEST(Contributions, AreTheLaunchMeansOfEachSeriesOfANight) {
    const auto all = contributions(night());
    ASSERT_THAT(all, SizeIs(1));
    const auto& one = all.front();
    EXPECT_EQ(one.key.series, "small-append");
    EXPECT_EQ(one.key.host, "5f2c5f2c5f2c5f2c");
    EXPECT_EQ(one.key.host_name, "lab-3");
    EXPECT_EQ(one.key.parameters, (Json{{"calls", 1}, {"bytes", 4096}}));
    EXPECT_EQ(one.point.night, "2026-09-03");
    EXPECT_THAT(one.point.launch_means_us, ElementsAre(40, 42, 41));
    EXPECT_EQ(one.point.build.build_id, "20260901000000");
    EXPECT_EQ(one.point.not_used, "");
}

TEST(Contributions, ComeFromSchedulesAlone) {
    for (const char* kind : {"cli", "http", "confirm"}) {
        auto run = night();
        run.trigger = Json{{"kind", kind}, {"night", "2026-09-03"}};
        EXPECT_THAT(contributions(run), IsEmpty()) << kind;
    }
    auto run = night();
    run.trigger.reset();
    EXPECT_THAT(contributions(run), IsEmpty());
}

TEST(Contributions, NeverComeFromAaAndPlantedRuns) {
    auto aa = night();
    aa.extra[document::kPurpose] = document::kAa;
    EXPECT_THAT(contributions(aa), IsEmpty());
    auto planted = night();
    planted.config[document::kPlanted] = 50;
    EXPECT_THAT(contributions(planted), IsEmpty());
    EXPECT_THAT(contributions(planted, true), SizeIs(1));
    EXPECT_EQ(contributions(planted, true).front().key.id(), contributions(night()).front().key.id())
        << "a planted slowdown is not other work";
}

TEST(Contributions, OfARunThatDoesNotCountSayWhy) {
    auto partial = night();
    partial.state = document::RunState::partial;
    EXPECT_EQ(contributions(partial).front().point.not_used, "partial");
    auto invalid = night();
    invalid.state = document::RunState::invalid;
    EXPECT_EQ(contributions(invalid).front().point.not_used, "invalid");
    auto report = night();
    report.report_markdown = "# A report\n";
    EXPECT_NE(contributions(report).front().point.not_used, "");
}

TEST(Contributions, LeaveNoisyLaunchesOutWhereOthersAreQuiet) {
    auto run = night();
    make_noisy(run.targets[0].launches[1]);
    const auto all = contributions(run);
    EXPECT_THAT(all.front().point.launch_means_us, ElementsAre(40, 41));
    EXPECT_EQ(all.front().point.not_used, "");
}

TEST(Contributions, OfNoisyLaunchesAloneAreShownButNotUsed) {
    auto run = night();
    for (auto& launch : run.targets[0].launches) make_noisy(launch);
    const auto all = contributions(run);
    EXPECT_THAT(all.front().point.launch_means_us, ElementsAre(40, 42, 41));
    EXPECT_EQ(all.front().point.not_used, "all of its launches were noisy");
}

TEST(Night, IsWhatTheTriggerSaysElseTheDateOfTheBeginning) {
    auto run = night();
    run.started_at = "2026-09-04T00:10:00Z";
    EXPECT_EQ(night_of(run), "2026-09-03");
    run.trigger = Json{{"kind", "schedule"}};
    EXPECT_EQ(night_of(run), "2026-09-04");
    run.started_at.reset();
    EXPECT_EQ(night_of(run), "");
    EXPECT_THAT(contributions(run), IsEmpty()) << "nobody knows which night it is";
}

TEST(SeriesKey, StaysTheSameForTheSameWorkInAnyOrderAndDiffersForAnyOther) {
    const auto run = night();
    auto key = key_of(run, run.targets[0], run.targets[0].launches[0].series[0]);
    const auto id = key.id();
    EXPECT_EQ(id.size(), 16u);
    auto same = key;
    same.parameters = Json{{"bytes", 4096}, {"calls", 1}};
    same.host_name = "renamed";
    EXPECT_EQ(same.id(), id);
    for (auto member : {&SeriesKey::host, &SeriesKey::workload, &SeriesKey::target, &SeriesKey::series}) {
        auto other = key;
        other.*member += "x";
        EXPECT_NE(other.id(), id);
    }
    auto other = key;
    other.parameters["calls"] = 2;
    EXPECT_NE(other.id(), id);
}

TEST(AaResults, GiveTheSpreadOfLaunchesAndWhetherTheHalvesDiffer) {
    auto run = sample_run("aa", {{.means_us = {{"small-append", {40, 42, 41, 40, 43, 41, 42, 40, 41, 42}}}}});
    EXPECT_THAT(aa_results(run), IsEmpty()) << "not an A/A run";
    run.extra[document::kPurpose] = document::kAa;
    const auto all = aa_results(run);
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_NEAR(all[0].spread.log_sd, 0.0251, 0.0005);
    EXPECT_EQ(all[0].spread.launches, 10u);
    EXPECT_TRUE(all[0].compared);
    EXPECT_FALSE(all[0].false_call);
}

TEST(AaResults, CallAChangeWhereTheHalvesDiffer) {
    // A B B A A B B A A B: the B side is a third slower.
    auto run = sample_run("aa", {{.means_us = {{"small-append", {40, 54, 55, 41, 40, 54, 55, 41, 40, 54}}}}});
    run.extra[document::kPurpose] = document::kAa;
    EXPECT_TRUE(aa_results(run).front().false_call);
}

TEST(AaResults, OfTooFewLaunchesCompareNothing) {
    auto run = sample_run("aa", {{.means_us = {{"small-append", {40, 42, 41, 40}}}}});
    run.extra[document::kPurpose] = document::kAa;
    EXPECT_FALSE(aa_results(run).front().compared);
}

}  // namespace
}  // namespace foxbench::history
