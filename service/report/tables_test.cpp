#include "service/report/tables.hpp"

#include <gmock/gmock.h>

#include "service/report/opfs_sync_write.hpp"
#include "service/report/quality.hpp"
#include "service/report/sample_runs.hpp"
#include "service/report/wording.hpp"

namespace foxbench::report {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> series_names(const std::vector<CostRow>& rows) {
    std::vector<std::string> names;
    for (const auto& row : rows) names.push_back(row.series);
    return names;
}

TEST(TargetHeaders, BearTheTargetsNameOnlyWhereTwoWouldBeTheSame) {
    EXPECT_THAT(target_headers(several_targets(1)),
                ElementsAre("Firefox 158 (base)", "Firefox 158 (wal-full)", "Firefox 153"));
    EXPECT_THAT(target_headers(seed_run()), ElementsAre("Firefox 158"));
}

TEST(MakeTables, PutsEveryTargetBesideTheFirst) {
    const auto tables = make_tables(several_targets(1));
    ASSERT_EQ(tables.per_call.size(), 1u);
    const auto& cells = tables.per_call[0].cells;
    ASSERT_EQ(cells.size(), 3u);
    EXPECT_EQ(cells[0].ratio, std::nullopt);
    EXPECT_DOUBLE_EQ(cells[1].ratio.value(), 2);
    EXPECT_DOUBLE_EQ(cells[2].ratio.value(), 150);
    EXPECT_EQ(tables.per_file[0].series, "new-file: close");
}

TEST(MakeTables, LeavesCellsEmptyWhereATargetLacksASeries) {
    auto run = several_targets(1);
    run.targets[0].launches[0].series.erase(run.targets[0].launches[0].series.begin());
    const auto tables = make_tables(run);
    ASSERT_EQ(tables.per_call.size(), 1u);
    EXPECT_EQ(tables.per_call[0].cells[0].mean_us, std::nullopt);
    EXPECT_TRUE(tables.per_call[0].cells[1].mean_us);
    EXPECT_EQ(tables.per_call[0].cells[1].ratio, std::nullopt);
}

TEST(MakeTables, KeepsTheOrderOfMeasurementWhereTheFirstTargetLacksSeries) {
    document::RunDocument run;
    run.targets.resize(2);
    for (auto& target : run.targets) target.launches.resize(1);
    const auto add = [&](std::size_t target, const char* name) {
        run.targets[target].launches[0].series.push_back(sample_series(name, document::kPerCall, 1, 1, 1));
    };
    for (const char* name : {"b", "d"}) add(0, name);
    for (const char* name : {"a", "b", "c", "d", "e"}) add(1, name);
    EXPECT_THAT(series_names(make_tables(run).per_call), ElementsAre("a", "b", "c", "d", "e"));
}

TEST(MakeTables, SkipsSeriesWithoutAMeasuredPass) {
    auto run = several_targets(1);
    for (auto& target : run.targets) target.launches[0].series[0].passes.clear();
    EXPECT_THAT(make_tables(run).per_call, IsEmpty());
}

TEST(DerivedLines, AreThereOnlyWhereTheirSeriesAre) {
    const auto tables = make_tables(several_targets(1));
    std::vector<std::string> ids;
    for (const auto& line : tables.targets[0].derived) ids.push_back(line.id);
    EXPECT_THAT(ids, ElementsAre("size-growing-write", "first-call"));
}

TEST(DerivedLines, PointOutAFirstCallOfThreeTimesTheP99) {
    auto run = several_targets(1);
    auto& first = run.targets[0].launches[0].series[0].passes[1].latencies_us.front();
    const double p99 = run.targets[0].launches[0].series[0].passes[1].latencies_us.back();
    first = 3 * p99;
    EXPECT_TRUE(make_tables(run).targets[0].derived.back().text.ends_with(" (far above p99)"));
    first = 2.99 * p99;
    EXPECT_FALSE(make_tables(run).targets[0].derived.back().text.ends_with(" (far above p99)"));
}

TEST(DerivedLines, AreNotMadeForOtherWorkloads) {
    auto run = several_targets(1);
    run.workload = "another";
    EXPECT_THAT(make_tables(run).targets[0].derived, IsEmpty());
}

TEST(ExpectedSeries, FollowFromCasesAndChunks) {
    EXPECT_THAT(opfs_expected_series({{"chunks", {65536, 1000}}, {"cases", {"chunked-append", "append+flush"}}}),
                ElementsAre("chunked-append (64 KiB)", "chunked-append (1000 B)", "append+flush"));
    EXPECT_EQ(opfs_expected_series({{"chunks", {65536, 1048576}}}).size(), 10u);
}

TEST(MedianRun, TellsLaunchesWhereThereAreSeveral) {
    const auto one = several_targets(1), five = several_targets(5);
    EXPECT_THAT(median_run(one, one.targets[0]), HasSubstr("Median run of R=3 (by total time) after"));
    EXPECT_THAT(median_run(five, five.targets[0]),
                HasSubstr("Median run of R=15 (5 launches × 3) (by total time) after"));
}

TEST(Host, LeavesOutWhatIsNotKnown) {
    document::RunDocument run;
    EXPECT_EQ(host(run), "");
    run.host.emplace().memory_bytes = 16e9;
    EXPECT_EQ(host(run), "16 GB");
    run.host->cpu = "A CPU";
    run.host->arch = "x86_64";
    EXPECT_EQ(host(run), "A CPU, 16 GB, x64");
}

TEST(Configuration, OfAnotherWorkloadIsItsParametersByName) {
    document::RunDocument run;
    run.workload = "another";
    run.config = {{"preset", "full"}, {"depth", 3.0}, {"share", 0.5}, {"sizes", {1, 2}}, {"launches", 2}};
    EXPECT_EQ(configuration(run), "preset=full, depth=3, share=0.5, sizes=1 / 2");
}

TEST(Quality, SaysNothingOfADocumentThatSaysNothing) {
    // The clock's step of 20 µs and means of 40 µs are in the reference's document, and it has no such section.
    const auto run = seed_run();
    EXPECT_THAT(quality_lines(run, make_tables(run)), IsEmpty());
}

TEST(Quality, NamesSeriesWithFewerPassesThanAsked) {
    auto run = several_targets(2);
    run.state = document::RunState::partial;
    run.reason = "The browser crashed.";
    run.config["cases"] = {"small-append"};
    run.targets[0].launches[1].series.clear();
    run.targets[0].launches[1].failure = "the browser ended";
    run.targets[1].launches[0].series[0].passes.pop_back();
    const auto lines = quality_lines(run, make_tables(run));
    EXPECT_THAT(lines, Contains("State: partial. The browser crashed."));
    EXPECT_THAT(lines,
                Contains("Firefox 158 (base): Fewer passes than asked: small-append 3 of 6, new-file: close 3 of 6"));
    EXPECT_THAT(lines, Contains("Firefox 158 (base): Launch 2: the browser ended"));
    EXPECT_THAT(lines, Contains("Firefox 158 (wal-full): Fewer passes than asked: small-append 5 of 6"));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("Firefox 153: Fewer"))));
}

TEST(Quality, NamesASeriesThatIsMissingAltogether) {
    auto run = seed_run();
    run.state = document::RunState::partial;
    run.targets[0].launches[0].series.pop_back();
    EXPECT_THAT(quality_lines(run, make_tables(run)), Contains("Fewer passes than asked: new-file: full cycle 0 of 3"));
}

TEST(Quality, TellsVerificationNoiseAndTheClock) {
    auto run = seed_run();
    auto& launch = run.targets[0].launches[0];
    launch.noise = document::Json{{"before", {{"load_1m", 0.25}, {"pressure", {{"io", 0}}}}},
                                  {"after", {{"pressure", {{"io", 6.04}}}}},
                                  {"governor", "powersave"},
                                  {"other_cpu_percent", 1.25}};
    launch.series[0].passes[0].verified = document::Json{{"size", 8192000}, {"blocks", 66}, {"bytes", 270336}};
    EXPECT_THAT(
        quality_lines(run, make_tables(run)),
        ElementsAre(
            "State: completed.", "Verified: 1 of 30 passes; 0.3 MB in 66 blocks read back and compared",
            "Noise: other processes used 1.3 % of one processor; load before 0.25; waiting "
            "for the disk 6.0 % of the time; governor powersave",
            "Clock: it moves in steps of 20 µs; percentiles are only as fine as that (mean under 20 steps) for "
            "small-append, small-overwrite, chunked-append (64 KiB), chunked-append (1 MiB), new-file: first write"));
}

TEST(Quality, NamesNoisyLaunchesAndWhy) {
    auto run = several_targets(3);
    run.targets[0].launches[0].noise = document::Json{{"other_cpu_percent", 1}};
    run.targets[0].launches[1].noise =
        document::Json{{"other_cpu_percent", 37.4}, {"before", {{"memory_available_bytes", 1e8}}}};
    run.targets[0].launches[2].noise = document::Json{{"other_cpu_percent", 20}};
    const auto lines = quality_lines(run, make_tables(run));
    EXPECT_THAT(lines, Contains("Firefox 158 (base): Noisy: launch 2 (other processes used 37 % of a processor, only "
                                "100 MB of memory were available); launch 3 (other processes used 20 % of a "
                                "processor)"));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("Firefox 153: Noisy"))));
}

TEST(Planted, IsSaidOfTheWholeRunOrOfEachSuchTarget) {
    auto run = several_targets(1);
    EXPECT_THAT(planted_lines(run, make_tables(run)), testing::IsEmpty());
    run.config["planted_us"] = 50;
    EXPECT_THAT(planted_lines(run, make_tables(run)),
                ElementsAre("every timed call was slowed down by 50 µs on purpose; these figures are no browser's"));
    run.config.erase("planted_us");
    run.targets[1].extra["planted_us"] = 12.5;
    EXPECT_THAT(planted_lines(run, make_tables(run)),
                ElementsAre("every timed call of Firefox 158 (wal-full) was slowed down by 12.5 µs on purpose; these "
                            "figures are no browser's"));
    run.config["planted_us"] = 50;
    run.targets[1].extra["planted_us"] = 0;
    EXPECT_THAT(planted_lines(run, make_tables(run)),
                ElementsAre(testing::StartsWith("every timed call of Firefox 158 (base)"),
                            testing::StartsWith("every timed call of Firefox 153 ")));
}

}  // namespace
}  // namespace foxbench::report
