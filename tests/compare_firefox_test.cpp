// Whether what was planted into a real Firefox is found, and nothing where nothing was.
#include <cstdlib>
#include <iostream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/document/purpose.hpp"
#include "tests/support/stored_run.hpp"

namespace foxbench {
namespace {

using document::Json;
using testing::HasSubstr;
using testing_support::expect_no_process_with;
using testing_support::foxbench;
using testing_support::newest_run;
using testing_support::no_profile_left;
using testing_support::TemporaryFolder;

constexpr const char* kPlantedUs = "50";
/// An interval of 95 % misses one time in twenty, by what it is. That three in a row do is a fault.
constexpr int kIntervals = 3;

const std::vector<std::string> kSmall = {"--cases", "small-append", "--calls", "500", "--passes",
                                         "3",       "--settle",     "0ms"};

testing_support::Result run_small(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), kSmall.begin(), kSmall.end());
    return foxbench(arguments);
}

/// What the worker says that it added to a call, in the mean over a target's passes.
double really_added_us(const document::Target& target) {
    double sum = 0;
    int passes = 0;
    for (const auto& launch : target.launches) {
        for (const auto& series : launch.series) {
            for (const auto& pass : series.passes) {
                sum += pass.extra.at(document::kPlantedMean).get<double>();
                ++passes;
            }
        }
    }
    return sum / passes;
}

/// Measures a planted target against one that is not, in turns; the verdict has to be "slower". Whether the interval of
/// the difference contains what the worker says that it added.
bool is_found_and_sized(const std::string& config, const std::string& results) {
    const auto run =
        run_small({"run", "--config", config, "--results", results, "--targets", "base,planted", "--launches", "5"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto document = newest_run(results);
    EXPECT_TRUE(document::is_planted(document));
    const double added = really_added_us(document.targets.at(1));
    EXPECT_GE(added, 50);

    const auto compared = foxbench({"compare", "latest:base", "latest:planted", "--results", results, "--json"});
    EXPECT_EQ(compared.exit_code, 4) << compared.out << compared.err;
    const Json row = Json::parse(compared.out).at("comparisons").at(0).at("series").at(0);
    EXPECT_EQ(row.at("series"), "small-append");
    EXPECT_EQ(row.at("verdict"), "slower");
    const auto low = row.at("shift_low_us").get<double>();
    const auto high = row.at("shift_high_us").get<double>();
    std::cout << "added " << added << " us, the interval is " << low << " to " << high << " us\n";
    return low <= added && added <= high;
}

TEST(Compare, FindsAPlantedSlowdownAndHowLargeItIs) {
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto config = folder.write("planted.yaml", std::string("targets:\n"
                                                                 "  base: {timer: precise}\n"
                                                                 "  planted: {timer: precise, planted_us: ") +
                                                         kPlantedUs + "}\n");
    bool sized = false;
    for (int i = 0; i < kIntervals && !sized && !HasFailure(); ++i) sized = is_found_and_sized(config, results);
    EXPECT_TRUE(sized) << "no interval contains what was added";

    // A planted run never enters a history, and says what it is.
    EXPECT_EQ(Json::parse(foxbench({"history", "--results", results, "--json"}).out).at("series").size(), 0u);
    EXPECT_THAT(foxbench({"show", "latest", "--results", results}).out, HasSubstr("planted"));
    expect_no_process_with(folder.path());
    EXPECT_TRUE(no_profile_left(results));
}

TEST(Aa, StoresTheSpreadThatVerdictsGoBy) {
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto aa = run_small({"aa", "--results", results, "--launches", "8"});
    ASSERT_EQ(aa.exit_code, 0) << aa.err;
    EXPECT_THAT(aa.out, HasSubstr("small-append"));
    EXPECT_TRUE(document::is_aa(newest_run(results)));
    ASSERT_EQ(run_small({"run", "--results", results, "--launches", "2"}).exit_code, 0);
    const auto compared =
        foxbench({"compare", "latest", "latest:firefox", "--results", results, "--json", "--explain"});
    EXPECT_EQ(compared.exit_code, 2) << "both are one target: " << compared.err;
}

/// The long form: after one A/A run, ten times 5 against 5 launches of one and the same build.
TEST(Aa, AgainstItselfIsHardlyEverCalledAChange) {
    if (std::getenv("FOXBENCH_LONG") == nullptr) return;
    const TemporaryFolder folder;
    const std::string results = folder.file("r");
    const auto config = folder.write("twins.yaml", "targets:\n  firefox: {}\n  twin: {}\n");
    ASSERT_EQ(run_small({"aa", "--config", config, "--results", results, "--launches", "10"}).exit_code, 0);
    int verdicts = 0;
    int changes = 0;
    for (int i = 0; i < 10; ++i) {
        const auto run = run_small(
            {"run", "--config", config, "--results", results, "--targets", "firefox,twin", "--launches", "5"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const auto compared = foxbench({"compare", "latest:firefox", "latest:twin", "--results", results, "--json"});
        const Json rows = Json::parse(compared.out).at("comparisons").at(0).at("series");
        for (const auto& row : rows) {
            ++verdicts;
            const auto verdict = row.at("verdict").get<std::string>();
            if (verdict == "slower" || verdict == "faster") ++changes;
        }
    }
    EXPECT_EQ(verdicts, 10);
    std::cout << changes << " of " << verdicts << " verdicts name a change\n";
    EXPECT_LE(changes, 1);
}

/// The long form: what `foxbench selftest alerts` promises.
TEST(Selftest, ReportsWhatIsPlantedAndNothingElse) {
    if (std::getenv("FOXBENCH_LONG") == nullptr) return;
    const TemporaryFolder folder;
    const auto selftest = foxbench({"selftest", "alerts", "--results", folder.file("r"), "--json"});
    EXPECT_EQ(selftest.exit_code, 0) << selftest.out << selftest.err;
    const Json result = Json::parse(selftest.out);
    EXPECT_EQ(result.at("alerts_without").size(), 0u);
    EXPECT_GE(result.at("alerts_planted").size(), 1u);
    expect_no_process_with(folder.path());
}

}  // namespace
}  // namespace foxbench
