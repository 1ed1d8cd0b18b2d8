#include "service/alerts/judgement.hpp"

#include <gmock/gmock.h>

#include "service/history/sample_runs.hpp"

namespace foxbench::alerts {
namespace {

using history::Point;
using history::sample_date;
using store::Alert;
using store::AlertState;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Values that go up and down by 1 %.
double usual(int night) {
    constexpr double kWobble[] = {0, 0.6, -0.4, 1, -1, 0.3, -0.7};
    return 100 + kWobble[night % 7];
}

Point point(int night, double value, const std::string& build = "old") {
    Point one;
    one.run = "run-" + std::to_string(night);
    one.night = sample_date(night);
    one.launch_means_us = {value};
    one.clock_step_us = 0.1;
    one.calls = 100;
    one.build.version = "158.0a1";
    one.build.build_id = build;
    one.build.source_stamp = build == "old" ? "8d76a2ba4c00" : "ffeeddccbbaa";
    one.build.source_repository = "https://hg.mozilla.org/mozilla-central";
    return one;
}

/// Nights of this many usual values, and then these.
SeriesCase nights(int count, const std::vector<double>& then, std::vector<Alert> known = {},
                  const std::vector<std::string>& steps = {}) {
    std::vector<Point> points;
    for (int i = 0; i < count; ++i) points.push_back(point(i, usual(i)));
    for (std::size_t i = 0; i < then.size(); ++i) points.push_back(point(count + static_cast<int>(i), then[i], "new"));
    SeriesCase one;
    one.id = "series";
    history::SeriesKey key;
    key.series = "small-append";
    key.target = "firefox";
    key.host_name = "lab-3";
    one.history = history::make_history(key, points, steps);
    one.known = std::move(known);
    one.clock_step_us = 0.1;
    one.calls = 100;
    one.run = points.back().run;
    one.can_confirm = true;
    return one;
}

constexpr std::int64_t kNow = 1'788'000'000'000;

Alert noticed(const SeriesCase& one) {
    const auto decision = judge_night(one, kNow);
    EXPECT_THAT(decision.noticed, SizeIs(1));
    auto alert = decision.noticed.empty() ? Alert() : decision.noticed.front().alert;
    alert.id = 7;
    return alert;
}

TEST(JudgeNight, SuspectsANightThatIsOutOfLine) {
    const auto alert = noticed(nights(20, {110}));
    EXPECT_EQ(alert.state, AlertState::suspected);
    EXPECT_TRUE(alert.slower);
    EXPECT_FALSE(alert.is_step);
    EXPECT_EQ(alert.first_bad, sample_date(20));
    EXPECT_EQ(alert.last_good, sample_date(19));
    EXPECT_EQ(alert.run, "run-20");
    EXPECT_NEAR(alert.details.at("change").get<double>(), 0.1, 0.01);
    EXPECT_EQ(alert.details.at("build_before").at("build_id"), "old");
    EXPECT_EQ(alert.details.at("build_after").at("build_id"), "new");
    EXPECT_THAT(alert.details.at("source_range").at("address").get<std::string>(), HasSubstr("pushloghtml"));
    EXPECT_FALSE(alert.details.at("filters").empty()) << "it can be explained";
}

TEST(JudgeNight, SuspectsAnImprovementAsWell) {
    EXPECT_FALSE(noticed(nights(20, {90})).slower);
}

TEST(JudgeNight, IsSilentOnAUsualNight) {
    EXPECT_THAT(judge_night(nights(20, {101}), kNow).noticed, IsEmpty());
}

TEST(JudgeNight, KnowsTooLittleAfterFewNights) {
    EXPECT_THAT(judge_night(nights(14, {200}), kNow).noticed, IsEmpty());
    EXPECT_THAT(judge_night(nights(15, {200}), kNow).noticed, SizeIs(1));
}

TEST(JudgeNight, NeedsARunThatCanBeMeasuredAgain) {
    auto one = nights(20, {110});
    one.can_confirm = false;
    EXPECT_THAT(judge_night(one, kNow).noticed, IsEmpty()) << "one imported night is no evidence";
}

TEST(JudgeNight, LeavesANightThatDoesNotCountAlone) {
    auto one = nights(20, {110});
    one.history.nights.back().used = false;
    EXPECT_THAT(judge_night(one, kNow).noticed, IsEmpty());
}

TEST(JudgeNight, IsSilentWhileAnAlertGoesOn) {
    for (const auto state : {AlertState::suspected, AlertState::confirmed}) {
        auto alert = noticed(nights(20, {110}));
        alert.state = state;
        alert.acknowledged = true;
        EXPECT_THAT(judge_night(nights(20, {110, 110.5}, {alert}), kNow).noticed, IsEmpty());
    }
}

TEST(JudgeNight, SpeaksAgainOnceTheLevelHadComeBack) {
    auto alert = noticed(nights(20, {110}));
    alert.state = AlertState::confirmed;
    EXPECT_THAT(judge_night(nights(20, {110, 100, 111}, {alert}), kNow).noticed, SizeIs(1));
}

TEST(JudgeNight, SpeaksAgainAfterWhatWasNotReproduced) {
    auto alert = noticed(nights(20, {110}));
    alert.state = AlertState::not_reproduced;
    EXPECT_THAT(judge_night(nights(20, {110, 111}, {alert}), kNow).noticed, SizeIs(1));
}

TEST(JudgeNight, FindsAStepOfTheSeriesWithoutMeasuringAgain) {
    auto one = nights(40, {110, 110.6, 109.5, 110.2});
    one.can_confirm = false;
    const auto alert = noticed(one);
    EXPECT_EQ(alert.state, AlertState::confirmed);
    EXPECT_TRUE(alert.is_step);
    EXPECT_EQ(alert.first_bad, sample_date(40));
    EXPECT_EQ(alert.last_good, sample_date(39));
    EXPECT_EQ(alert.run, "run-40") << "of the first bad night, not of the one that showed it";
    EXPECT_TRUE(alert.details.at("interval").is_array());
}

TEST(JudgeNight, TakesAStepForTheAlertThatIsThereAlready) {
    for (const auto state : {AlertState::suspected, AlertState::confirmed, AlertState::not_reproduced}) {
        auto alert = noticed(nights(40, {110}));
        alert.state = state;
        const auto decision = judge_night(nights(40, {110, 110.6, 109.5, 110.2}, {alert}), kNow);
        EXPECT_THAT(decision.noticed, IsEmpty());
        ASSERT_THAT(decision.changed, SizeIs(1));
        EXPECT_EQ(decision.changed[0].alert.id, 7);
        EXPECT_EQ(decision.changed[0].alert.state, AlertState::confirmed);
        EXPECT_TRUE(decision.changed[0].alert.is_step);
        EXPECT_TRUE(decision.changed[0].alert.details.contains("filters")) << "what decided first stays";
    }
}

TEST(JudgeNight, LeavesWhatPeopleSettledAlone) {
    for (const auto state : {AlertState::expected, AlertState::invalid}) {
        auto alert = noticed(nights(40, {110}));
        alert.state = state;
        auto one = nights(40, {110, 110.6, 109.5, 110.2}, {alert});
        one.can_confirm = false;
        const auto decision = judge_night(one, kNow);
        EXPECT_THAT(decision.noticed, IsEmpty());
        EXPECT_THAT(decision.changed, IsEmpty());
    }
}

TEST(JudgeNight, ComparesWithTheNewLevelOnceItIsKnown) {
    const std::vector<double> level = {110,   110.6, 109.5, 111, 109,   110.3, 109.4, 110,
                                       110.6, 109.5, 111,   109, 110.3, 109.4, 110,   110.6};
    EXPECT_THAT(judge_night(nights(40, level, {}, {sample_date(40)}), kNow).noticed, IsEmpty());
    auto worse = level;
    worse.push_back(121);
    EXPECT_THAT(judge_night(nights(40, worse, {}, {sample_date(40)}), kNow).noticed, SizeIs(1));
}

TEST(JudgeConfirmation, ConfirmsWhatIsOutOfLineAgain) {
    const auto one = nights(20, {110});
    const auto changed = judge_confirmation(noticed(one), one.history, {109, 111, 110}, 0.1, 100);
    EXPECT_EQ(changed.alert.state, AlertState::confirmed);
    EXPECT_EQ(changed.alert.details.at("confirmation").at("median_us"), 110.0);
    EXPECT_EQ(changed.alert.details.at("confirmation").at("launches"), 3);
}

TEST(JudgeConfirmation, DoesNotReproduceWhatIsUsualOrOnTheOtherSide) {
    const auto one = nights(20, {110});
    for (const double value : {100.5, 88.0}) {
        const auto changed = judge_confirmation(noticed(one), one.history, {value, value, value}, 0.1, 100);
        EXPECT_EQ(changed.alert.state, AlertState::not_reproduced) << value;
    }
}

TEST(JudgeConfirmation, OfNothingLeavesItSuspected) {
    const auto one = nights(20, {110});
    const auto changed = judge_confirmation(noticed(one), one.history, {}, 0.1, 100);
    EXPECT_EQ(changed.alert.state, AlertState::suspected);
    EXPECT_EQ(changed.action, "not measured again");
}

}  // namespace
}  // namespace foxbench::alerts
