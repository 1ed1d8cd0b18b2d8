#include "service/stats/nightly.hpp"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "service/stats/testing/random_samples.hpp"

namespace foxbench::stats {
namespace {

using Values = std::vector<double>;

/// 98, 100, 102, 98, ...: for a multiple of three nights the median is 100 and the scaled MAD 2 x 1.4826.
Values nights(std::size_t count) {
    Values values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(98 + 2 * static_cast<double>(i % 3));
    return values;
}

TEST(JudgeNight, CountsInTheSpreadOfTheNightsBefore) {
    const auto usual = judge_night(nights(15), 111.8, 0, 1);
    EXPECT_EQ(usual.verdict, NightVerdict::usual);
    EXPECT_NEAR(usual.z.value(), 11.8 / 2.9652, 1e-9);
    EXPECT_EQ(usual.median_us, 100);
    EXPECT_NEAR(usual.scale_us.value(), 2.9652, 1e-9);
    EXPECT_NEAR(usual.change.value(), 0.118, 1e-9);
    EXPECT_EQ(usual.nights, 15u);

    EXPECT_EQ(judge_night(nights(15), 111.9, 0, 1).verdict, NightVerdict::slower);
    const auto faster = judge_night(nights(15), 88.1, 0, 1);
    EXPECT_EQ(faster.verdict, NightVerdict::faster);
    EXPECT_NEAR(faster.z.value(), -11.9 / 2.9652, 1e-9);
    EXPECT_NEAR(faster.change.value(), -0.119, 1e-9);
}

TEST(JudgeNight, TakesNoSeriesToBeQuieterThanOnePercent) {
    const Values constant(20, 100.0);
    EXPECT_EQ(judge_night(constant, 104, 0, 1).z, 4);
    EXPECT_EQ(judge_night(constant, 104, 0, 1).verdict, NightVerdict::usual);  // has to be more than 4
    EXPECT_EQ(judge_night(constant, 104.1, 0, 1).verdict, NightVerdict::slower);
    EXPECT_EQ(judge_night(constant, 95.9, 0, 1).verdict, NightVerdict::faster);
}

TEST(JudgeNight, TrustsNothingThatTheClockDoesNotShow) {
    const Values constant(20, 100.0);
    EXPECT_EQ(judge_night(constant, 119, 5000, 1000).verdict, NightVerdict::usual);
    EXPECT_EQ(judge_night(constant, 121, 5000, 1000).verdict, NightVerdict::slower);
    EXPECT_EQ(judge_night(constant, 121, 5000, 1000).scale_us, 5);
    EXPECT_EQ(judge_night(constant, 121, 5, 0).scale_us, 5);  // no calls count as one
}

TEST(JudgeNight, NeedsHistory) {
    const auto little = judge_night(nights(14), 1000, 0, 1);
    EXPECT_EQ(little.verdict, NightVerdict::too_little_history);
    EXPECT_EQ(little.z, std::nullopt);
    EXPECT_EQ(little.nights, 14u);
    EXPECT_EQ(little.reason, "14 nights since the last confirmed step; 15 are needed");
    EXPECT_EQ(judge_night(nights(15), 1000, 0, 1).verdict, NightVerdict::slower);

    const auto none = judge_night({}, 1000, 0, 1);
    EXPECT_EQ(none.verdict, NightVerdict::too_little_history);
    EXPECT_EQ(none.median_us, std::nullopt);
    EXPECT_EQ(none.change, std::nullopt);
}

TEST(JudgeNight, LooksAtTheLastNightsOnly) {
    Values values(40, 1000.0);
    values.resize(60, 100.0);
    const auto judgement = judge_night(values, 100, 0, 1);
    EXPECT_EQ(judgement.nights, kBaselineNights);
    EXPECT_EQ(judgement.median_us, 100);
    EXPECT_EQ(judgement.verdict, NightVerdict::usual);
}

TEST(JudgeNight, ShowsWhatItDecidedBy) {
    const auto judgement = judge_night(nights(15), 120, 0, 1);
    ASSERT_EQ(judgement.filters.size(), 2u);
    EXPECT_EQ(judgement.filters[0].value, 15);
    EXPECT_EQ(judgement.filters[0].threshold, 15);
    EXPECT_EQ(judgement.filters[0].unit, "nights");
    EXPECT_TRUE(judgement.filters[0].passed);
    EXPECT_NEAR(judgement.filters[1].value.value(), 20 / 2.9652, 1e-9);
    EXPECT_EQ(judgement.filters[1].threshold, kZThreshold);
    EXPECT_TRUE(judgement.filters[1].passed);
    EXPECT_EQ(judgement.reason,
              "20.0 % above the median of the last 15 nights, 6.7 times their spread; more than 4 is out of line");

    const auto little = judge_night(nights(3), 120, 0, 1);
    ASSERT_EQ(little.filters.size(), 1u);
    EXPECT_FALSE(little.filters[0].passed);
    EXPECT_FALSE(judge_night(nights(15), 100, 0, 1).filters[1].passed);
    EXPECT_EQ(judge_night(nights(15), 97, 0, 1).reason,
              "3.0 % below the median of the last 15 nights, 1.0 times their spread; at most 4 is usual");
}

// Nothing to count in: neither a spread, nor a level, nor a clock.
TEST(JudgeNight, OfZeroesIsOutOfLineForAnythingElse) {
    const Values zeroes(15, 0.0);
    EXPECT_EQ(judge_night(zeroes, 0, 0, 1).verdict, NightVerdict::usual);
    const auto slower = judge_night(zeroes, 0.5, 0, 1);
    EXPECT_EQ(slower.verdict, NightVerdict::slower);
    EXPECT_EQ(slower.z, std::nullopt);
    EXPECT_EQ(slower.change, std::nullopt);
    EXPECT_EQ(slower.reason, "0.50 µs above the median of the last 15 nights");
    EXPECT_EQ(judge_night(zeroes, -0.5, 0, 1).verdict, NightVerdict::faster);
    EXPECT_EQ(judge_night(zeroes, 0.5, 20, 100).verdict, NightVerdict::usual);
}

TEST(JudgeNight, LivesWithWhatIsNotANumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(judge_night(nights(15), nan, 0, 1).verdict, NightVerdict::usual);
    Values values = nights(20);
    values[3] = nan;
    EXPECT_EQ(judge_night(values, 100, 0, 1).verdict, NightVerdict::usual);
}

TEST(Outlook, SaysWhatCanBeSeen) {
    const auto known = outlook(nights(15));
    EXPECT_EQ(known.median_us, 100);
    EXPECT_NEAR(known.night_sd.value(), 0.029652, 1e-9);
    EXPECT_NEAR(known.smallest_step.value(), 4 * 0.029652, 1e-9);
    EXPECT_EQ(outlook(Values(20, 100.0)).night_sd, 0);
    EXPECT_EQ(outlook(Values(20, 100.0)).smallest_step, 0.04);
}

TEST(Outlook, IsEmptyWhereNothingIsKnown) {
    EXPECT_EQ(outlook({}).median_us, std::nullopt);
    EXPECT_EQ(outlook({}).night_sd, std::nullopt);
    EXPECT_EQ(outlook(Values{5}).median_us, 5);
    EXPECT_EQ(outlook(Values{5}).night_sd, std::nullopt);
    EXPECT_TRUE(outlook(nights(14)).night_sd);
    EXPECT_EQ(outlook(nights(14)).smallest_step, std::nullopt);
    EXPECT_EQ(outlook(Values(20, 0.0)).night_sd, std::nullopt);
    EXPECT_EQ(outlook(Values(20, 0.0)).smallest_step, std::nullopt);
}

TEST(Outlook, TheSmallestStepIsWhereTheJudgementTurns) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 50; ++round) {
        const auto history = testing::lognormal(random, 15 + random() % 20, 100, 0.02);
        const auto seen = outlook(history);
        const double step = seen.smallest_step.value(), level = seen.median_us.value();
        EXPECT_EQ(judge_night(history, level * (1 + 1.001 * step), 0, 1).verdict, NightVerdict::slower);
        EXPECT_EQ(judge_night(history, level * (1 + 0.999 * step), 0, 1).verdict, NightVerdict::usual);
        EXPECT_EQ(judge_night(history, level * (1 - 1.001 * step), 0, 1).verdict, NightVerdict::faster);
    }
}

TEST(NightVerdict, HasWords) {
    EXPECT_STREQ(to_string(NightVerdict::usual), "usual");
    EXPECT_STREQ(to_string(NightVerdict::slower), "slower");
    EXPECT_STREQ(to_string(NightVerdict::faster), "faster");
    EXPECT_STREQ(to_string(NightVerdict::too_little_history), "too little history");
}

}  // namespace
}  // namespace foxbench::stats
