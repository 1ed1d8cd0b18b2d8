#include "service/compare/comparison.hpp"

#include <gmock/gmock.h>

#include "service/document/purpose.hpp"
#include "service/history/sample_runs.hpp"

namespace foxbench::compare {
namespace {

using document::Json;
using document::RunDocument;
using history::sample_run;
using stats::Verdict;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

RunDocument run_of(const std::string& id, std::vector<double> means, const std::string& build = "20260901000000",
                   const std::string& stamp = "8d76a2ba4c00") {
    return sample_run(id,
                      {{.build_id = build, .source_stamp = stamp, .means_us = {{"small-append", std::move(means)}}}});
}

const std::vector<double> kQuiet = {40.0, 40.4, 39.8, 40.2, 40.1};
const std::vector<double> kSlower = {60.0, 60.4, 59.8, 60.2, 60.1};

Comparison compare_runs(const RunDocument& base, const RunDocument& next, const AaLookup& aa = {}) {
    return compare({&base, 0}, {&next, 0}, aa);
}

std::vector<std::string> obstacles_of(const RunDocument& base, const RunDocument& next) {
    return obstacles({&base, 0}, {&next, 0});
}

std::vector<std::string> names_of(const std::vector<Difference>& differences) {
    std::vector<std::string> names;
    for (const auto& one : differences) names.push_back(one.what);
    return names;
}

TEST(Comparison, SaysThatASlowerSeriesIsSlower) {
    const auto base = run_of("base", kQuiet);
    const auto next = run_of("next", kSlower, "20260902000000", "ffeeddccbbaa");
    const auto comparison = compare_runs(base, next);
    ASSERT_THAT(comparison.rows, SizeIs(1));
    const auto& verdict = comparison.rows[0].verdict;
    EXPECT_EQ(verdict.verdict, Verdict::slower);
    EXPECT_NEAR(verdict.shift.relative.value(), 0.5, 0.02);
    EXPECT_EQ(comparison.rows[0].base_launches, 5u);
    EXPECT_EQ(overall({comparison}), Verdict::slower);
    EXPECT_THAT(comparison.warnings, IsEmpty());
    EXPECT_THAT(comparison.range.value().address, HasSubstr("fromchange=8d76a2ba4c00&tochange=ffeeddccbbaa"));
}

TEST(Comparison, TheOtherWayRoundIsFaster) {
    const auto base = run_of("base", kSlower);
    const auto next = run_of("next", kQuiet);
    EXPECT_EQ(overall({compare_runs(base, next)}), Verdict::faster);
}

TEST(Comparison, OfOneLaunchEachCannotTell) {
    const auto base = run_of("base", {40});
    const auto next = run_of("next", {60});
    const auto comparison = compare_runs(base, next);
    EXPECT_EQ(comparison.rows[0].verdict.verdict, Verdict::cannot_tell);
    EXPECT_EQ(overall({comparison}), Verdict::cannot_tell);
}

TEST(Comparison, SaysWhereTheBuildsDiffer) {
    const auto base = run_of("base", kQuiet);
    auto next = run_of("next", kQuiet, "20260902000000", "ffeeddccbbaa");
    next.targets[0].prefs = Json{{"dom.fs.wal", true}};
    next.targets[0].env = Json{{"MOZ_LOG", "x"}};
    const auto comparison = compare_runs(base, next);
    EXPECT_THAT(names_of(comparison.differences),
                ElementsAre("build id", "source stamp", "preference dom.fs.wal", "environment MOZ_LOG"));
    EXPECT_EQ(comparison.differences[2].base, "");
    EXPECT_EQ(comparison.differences[2].next, "true");
}

TEST(Comparison, SaysFirstThatHostsFilesystemsAndLaunchesDiffer) {
    const auto base = run_of("base", kQuiet);
    auto next = run_of("next", {40, 41, 40, 41, 40, 41});
    next.host->id = "another";
    next.host->name = "lab-4";
    next.profiles->filesystem = "btrfs";
    const auto warnings = compare_runs(base, next).warnings;
    EXPECT_THAT(warnings, Contains(HasSubstr("Different hosts (lab-3, lab-4)")));
    EXPECT_THAT(warnings, Contains(HasSubstr("Different filesystems (ext4 (/), btrfs (/))")));
    EXPECT_THAT(warnings, Contains(HasSubstr("Different numbers of launches (5, 6)")));
}

TEST(Comparison, OfASideWithItselfSaysSo) {
    const auto run = run_of("run", kQuiet);
    const auto comparison = compare_runs(run, run);
    EXPECT_THAT(comparison.warnings, Contains("Both sides are the same target of the same run."));
    EXPECT_EQ(overall({comparison}), Verdict::same);
}

TEST(Comparison, UsesTheSpreadOfAaRuns) {
    const auto base = run_of("base", kQuiet);
    const auto next = run_of("next", kSlower);
    const auto verdict = [&](std::size_t launches) {
        return compare_runs(base, next,
                            [&](const Side& side, const std::string& series) {
                                EXPECT_EQ(side.run->id, "base");
                                EXPECT_EQ(series, "small-append");
                                return std::optional(stats::AaSpread{0.3, launches});
                            })
            .rows[0]
            .verdict;
    };
    EXPECT_TRUE(verdict(10).spread_from_aa);
    EXPECT_NE(verdict(10).verdict, Verdict::slower) << "half as slow again is within twice a spread of 30 %";
    EXPECT_FALSE(verdict(7).spread_from_aa) << "too few launches to go by";
    EXPECT_EQ(verdict(7).verdict, Verdict::slower);
}

TEST(Comparison, NamesSeriesThatOneSideHasAlone) {
    const auto base = sample_run("base", {{.means_us = {{"a", kQuiet}, {"b", kQuiet}}}});
    const auto next = sample_run("next", {{.means_us = {{"b", kQuiet}, {"c", kQuiet}}}});
    const auto comparison = compare_runs(base, next);
    EXPECT_THAT(comparison.only_base, ElementsAre("a"));
    EXPECT_THAT(comparison.only_next, ElementsAre("c"));
    EXPECT_THAT(comparison.rows, SizeIs(1));
}

TEST(Comparison, SaysOfAnImportedReportThatItCannotBeTested) {
    const auto base = run_of("base", kQuiet);
    auto next = run_of("next", kQuiet);
    for (auto& launch : next.targets[0].launches) {
        launch.series[0].passes.clear();
        launch.series[0].summary.emplace();
        launch.series[0].summary->total_ms = 0.04;
        launch.series[0].summary->calls = 1;
    }
    EXPECT_THAT(compare_runs(base, next).warnings, Contains(HasSubstr("next:firefox has no passes of its own")));
}

TEST(Obstacles, AreOtherWork) {
    const auto base = run_of("base", kQuiet);
    EXPECT_THAT(obstacles_of(base, run_of("next", kSlower)), IsEmpty());
    auto other = run_of("next", kSlower);
    other.config["calls"] = 2;
    other.config["files"] = 7;
    EXPECT_THAT(obstacles_of(base, other),
                ElementsAre("Different work: calls is 1 and 2.", "Different work: files is not given and 7."));
    other = run_of("next", kSlower);
    other.workload = "other";
    EXPECT_THAT(obstacles_of(base, other), ElementsAre("Different workloads (opfs-sync-write, other)."));
}

TEST(Obstacles, AreNotWhatSaysHowOftenAndWhich) {
    const auto base = run_of("base", kQuiet);
    auto next = run_of("next", kSlower);
    next.config["preset"] = "full";
    next.config["launches"] = 5;
    next.config["cases"] = {"small-append"};
    next.config[document::kPlanted] = 50;
    EXPECT_THAT(obstacles_of(base, next), IsEmpty());
    EXPECT_THAT(compare_runs(base, next).warnings, Contains(HasSubstr("planted slowdown of 50 µs")));
}

TEST(Obstacles, AreClocksOfAnotherStep) {
    auto base = run_of("base", kQuiet);
    auto next = run_of("next", kQuiet);
    const auto set_step = [](RunDocument& run, double step_us) {
        for (auto& launch : run.targets[0].launches) launch.environment->timer_resolution_us = step_us;
    };
    set_step(next, 20);
    EXPECT_THAT(obstacles_of(base, next), ElementsAre(HasSubstr("Different steps of the clock")));
    set_step(base, 19.98);
    EXPECT_THAT(obstacles_of(base, next), IsEmpty()) << "a step is measured, too";
    set_step(base, 0.1);
    set_step(next, 0.98);
    EXPECT_THAT(obstacles_of(base, next), IsEmpty()) << "both are fine";
}

TEST(Obstacles, AreRunsThatAreNotCompleted) {
    const auto base = run_of("base", kQuiet);
    auto next = run_of("next", kQuiet);
    next.state = document::RunState::partial;
    EXPECT_THAT(obstacles_of(base, next), ElementsAre(HasSubstr("The run next is partial")));
}

TEST(Overall, IsTheWorstOfTheRows) {
    const auto with = [](std::initializer_list<Verdict> verdicts) {
        Comparison comparison;
        for (const auto verdict : verdicts) comparison.rows.emplace_back().verdict.verdict = verdict;
        return overall({comparison});
    };
    EXPECT_EQ(with({Verdict::same, Verdict::slower, Verdict::cannot_tell}), Verdict::slower);
    EXPECT_EQ(with({Verdict::same, Verdict::faster, Verdict::cannot_tell}), Verdict::cannot_tell);
    EXPECT_EQ(with({Verdict::same, Verdict::faster}), Verdict::faster);
    EXPECT_EQ(with({Verdict::same}), Verdict::same);
    EXPECT_EQ(with({}), Verdict::cannot_tell);
}

}  // namespace
}  // namespace foxbench::compare
