#include "service/stats/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/stats/rank_test.hpp"
#include "service/stats/testing/random_samples.hpp"

namespace foxbench::stats {
namespace {

using ::testing::ElementsAre;
using testing::lognormal;
using Values = std::vector<double>;

SeriesVerdict compare(Values base, Values next, const ComparisonTerms& terms = {}) {
    return compare_series({std::move(base), {}}, {std::move(next), {}}, terms);
}

const Filter& filter_named(const SeriesVerdict& found, const std::string& name) {
    const auto at = std::find_if(found.filters.begin(), found.filters.end(),
                                 [&](const Filter& filter) { return filter.name == name; });
    if (at == found.filters.end()) throw std::out_of_range(name);
    return *at;
}

/// `count` values that lie between median x (1 - reach) and median x (1 + reach), evenly.
Values evenly(std::size_t count, double median, double reach) {
    Values values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(median * (1 - reach + 2 * reach * static_cast<double>(i) / static_cast<double>(count - 1)));
    return values;
}

TEST(CompareSeries, CallsAClearChangeByItsName) {
    const auto slower = compare(evenly(5, 100, 0.01), evenly(5, 110, 0.01));
    EXPECT_EQ(slower.verdict, Verdict::slower);
    EXPECT_NEAR(slower.shift.relative.value(), 0.1, 1e-3);
    EXPECT_EQ(slower.base_mean_us, 100);
    EXPECT_EQ(slower.next_mean_us, 110);
    EXPECT_EQ(slower.p, 2.0 / 252);
    EXPECT_EQ(slower.smallest_p, 2.0 / 252);
    EXPECT_EQ(slower.delta, 1);
    EXPECT_EQ(slower.launches_needed, std::nullopt);
    EXPECT_FALSE(slower.of_passes);
    EXPECT_EQ(slower.reason, "the interval excludes no change, and a change of 10.0 % is above the threshold of 3.0 %");

    const auto faster = compare(evenly(5, 110, 0.01), evenly(5, 100, 0.01));
    EXPECT_EQ(faster.verdict, Verdict::faster);
    EXPECT_EQ(faster.delta, -1);
    EXPECT_EQ(faster.p, slower.p);
}

TEST(CompareSeries, ShowsEveryConditionInTheOrderInWhichTheyDecide) {
    const auto found = compare(evenly(5, 100, 0.01), evenly(5, 110, 0.01), {20, 1000, {}});
    std::vector<std::string> names;
    for (const auto& filter : found.filters) names.push_back(filter.name);
    EXPECT_THAT(names, ElementsAre("more than one launch on a side", "smallest p that so many values can reach",
                                   "interval excludes no change", "change is above the threshold",
                                   "change is above what the clock shows", "interval lies within the threshold"));
    const auto& threshold = filter_named(found, "change is above the threshold");
    EXPECT_NEAR(threshold.value.value(), 10, 0.1);
    EXPECT_NEAR(threshold.threshold.value(), 3, 0.5);
    EXPECT_EQ(threshold.unit, "%");
    const auto& clock = filter_named(found, "change is above what the clock shows");
    EXPECT_NEAR(clock.value.value(), 10, 0.1);
    EXPECT_EQ(clock.threshold, 0.02);
    EXPECT_EQ(clock.unit, "µs");
    EXPECT_FALSE(filter_named(found, "interval lies within the threshold").passed);
    for (const auto& filter : found.filters) EXPECT_EQ(filter.passed, &filter != &found.filters.back()) << filter.name;
}

TEST(CompareSeries, IsTheSameWhereTheIntervalLiesWithinTheThreshold) {
    const auto found = compare(evenly(8, 100, 0.01), evenly(8, 100.5, 0.01));
    EXPECT_EQ(found.verdict, Verdict::same);
    EXPECT_EQ(found.reason, "the interval lies within ±3.0 %");
    EXPECT_TRUE(filter_named(found, "interval lies within the threshold").passed);
    EXPECT_FALSE(filter_named(found, "change is above the threshold").passed);
    EXPECT_EQ(found.launches_needed, std::nullopt);
}

// 2 % is sure but too small to be called a change.
TEST(CompareSeries, IsTheSameForAChangeThatIsSureButSmall) {
    const auto found = compare(evenly(8, 100, 0.002), evenly(8, 102, 0.002));
    EXPECT_TRUE(filter_named(found, "interval excludes no change").passed);
    EXPECT_EQ(found.verdict, Verdict::same);
}

TEST(CompareSeries, CannotTellWhereTheIntervalHoldsBoth) {
    const ComparisonTerms quiet{0, 1, AaSpread{0.005, 8}};
    const auto found = compare(evenly(5, 100, 0.05), evenly(5, 102, 0.05), quiet);
    EXPECT_EQ(found.verdict, Verdict::cannot_tell);
    EXPECT_FALSE(filter_named(found, "interval excludes no change").passed);
    EXPECT_THAT(found.reason, ::testing::HasSubstr("holds no change, and reaches beyond the threshold of 3.0 %"));
}

TEST(CompareSeries, CannotTellWhereTheChangeIsNearTheThreshold) {
    const ComparisonTerms noisy{0, 1, AaSpread{0.03, 8}};
    const auto found = compare(evenly(8, 100, 0.02), evenly(8, 105, 0.02), noisy);
    EXPECT_EQ(found.verdict, Verdict::cannot_tell);
    EXPECT_TRUE(filter_named(found, "interval excludes no change").passed);
    EXPECT_FALSE(filter_named(found, "change is above the threshold").passed);
    EXPECT_THAT(found.reason, ::testing::HasSubstr("is not above the threshold of 6.0 %"));
    // More launches would narrow an interval that is narrow enough already.
    EXPECT_LT(found.shift.relative_interval->high - found.shift.relative_interval->low, 2 * found.threshold);
    EXPECT_EQ(found.launches_needed, std::nullopt);
}

TEST(CompareSeries, CannotTellWhatTheClockDoesNotShow) {
    const auto base = evenly(5, 0.01, 0.01), next = evenly(5, 0.012, 0.01);
    EXPECT_EQ(compare(base, next, {1, 1000, {}}).verdict, Verdict::slower);
    const auto coarse = compare(base, next, {20, 1000, {}});
    EXPECT_EQ(coarse.verdict, Verdict::cannot_tell);
    EXPECT_EQ(coarse.reason, "a change of 0.002 µs is less than the clock shows");
    EXPECT_EQ(compare(base, next, {0.001, 0, {}}).verdict, Verdict::slower);  // no calls count as one
}

TEST(CompareSeries, CannotTellFromTooFewLaunches) {
    const auto three = compare({100, 101, 102}, {200, 201, 202});
    EXPECT_EQ(three.verdict, Verdict::cannot_tell);
    EXPECT_EQ(three.reason, "3 against 3 launches are too few");
    EXPECT_EQ(three.smallest_p, 0.1);
    EXPECT_EQ(three.launches_needed, kMinLaunches);
    EXPECT_EQ(three.detectable, std::nullopt);
    EXPECT_FALSE(filter_named(three, "smallest p that so many values can reach").passed);
    EXPECT_EQ(filter_named(three, "interval excludes no change").value, std::nullopt);
    EXPECT_EQ(compare({100, 101, 102, 103}, {200, 201, 202, 203}).verdict, Verdict::slower);
    EXPECT_EQ(compare({100, 101}, {200, 201, 202, 203, 204}).verdict, Verdict::cannot_tell);
    EXPECT_EQ(compare({100}, {200, 201, 202, 203, 204}).reason, "1 against 5 launches are too few");
}

TEST(CompareSeries, OfOneLaunchEachLooksAtPassesAndCannotTell) {
    const SideValues base{{101}, evenly(5, 100, 0.01)}, next{{202}, evenly(5, 200, 0.01)};
    const auto found = compare_series(base, next, {});
    EXPECT_EQ(found.verdict, Verdict::cannot_tell);
    EXPECT_TRUE(found.of_passes);
    EXPECT_EQ(found.base_mean_us, 100);
    EXPECT_EQ(found.next_mean_us, 200);
    EXPECT_TRUE(found.shift.relative_interval);
    EXPECT_EQ(found.reason, "one launch each does not show how launches differ");
    EXPECT_EQ(found.launches_needed, kMinLaunches);
    EXPECT_FALSE(found.filters.front().passed);

    const auto constants = compare_series({{100}, Values(5, 100.0)}, {{100}, Values(5, 100.0)}, {});
    EXPECT_EQ(constants.verdict, Verdict::cannot_tell);
    const auto no_passes = compare({101}, {202});
    EXPECT_EQ(no_passes.verdict, Verdict::cannot_tell);
    EXPECT_FALSE(no_passes.of_passes);
    EXPECT_EQ(no_passes.base_mean_us, 101);
}

TEST(CompareSeries, LooksAtPassesOnlyWhereBothSidesHaveOneLaunch) {
    const SideValues base{{101}, Values(20, 1.0)}, next{{99, 100, 101, 102, 103}, {}};
    const auto found = compare_series(base, next, {});
    EXPECT_FALSE(found.of_passes);
    EXPECT_EQ(found.base_mean_us, 101);
}

TEST(CompareSeries, OfNothingSaysSo) {
    EXPECT_EQ(compare({}, {1, 2}).reason, "the base has no values");
    EXPECT_EQ(compare({1, 2}, {}).reason, "the new side has no values");
    const auto found = compare({}, {});
    EXPECT_EQ(found.reason, "neither side has values");
    EXPECT_EQ(found.verdict, Verdict::cannot_tell);
    EXPECT_EQ(found.base_mean_us, std::nullopt);
    EXPECT_EQ(found.launches_needed, kMinLaunches);
    EXPECT_FALSE(found.filters.empty());
}

// sitespeed.io#4881: clean data were left out as having no variability.
TEST(CompareSeries, ConstantsAreComparedAsWell) {
    EXPECT_EQ(compare(Values(5, 100.0), Values(5, 100.0)).verdict, Verdict::same);
    EXPECT_EQ(compare(Values(5, 0.0), Values(5, 0.0)).verdict, Verdict::same);
    const auto few = compare(Values(2, 100.0), Values(2, 100.0));
    EXPECT_EQ(few.verdict, Verdict::same);
    EXPECT_EQ(few.reason, "every value of both sides is the same");
    EXPECT_TRUE(filter_named(few, "all values are one and the same").passed);

    EXPECT_EQ(compare(Values(5, 100.0), Values(5, 110.0)).verdict, Verdict::slower);
    EXPECT_EQ(compare(Values(4, 110.0), Values(4, 100.0)).verdict, Verdict::faster);
    EXPECT_EQ(compare(Values(2, 100.0), Values(8, 110.0)).verdict, Verdict::slower);  // p can be 0.044
    EXPECT_EQ(compare(Values(3, 100.0), Values(3, 110.0)).verdict, Verdict::cannot_tell);
    EXPECT_EQ(compare(Values(5, 100.0), Values(5, 102.0)).verdict, Verdict::same);  // within 3 %
    EXPECT_EQ(compare(Values(5, 100.0), Values(5, 110.0)).spread, 0);
}

TEST(CompareSeries, ComparesInMicrosecondsWhereAValueIsNotAboveZero) {
    const auto slower = compare({0, 1, 2, 3, 4}, {50, 51, 52, 53, 54});
    EXPECT_EQ(slower.verdict, Verdict::slower);
    EXPECT_EQ(slower.shift.relative, std::nullopt);
    EXPECT_EQ(slower.spread, std::nullopt);
    EXPECT_EQ(slower.threshold, kSmallestThreshold);
    EXPECT_EQ(filter_named(slower, "change is above the threshold").unit, "µs");
    EXPECT_NEAR(filter_named(slower, "change is above the threshold").threshold.value(), 0.03 * 2, 1e-12);
    EXPECT_EQ(slower.reason,
              "the interval excludes no change, and a change of 50.00 µs is above the threshold of 0.06 µs");
    // The half-width, 1 of the base's 2 µs at least, is far above 3 %.
    EXPECT_GT(slower.detectable.value(), 0.4);

    const auto from_zero = compare(Values(5, 0.0), {5, 6, 7, 8, 9});
    EXPECT_EQ(from_zero.verdict, Verdict::slower);
    EXPECT_EQ(from_zero.detectable, std::nullopt);  // of zero there is no fraction
    EXPECT_EQ(compare({5, 6, 7, 8, 9}, Values(5, 0.0)).verdict, Verdict::faster);
}

TEST(CompareSeries, TakesTheSpreadOfAaRunsWhereThereAreEnough) {
    const auto base = evenly(5, 100, 0.01), next = evenly(5, 110, 0.01);
    const auto few = compare(base, next, {0, 1, AaSpread{0.2, kMinAaLaunches - 1}});
    EXPECT_FALSE(few.spread_from_aa);
    EXPECT_NEAR(few.spread.value(), 0.0079, 1e-4);
    EXPECT_EQ(few.threshold, kSmallestThreshold);

    const auto enough = compare(base, next, {0, 1, AaSpread{0.2, kMinAaLaunches}});
    EXPECT_TRUE(enough.spread_from_aa);
    EXPECT_EQ(enough.spread, 0.2);
    EXPECT_EQ(enough.threshold, kSpreads * 0.2);
    EXPECT_EQ(enough.detectable, enough.threshold);
    EXPECT_EQ(enough.verdict, Verdict::same);
}

TEST(CompareSeries, PoolsTheSpreadOfBothSidesElse) {
    const auto found = compare(evenly(10, 100, 0.1), evenly(10, 150, 0.1));
    EXPECT_FALSE(found.spread_from_aa);
    EXPECT_NEAR(found.threshold, 2 * found.spread.value(), 1e-12);
    EXPECT_GT(found.threshold, kSmallestThreshold);
}

TEST(CompareSeries, NamesTheFewestLaunchesThatWouldDo) {
    std::mt19937_64 random(1);
    int named = 0;
    for (int round = 0; round < 200; ++round) {
        const std::size_t m = 5 + random() % 10, n = 5 + random() % 10;
        const ComparisonTerms terms{0, 1, AaSpread{0.01, 20}};
        const auto found = compare(lognormal(random, m, 100, 0.05), lognormal(random, n, 101, 0.05), terms);
        ASSERT_TRUE(found.detectable);
        const auto& interval = found.shift.relative_interval.value();
        const double half_width = (interval.high - interval.low) / 2;
        EXPECT_EQ(*found.detectable, std::max(half_width, found.threshold));
        if (found.verdict != Verdict::cannot_tell) {
            EXPECT_EQ(found.launches_needed, std::nullopt);
            continue;
        }
        if (!found.launches_needed) continue;
        ++named;
        const double now = 2 * static_cast<double>(m * n) / static_cast<double>(m + n);
        const auto with = [&](std::size_t launches) {
            return half_width * std::sqrt(now / static_cast<double>(launches));
        };
        EXPECT_LT(with(*found.launches_needed), found.threshold);
        EXPECT_TRUE(*found.launches_needed == kMinLaunches || with(*found.launches_needed - 1) >= found.threshold);
        EXPECT_GE(static_cast<double>(*found.launches_needed), now);
    }
    EXPECT_GT(named, 50);
}

// 10 v 10 from 3 % to 300 %: thousands of launches would narrow that to 3 %.
TEST(CompareSeries, NamesNoNumberOfLaunchesThatNobodyStarts) {
    std::mt19937_64 random(2);
    const auto found =
        compare(lognormal(random, 10, 100, 1), lognormal(random, 10, 100, 1), {0, 1, AaSpread{0.001, 20}});
    EXPECT_EQ(found.verdict, Verdict::cannot_tell);
    EXPECT_GT(found.detectable.value(), 0.5);
    EXPECT_EQ(found.launches_needed, std::nullopt);
}

TEST(CompareSeries, SwappingSidesTurnsTheVerdictOver) {
    std::mt19937_64 random(3);
    int changes = 0;
    for (int round = 0; round < 200; ++round) {
        const double step = round % 2 == 0 ? 1.12 : 1.0;
        const auto base = lognormal(random, 6, 100, 0.01), next = lognormal(random, 6, 100 * step, 0.01);
        const auto there = compare(base, next), back = compare(next, base);
        changes += there.verdict == Verdict::slower ? 1 : 0;
        EXPECT_EQ(there.verdict == Verdict::slower, back.verdict == Verdict::faster);
        EXPECT_EQ(there.verdict == Verdict::faster, back.verdict == Verdict::slower);
        EXPECT_EQ(there.p, back.p);
        EXPECT_EQ(there.delta, -back.delta);
    }
    EXPECT_GE(changes, 90);
}

// What the verdict says has to follow from what the conditions say.
TEST(CompareSeries, TheVerdictFollowsFromItsConditions) {
    std::mt19937_64 random(4);
    std::vector<int> seen(4, 0);
    for (int round = 0; round < 1000; ++round) {
        const double sd = 0.005 * std::pow(2.0, static_cast<double>(random() % 5));
        const double step = 1 + 0.02 * (static_cast<double>(random() % 15) - 7);
        const std::size_t m = 1 + random() % 12, n = 1 + random() % 12;
        const auto found = compare(lognormal(random, m, 100, sd), lognormal(random, n, 100 * step, sd), {20, 100, {}});
        const auto passed = [&](const char* name) { return filter_named(found, name).passed; };
        const bool may = passed("more than one launch on a side") && passed("smallest p that so many values can reach");
        const bool change = may && passed("interval excludes no change") && passed("change is above the threshold") &&
                            passed("change is above what the clock shows");
        EXPECT_EQ(found.verdict == Verdict::slower || found.verdict == Verdict::faster, change);
        if (change) {
            EXPECT_EQ(found.verdict == Verdict::slower, found.shift.relative.value() > 0);
        }
        EXPECT_EQ(found.verdict == Verdict::same, may && !change && passed("interval lies within the threshold"));
        EXPECT_FALSE(found.reason.empty());
        ++seen[static_cast<std::size_t>(found.verdict)];
    }
    for (const int count : seen) EXPECT_GT(count, 20);
}

TEST(CompareSeries, LivesWithWhatIsNotANumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(compare(Values{nan, 1, 2, 3, 4}, Values{5, 6, 7, 8, 9}).reason.empty());
    EXPECT_FALSE(compare(Values{infinity, 1, 2, 3, 4}, Values{5, 6, 7, 8, infinity}).reason.empty());
    EXPECT_FALSE(compare(Values(5, nan), Values(5, nan)).reason.empty());
}

TEST(Verdict, HasWords) {
    EXPECT_STREQ(to_string(Verdict::slower), "slower");
    EXPECT_STREQ(to_string(Verdict::faster), "faster");
    EXPECT_STREQ(to_string(Verdict::same), "same");
    EXPECT_STREQ(to_string(Verdict::cannot_tell), "cannot tell");
}

}  // namespace
}  // namespace foxbench::stats
