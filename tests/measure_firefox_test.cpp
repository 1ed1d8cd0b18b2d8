// Whole runs on the real Firefox, from the command line to the stored document.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/document/purpose.hpp"
#include "tests/support/stored_run.hpp"

namespace foxbench {
namespace {

using document::RunState;
using testing::HasSubstr;
using testing_support::expect_no_process_with;
using testing_support::foxbench;
using testing_support::newest_run;
using testing_support::no_profile_left;
using testing_support::Program;
using testing_support::read_file;
using testing_support::TemporaryFolder;

/// The second, plain implementation of every figure of the report.
void expect_figures_recompute(const TemporaryFolder& folder, const std::string& results) {
    ASSERT_EQ(foxbench({"export", "latest", "--results", results, "-o", folder.file("run.json")}).exit_code, 0);
    ASSERT_EQ(foxbench({"show", "latest", "--results", results, "-o", folder.file("summary.md")}).exit_code, 0);
    const auto result = Program({FOXBENCH_PYTHON, FOXBENCH_SOURCE_DIR "/tests/recompute_report.py",
                                 folder.file("run.json"), folder.file("summary.md")})
                            .finish();
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
}

struct ExpectedSeries {
    std::string name;
    std::size_t calls;
    std::optional<std::int64_t> bytes_per_call, bytes_total;
};

void expect_series(const document::Launch& launch, const std::vector<ExpectedSeries>& expected, std::size_t passes) {
    ASSERT_EQ(launch.series.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& series = launch.series[i];
        SCOPED_TRACE(expected[i].name);
        EXPECT_EQ(series.name, expected[i].name);
        EXPECT_EQ(series.bytes_per_call, expected[i].bytes_per_call);
        EXPECT_EQ(series.bytes_total, expected[i].bytes_total);
        ASSERT_TRUE(series.warmup.has_value());
        EXPECT_EQ(series.warmup->latencies_us.size(), expected[i].calls);
        ASSERT_EQ(series.passes.size(), passes);
        for (const auto& pass : series.passes) {
            EXPECT_EQ(pass.latencies_us.size(), expected[i].calls);
            EXPECT_GT(pass.total_ms, 0);
            EXPECT_GE(*pass.finished_at_ms, *pass.started_at_ms);
        }
    }
}

TEST(QuickRun, MeasuresEverySeriesAndLeavesNothingBehind) {
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto run = foxbench({"run", "--results", results, "--label", "quick one", "--note", "a | note"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("| small-append "));
    EXPECT_THAT(run.out, HasSubstr("| new-file: full cycle "));
    EXPECT_THAT(run.err, HasSubstr("append+flush: "));
    EXPECT_THAT(run.err, HasSubstr("summary.md"));

    const auto document = newest_run(results);
    EXPECT_EQ(document.state, RunState::completed);
    EXPECT_THAT(document.id, testing::EndsWith("-quick-one"));
    EXPECT_EQ(document.config.at("preset"), "quick");
    EXPECT_EQ(document.config.at("launches"), 1);
    ASSERT_EQ(document.targets.size(), 1u);
    EXPECT_TRUE(document.targets[0].browser.sha256.has_value());
    EXPECT_TRUE(document.targets[0].browser.build_id.has_value());
    ASSERT_EQ(document.targets[0].launches.size(), 1u);

    const auto& launch = document.targets[0].launches[0];
    EXPECT_EQ(launch.environment->cross_origin_isolated, true);
    EXPECT_EQ(launch.environment->timer_resolution_us, 20);
    EXPECT_EQ(launch.failure, std::nullopt);
    const std::int64_t bytes = 2000 * 4096;
    expect_series(launch,
                  {{"small-append", 2000, 4096, bytes},
                   {"small-overwrite", 2000, 4096, bytes},
                   {"chunked-append (64 KiB)", 125, 65536, bytes},
                   {"chunked-append (1 MiB)", 8, 1048576, bytes},
                   {"append+flush", 2000, 4096, bytes},
                   {"new-file: create+open", 200, {}, {}},
                   {"new-file: first write", 200, 4096, 200 * 4096},
                   {"new-file: close", 200, {}, {}},
                   {"new-file: delete", 200, {}, {}},
                   {"new-file: full cycle", 200, 4096, 200 * 4096}},
                  3);
    // After a warm-up all blocks are read back, after a measured pass the first, the last and 64 others.
    EXPECT_EQ(launch.series[0].warmup->verified->at("blocks"), 2000);
    EXPECT_EQ(launch.series[0].passes[0].verified->at("blocks"), 66);
    EXPECT_EQ(launch.series[6].passes[2].verified->at("bytes"), 4096);

    // What the machine was like, and what the disk itself cost meanwhile.
    ASSERT_TRUE(launch.noise.has_value());
    for (const char* moment : {"before", "after"})
        EXPECT_GT(launch.noise->at(moment).at("fsync_probe").at("median_us").get<double>(), 0) << moment;

    expect_figures_recompute(folder, results);
    expect_no_process_with(folder.path());
    EXPECT_TRUE(no_profile_left(results));
    EXPECT_THAT(read_file(results + "/" + document.id + "/summary.md"), HasSubstr("Note: a | note"));
}

TEST(TwoTargets, AreMeasuredInTurnAndReportedBesideEachOther) {
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto config = folder.write(
        "two.yaml",
        "targets:\n  plain: {}\n  fine: {timer: precise, note: finer clock}\ndefaults: {targets: [plain, fine]}\n");
    const auto run =
        foxbench({"run", "--config", config, "--results", results, "--preset", "quick", "--calls", "100", "--files",
                  "10", "--passes", "5", "--cases", "small-append,new-file", "--launches", "3", "--settle", "0ms"});
    ASSERT_EQ(run.exit_code, 0) << run.err;

    const auto document = newest_run(results);
    EXPECT_EQ(document.state, RunState::completed);
    EXPECT_EQ(document.config.at("preset"), "quick+overrides");
    EXPECT_EQ(document.config.at("cases").dump(), R"(["small-append","new-file"])");
    ASSERT_EQ(document.targets.size(), 2u);
    std::vector<int> plain_order, fine_order;
    for (const auto& launch : document.targets[0].launches) plain_order.push_back(launch.extra.at("order").get<int>());
    for (const auto& launch : document.targets[1].launches) fine_order.push_back(launch.extra.at("order").get<int>());
    EXPECT_THAT(plain_order, testing::ElementsAre(0, 3, 4)) << "A B B A A B: drift meets both alike";
    EXPECT_THAT(fine_order, testing::ElementsAre(1, 2, 5));
    EXPECT_EQ(document.targets[0].launches[0].environment->timer_resolution_us, 20);
    EXPECT_LT(*document.targets[1].launches[0].environment->timer_resolution_us, 1);
    EXPECT_EQ(document.targets[0].prefs, std::nullopt);
    EXPECT_EQ(document.targets[1].prefs->at("privacy.reduceTimerPrecision.unconditional"), false);

    const auto report = foxbench({"show", "--results", results}).out;
    const auto major = document.targets[0].browser.version.substr(0, document.targets[0].browser.version.find('.'));
    const std::string plain = "Firefox " + major + " (plain)", fine = "Firefox " + major + " (fine)";
    EXPECT_THAT(report, HasSubstr("Browsers: " + plain + ", " + fine + "  \n"));
    EXPECT_THAT(report, HasSubstr("| Workload | " + plain + " µs/call | " + fine + " µs/call | " + fine + " ÷ " +
                                  plain + " | " + plain + " total | " + fine + " total |"));
    EXPECT_THAT(report, HasSubstr("\n## " + plain + "\n"));
    EXPECT_THAT(report, HasSubstr("\n## " + fine + "\n"));
    EXPECT_THAT(report, HasSubstr("Median run of R=15 (3 launches × 5) (by total time) after one warm-up pass;"));
    expect_figures_recompute(folder, results);
    expect_no_process_with(folder.path());
}

TEST(Planted, IsSeenInTheOneTargetThatHasIt) {
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto config = folder.write("planted.yaml",
                                     "targets:\n  plain: {timer: precise}\n  slow: {timer: precise, planted_us: 50}\n"
                                     "defaults: {targets: [plain, slow]}\n");
    const auto run = foxbench({"run", "--config", config, "--results", results, "--calls", "200", "--files", "10",
                               "--passes", "2", "--chunks", "1MiB", "--settle", "0ms"});
    ASSERT_EQ(run.exit_code, 0) << run.err;

    const auto document = newest_run(results);
    EXPECT_TRUE(document::is_planted(document));
    EXPECT_FALSE(document.config.contains("planted_us"));
    ASSERT_EQ(document.targets.size(), 2u);
    EXPECT_EQ(document.targets[1].extra.at("planted_us"), 50);
    for (const auto& series : document.targets[0].launches[0].series)
        EXPECT_FALSE(series.passes[0].extra.contains("planted_mean_us")) << series.name;
    for (const auto& series : document.targets[1].launches[0].series) {
        // The wait ends with the first reading at or after its time, and other work may come between two readings.
        const double least = series.name == "new-file: full cycle" ? 4 * 50 : 50;
        for (const auto& pass : series.passes) {
            EXPECT_GE(pass.extra.at("planted_mean_us").get<double>(), least) << series.name;
            for (const double latency : pass.latencies_us) EXPECT_GE(latency, least) << series.name;
        }
    }
    EXPECT_THAT(
        foxbench({"show", "--results", results}).out,
        testing::ContainsRegex("\nPlanted: every timed call of Firefox [0-9]+ \\(slow\\) was slowed down by 50 µs"));
    expect_figures_recompute(folder, results);
}

TEST(PinnedTarget, RunsOnlyWhereItMay) {
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto options = [&](const std::string& config) {
        return std::vector<std::string>{"run",      "--config", config,    "--results",    results,    "--calls", "50",
                                        "--passes", "1",        "--cases", "small-append", "--settle", "0ms"};
    };
    const auto first = folder.write("first.yaml", "targets: {firefox: {cpus: 0}}\n");
    const auto run = foxbench(options(first));
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto document = newest_run(results);
    EXPECT_EQ(document.targets[0].extra.at("cpus"), "0");

    const auto none = folder.write("none.yaml", "targets: {firefox: {cpus: 1023}}\n");
    const auto refused = foxbench(options(none));
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("target firefox: cpus: this machine has no processor 1023; it has 0"));
}

TEST(FurtherWorkload, IsAFolderAndNothingElse) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "workloads/spin");
    folder.write("workloads/spin/workload.yaml",
                 "name: spin\n"
                 "title: Nothing at all\n"
                 "module: spin.mjs\n"
                 "parameters:\n"
                 "  turns: {type: count, min: 1, max: 1000, about: how many}\n"
                 "  passes: {type: count, min: 1, max: 10, about: measured passes}\n"
                 "presets: {only: {turns: 10, passes: 2}}\n"
                 "cases: {spin: {disk: 0, series: [{name: spin, table: per-call, calls: turns}]}}\n");
    folder.write(
        "workloads/spin/spin.mjs",
        "export const cases = { spin: async context => {\n"
        "    await context.ready();\n"
        "    const latencies = new Float64Array(context.parameters.turns).fill(0.5);\n"
        "    const now = context.now();\n"
        "    return { started_at_ms: now, finished_at_ms: now, series: { spin: { total_ms: 5, latencies } } };\n"
        "} };\n");
    const auto config =
        folder.write("c.yaml", "workloads: workloads\nsettle: 0ms\ndefaults: {workload: spin, preset: only}\n");
    const auto run = foxbench({"run", "--config", config, "--results", folder.file("r"), "--turns", "20"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto document = newest_run(folder.file("r"));
    EXPECT_EQ(document.workload, "spin");
    EXPECT_EQ(document.targets.at(0).launches.at(0).series.at(0).passes.at(1).latencies_us,
              std::vector<double>(20, 500));
    EXPECT_THAT(foxbench({"show", "--results", folder.file("r")}).out, HasSubstr("Nothing at all"));
    EXPECT_THAT(foxbench({"run", "--config", config, "--help"}).out, HasSubstr("--turns"));
}

TEST(Doctor, FindsARunnableFirefox) {
    const TemporaryFolder folder;
    const auto doctor = foxbench({"doctor", "--json", "--results", folder.file("r")});
    EXPECT_EQ(doctor.exit_code, 0) << doctor.out << doctor.err;
    const auto report = document::Json::parse(doctor.out);
    EXPECT_EQ(report.at("ok"), true);
    std::vector<std::string> names;
    for (const auto& check : report.at("checks")) names.push_back(check.at("name"));
    for (const char* name :
         {"results", "profiles", "disk", "sync", "free space", "load", "governor", "host lock", "target firefox",
          "target firefox: start", "target firefox: OPFS", "target firefox: isolation", "target firefox: clock"}) {
        EXPECT_THAT(names, testing::Contains(name));
    }
    expect_no_process_with(folder.path());
    EXPECT_TRUE(no_profile_left(folder.file("r")));
}

TEST(Doctor, SaysWhatIsMissing) {
    const TemporaryFolder folder;
    const auto doctor = foxbench({"doctor", "--firefox", "/nonexistent", "--results", folder.file("r")});
    EXPECT_EQ(doctor.exit_code, 1);
    EXPECT_THAT(doctor.out, HasSubstr("fault"));
    EXPECT_THAT(doctor.out, HasSubstr("-> install firefox-esr, or name a binary"));
}

}  // namespace
}  // namespace foxbench
