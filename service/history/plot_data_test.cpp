#include "service/history/plot_data.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "service/history/sample_history.hpp"
#include "service/history/wording.hpp"

namespace foxbench::history {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::SizeIs;

TEST(PlotData, HasALevelBetweenSteps) {
    const auto history = sample_history();
    const auto data = plot_data(history, 5);
    ASSERT_THAT(data.levels, SizeIs(2));
    EXPECT_DOUBLE_EQ(data.levels[0].median_us, 40);
    EXPECT_DOUBLE_EQ(data.levels[1].median_us, 45);
    EXPECT_EQ(date_of(data.levels[0].to_day), "2026-08-19");
    EXPECT_EQ(date_of(data.levels[1].from_day), "2026-08-20");
    ASSERT_THAT(data.steps, SizeIs(1));
    EXPECT_DOUBLE_EQ(data.steps[0].day, (data.levels[0].to_day + data.levels[1].from_day) / 2);
}

TEST(PlotData, KnowsWhereNightsAreMissing) {
    const auto history = sample_history();
    const auto data = plot_data(history, 5);
    for (const auto& one : data.nights) EXPECT_EQ(one.after_gap, one.night->night == "2026-08-12") << one.night->night;
}

TEST(PlotData, HasAnAxisThatHoldsEveryUsedMedian) {
    const auto history = sample_history();
    const auto data = plot_data(history, 5);
    for (const auto& one : data.nights) {
        EXPECT_GT(one.night->median_us, data.cost.low);
        EXPECT_LT(one.night->median_us, data.cost.high);
    }
    EXPECT_THAT(data.cost.ticks, Each(Ge(data.cost.low)));
    EXPECT_THAT(data.cost.ticks, Each(Le(data.cost.high)));
    EXPECT_GE(data.cost.ticks.size(), 2u);
    EXPECT_LE(data.cost.ticks.size(), 6u);
}

TEST(PlotData, IsNotSqueezedByOneWildLaunchOrAnUnusedNight) {
    auto history = sample_history();
    history.nights[2].high_us = 1e6;
    history.nights[12].median_us = 1e6;
    ASSERT_FALSE(history.nights[12].used);
    EXPECT_LT(plot_data(history, 5).cost.high, 60);
}

TEST(PlotData, OfOneConstantHasAnAxisAroundIt) {
    SeriesHistory history;
    for (const double median : {0.0, 40.0, 1e9}) {
        history.nights = {sample_night(0, median)};
        history.nights[0].low_us = history.nights[0].high_us = std::nullopt;
        const auto data = plot_data(history, 5);
        EXPECT_LE(data.cost.low, median);
        EXPECT_GT(data.cost.high, median);
        EXPECT_FALSE(data.cost.ticks.empty());
    }
}

TEST(PlotAxis, LabelsAreInMillisecondsFromTenOfThemOn) {
    SeriesHistory history;
    history.nights = {sample_night(0, 16'000), sample_night(1, 16'500)};
    const auto axis = plot_data(history, 5).cost;
    EXPECT_STREQ(axis.unit_name, "ms");
    EXPECT_EQ(axis.label(16'200), axis.decimals == 1 ? "16.2" : "16.20");
}

TEST(DateTicks, AreAtMostAsManyAsAskedForOverAnySpan) {
    for (const double span : {0.0, 1.0, 6.0, 29.0, 364.0, 10'000.0, 3e6}) {
        const auto ticks = date_ticks(20'000, 20'000 + span, 8);
        EXPECT_FALSE(ticks.empty()) << span;
        EXPECT_LE(ticks.size(), 8u) << span;
        EXPECT_EQ(ticks.front(), 20'000);
    }
}

TEST(Wording, OfAStepWithoutShareIsInMicroseconds) {
    Step step;
    step.change.left_median = 0;
    step.change.right_median = 2.5;
    EXPECT_EQ(size_in_words(step), "+2.5 µs");
    EXPECT_EQ(size_of(step), std::nullopt);
    step.change.left_median = 2;
    EXPECT_EQ(size_in_words(step), "+25.0 %");
}

TEST(Wording, OfAKeyNamesTheHostAsPeopleDo) {
    auto key = sample_key();
    EXPECT_EQ(subject(key), "small-append, nightly on lab-1");
    EXPECT_EQ(work(key), "opfs-sync-write: calls=2000, bytes=4096");
    key.host_name.clear();
    EXPECT_EQ(subject(key), "small-append, nightly on 9f8e7d6c");
    key.parameters = {};
    EXPECT_EQ(work(key), "opfs-sync-write");
}

TEST(Wording, OfAnAcceptedStepSaysSo) {
    auto history = sample_history();
    history.steps.front().confirmed = true;
    const auto lines = summary_lines(history);
    const auto step = std::ranges::find(lines, "Step", &SummaryLine::name);
    ASSERT_NE(step, lines.end());
    EXPECT_THAT(step->text, HasSubstr("; accepted"));
}

}  // namespace
}  // namespace foxbench::history
