#include "service/history/series_history.hpp"

#include <random>

#include <gmock/gmock.h>

#include "service/history/sample_runs.hpp"

namespace foxbench::history {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Point point(const std::string& night, std::vector<double> means, const std::string& build = "1") {
    Point one;
    one.run = "run-" + night;
    one.night = night;
    one.launch_means_us = std::move(means);
    one.build.version = "158.0a1";
    one.build.build_id = build;
    return one;
}

/// Nights about 100 µs, and from `step_at` on about `after`, with a normal host's night-to-night spread.
std::vector<Point> nights_with_step(int nights, int step_at, double after) {
    std::mt19937_64 random(5);
    std::vector<Point> points;
    for (int i = 0; i < nights; ++i) {
        // Portable noise: the sum of twelve uniform numbers has a standard deviation of one.
        double normal = -6;
        for (int k = 0; k < 12; ++k) normal += static_cast<double>(random() >> 11) * 0x1p-53;
        const double level = i < step_at ? 100 : after;
        points.push_back(point(sample_date(i), {level * (1 + 0.02 * normal)}, i < step_at ? "old" : "new"));
    }
    return points;
}

SeriesKey key() {
    SeriesKey key;
    key.host = "5f2c";
    key.series = "small-append";
    return key;
}

TEST(Nights, AreMediansOverTheLaunchesOfAllRunsOfTheNight) {
    const auto nights =
        nights_of({point("2026-09-02", {50}), point("2026-09-01", {40, 44}), point("2026-09-01", {48})});
    ASSERT_THAT(nights, SizeIs(2));
    EXPECT_EQ(nights[0].night, "2026-09-01");
    EXPECT_EQ(nights[0].median_us, 44);
    EXPECT_EQ(nights[0].low_us, 40);
    EXPECT_EQ(nights[0].high_us, 48);
    EXPECT_EQ(nights[0].launches, 3u);
    EXPECT_EQ(nights[1].median_us, 50);
    EXPECT_FALSE(nights[1].low_us);
}

TEST(Nights, LeaveOutWhatDoesNotCountWhereSomethingDoes) {
    auto bad = point("2026-09-01", {400});
    bad.not_used = "partial";
    const auto both = nights_of({bad, point("2026-09-01", {40})});
    EXPECT_TRUE(both[0].used);
    EXPECT_EQ(both[0].median_us, 40);
    const auto alone = nights_of({bad});
    EXPECT_FALSE(alone[0].used);
    EXPECT_EQ(alone[0].not_used, "partial");
    EXPECT_EQ(alone[0].median_us, 400) << "shown all the same";
}

TEST(History, SaysWhichNightsAreMissingAndFillsNone) {
    const auto history = make_history(key(),
                                      {point("2026-09-01", {1}), point("2026-09-02", {1}), point("2026-09-05", {1}),
                                       point("2026-09-06", {1}), point("2026-09-07", {1})},
                                      {});
    EXPECT_THAT(history.missing, ElementsAre("2026-09-03", "2026-09-04"));
    EXPECT_THAT(history.nights, SizeIs(5));
}

TEST(History, OfWeeksIsNotOneOfMissingNights) {
    const auto history =
        make_history(key(), {point("2026-09-01", {1}), point("2026-09-08", {1}), point("2026-09-15", {1})}, {});
    EXPECT_THAT(history.missing, IsEmpty());
}

TEST(History, FindsTheStepWithItsNightsAndBuilds) {
    const auto history = make_history(key(), nights_with_step(60, 41, 115), {});
    ASSERT_THAT(history.steps, SizeIs(1));
    const auto& step = history.steps[0];
    EXPECT_EQ(step.first_bad, sample_date(41));
    EXPECT_EQ(step.last_good, sample_date(40));
    EXPECT_EQ(step.build_before.build_id, "old");
    EXPECT_EQ(step.build_after.build_id, "new");
    EXPECT_TRUE(step.slower());
    EXPECT_FALSE(step.confirmed);
    EXPECT_NEAR(step.change.shift.relative.value(), 0.15, 0.03);
}

TEST(History, NamesTheRightNightHoweverYoungTheStepIs) {
    for (int nights = 60; nights > 43; --nights) {
        const auto history = make_history(key(), nights_with_step(nights, 41, 130), {});
        if (nights >= 46) {
            ASSERT_THAT(history.steps, SizeIs(1)) << nights;
        }
        for (const auto& step : history.steps) EXPECT_EQ(step.first_bad, sample_date(41)) << nights;
    }
}

TEST(History, FindsAnImprovementAsWell) {
    const auto history = make_history(key(), nights_with_step(60, 41, 85), {});
    ASSERT_THAT(history.steps, SizeIs(1));
    EXPECT_FALSE(history.steps[0].slower());
}

TEST(History, FindsNothingWhereNothingChanged) {
    EXPECT_THAT(make_history(key(), nights_with_step(60, 60, 100), {}).steps, IsEmpty());
}

TEST(History, IsTheSameForTheSameQuestion) {
    const auto points = nights_with_step(60, 41, 104);
    const auto once = make_history(key(), points, {});
    const auto again = make_history(key(), points, {});
    ASSERT_EQ(once.steps.size(), again.steps.size());
    for (std::size_t i = 0; i < once.steps.size(); ++i) {
        EXPECT_EQ(once.steps[i].first_bad, again.steps[i].first_bad);
        EXPECT_EQ(once.steps[i].change.p, again.steps[i].change.p);
    }
}

TEST(History, BeginsAnewAtAKnownStep) {
    const auto history = make_history(key(), nights_with_step(60, 41, 115), {sample_date(41)});
    ASSERT_THAT(history.steps, SizeIs(1));
    EXPECT_TRUE(history.steps[0].confirmed);
    EXPECT_EQ(history.since, sample_date(41));
    EXPECT_EQ(history.nights_used, 19u);
    EXPECT_EQ(watched_nights(history).front().night, sample_date(41));
    EXPECT_EQ(history.note, "");
}

TEST(History, SaysWhereThereIsTooLittle) {
    EXPECT_THAT(make_history(key(), nights_with_step(11, 11, 100), {}).note, HasSubstr("11 of the 12 nights"));
    const auto since = make_history(key(), nights_with_step(50, 41, 115), {sample_date(41)});
    EXPECT_THAT(since.note, HasSubstr("9 of the 12 nights"));
    EXPECT_THAT(since.note, HasSubstr("since the step of " + sample_date(41)));
}

TEST(History, OfNothingIsEmpty) {
    const auto history = make_history(key(), {}, {"2026-09-01"});
    EXPECT_THAT(history.nights, IsEmpty());
    EXPECT_THAT(history.steps, IsEmpty());
    EXPECT_FALSE(history.outlook.night_sd);
}

TEST(History, DoesNotCallALevelAStepThatIsSmallerThanWasAskedFor) {
    HistoryOptions coarse;
    coarse.merge_below = 0.2;
    EXPECT_THAT(make_history(key(), nights_with_step(60, 41, 115), {}, coarse).steps, IsEmpty());
}

}  // namespace
}  // namespace foxbench::history
