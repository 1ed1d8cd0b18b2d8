#include "service/stats/shift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "service/stats/rank_test.hpp"
#include "service/stats/testing/random_samples.hpp"

namespace foxbench::stats {
namespace {

using Values = std::vector<double>;
using testing::lognormal;

/// D_(place) of y - x, counted from 1.
double difference(const Values& x, const Values& y, std::size_t place) {
    Values all;
    for (const double from : x) {
        for (const double to : y) all.push_back(to - from);
    }
    std::sort(all.begin(), all.end());
    return all.at(place - 1);
}

void expect_interval(const Values& x, const Values& y, std::size_t low, std::size_t high) {
    const auto shift = hodges_lehmann(x, y);
    ASSERT_TRUE(shift.raw_interval) << x.size() << " against " << y.size();
    EXPECT_EQ(shift.raw_interval->low, difference(x, y, low));
    EXPECT_EQ(shift.raw_interval->high, difference(x, y, high));
}

// The example of rank_test_test.cpp; R gives 0.305 with -0.15 to 0.76 for the shift from the second to the first.
TEST(HodgesLehmann, AgreesWithAPublishedExample) {
    const Values term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, early{1.15, 0.88, 0.90, 0.74, 1.21};
    const auto shift = hodges_lehmann(early, term);
    EXPECT_NEAR(shift.raw.value(), 0.305, 1e-12);
    EXPECT_NEAR(shift.raw_interval.value().low, -0.15, 1e-12);
    EXPECT_NEAR(shift.raw_interval.value().high, 0.76, 1e-12);
}

TEST(HodgesLehmann, IsTheMedianOfAllDifferences) {
    // Differences 9, 19, 8, 18: the two in the middle are 9 and 18. Ratios 10, 20, 5, 10.
    const auto shift = hodges_lehmann(Values{1, 2}, Values{10, 20});
    EXPECT_EQ(shift.raw, 13.5);
    EXPECT_NEAR(shift.relative.value(), 9, 1e-12);
    EXPECT_EQ(shift.raw_interval, std::nullopt);
    EXPECT_EQ(shift.relative_interval, std::nullopt);
}

// One place beyond the published critical value of U on either side.
TEST(HodgesLehmann, LeavesOutAsManyDifferencesAsTheExactDistributionAllows) {
    std::mt19937_64 random(2);
    const auto values = [&](std::size_t count) { return lognormal(random, count, 100, 0.1); };
    expect_interval(values(4), values(4), 1, 16);
    expect_interval(values(5), values(5), 3, 23);
    expect_interval(values(5), values(8), 7, 34);
    expect_interval(values(2), values(8), 1, 16);
    expect_interval(values(10), values(10), 24, 77);
    expect_interval(values(20), values(20), 128, 273);
}

TEST(HodgesLehmann, ApproximatesLargeSamplesAndTies) {
    std::mt19937_64 random(3);
    // K = floor(220.5 - 1.96 sqrt(441 x 43 / 12) - 0.5) = floor(142.09).
    expect_interval(lognormal(random, 21, 100, 0.1), lognormal(random, 21, 100, 0.1), 143, 299);
    // K = floor(12.5 - 1.96 sqrt(25 x 11 / 12) - 0.5) = floor(2.6), as without ties.
    expect_interval(Values{1, 2, 3, 4, 5}, Values{5, 6, 7, 8, 9}, 3, 23);
    // K = floor(8 - 1.96 sqrt(16 x 9 / 12) - 0.5) = floor(0.7).
    expect_interval(Values{1, 1, 2, 3}, Values{5, 6, 7, 8}, 1, 16);
}

TEST(HodgesLehmann, HasNoIntervalForTooFewValues) {
    const Values three{1, 2, 3}, other_three{10, 20, 30}, tied_three{10, 10, 30};
    EXPECT_EQ(hodges_lehmann(three, other_three).raw_interval, std::nullopt);
    EXPECT_EQ(hodges_lehmann(three, tied_three).raw_interval, std::nullopt);
    EXPECT_EQ(hodges_lehmann(three, Values{10, 20, 30, 40}).relative_interval, std::nullopt);
    EXPECT_EQ(hodges_lehmann(Values{1, 2}, Values{3, 4, 5, 6, 7}).raw_interval, std::nullopt);
    EXPECT_EQ(hodges_lehmann(Values{1, 1}, Values{3, 4, 5, 6, 7}).raw_interval, std::nullopt);
    EXPECT_EQ(hodges_lehmann(Values{1}, Values{2}).raw_interval, std::nullopt);
    EXPECT_EQ(hodges_lehmann(Values{1}, Values{2}).raw, 1);
}

TEST(HodgesLehmann, OfNothingIsNothing) {
    for (const auto& shift : {hodges_lehmann(Values{}, Values{1}), hodges_lehmann(Values{1}, Values{}),
                              hodges_lehmann(Values{}, Values{})}) {
        EXPECT_EQ(shift.raw, std::nullopt);
        EXPECT_EQ(shift.relative, std::nullopt);
    }
}

TEST(HodgesLehmann, HasOnlyRawFiguresWhereAValueIsNotAboveZero) {
    for (const double value : {0.0, -1.0}) {
        const auto shift = hodges_lehmann(Values{value, 2, 3, 4}, Values{5, 6, 7, 8});
        EXPECT_EQ(shift.relative, std::nullopt);
        EXPECT_EQ(shift.relative_interval, std::nullopt);
        EXPECT_TRUE(shift.raw);
        EXPECT_TRUE(shift.raw_interval);
    }
}

TEST(HodgesLehmann, OfConstantsIsTheirDifference) {
    const auto shift = hodges_lehmann(Values(5, 100.0), Values(5, 110.0));
    EXPECT_EQ(shift.raw, 10);
    EXPECT_EQ(shift.raw_interval.value().low, 10);
    EXPECT_EQ(shift.raw_interval.value().high, 10);
    EXPECT_NEAR(shift.relative.value(), 0.1, 1e-12);
    const auto same = hodges_lehmann(Values(5, 100.0), Values(5, 100.0));
    EXPECT_EQ(same.relative, 0);
    EXPECT_EQ(same.relative_interval.value().low, 0);
    EXPECT_EQ(same.relative_interval.value().high, 0);
}

TEST(HodgesLehmann, ItsIdentitiesHold) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 200; ++round) {
        auto x = lognormal(random, 4 + random() % 20, 100, 0.1);
        auto y = lognormal(random, 4 + random() % 20, 105, 0.1);
        const auto shift = hodges_lehmann(x, y);
        EXPECT_TRUE(shift.raw_interval.value().contains(*shift.raw));
        EXPECT_TRUE(shift.relative_interval.value().contains(*shift.relative));

        // Swapped, the raw figures change their sign, the factors turn over.
        const auto swapped = hodges_lehmann(y, x);
        EXPECT_NEAR(*swapped.raw, -*shift.raw, 1e-12);
        EXPECT_EQ(swapped.raw_interval->low, -shift.raw_interval->high);
        EXPECT_NEAR((1 + *swapped.relative) * (1 + *shift.relative), 1, 1e-12);
        EXPECT_NEAR((1 + swapped.relative_interval->low) * (1 + shift.relative_interval->high), 1, 1e-12);

        // A whole sample that is longer by a factor is further away by that factor.
        Values scaled = y;
        for (double& value : scaled) value *= 2;
        EXPECT_NEAR(1 + *hodges_lehmann(x, scaled).relative, 2 * (1 + *shift.relative), 1e-12);

        std::shuffle(x.begin(), x.end(), random);
        std::shuffle(y.begin(), y.end(), random);
        EXPECT_EQ(hodges_lehmann(x, y).raw, shift.raw);
        EXPECT_EQ(hodges_lehmann(x, y).relative, shift.relative);
    }
}

TEST(HodgesLehmann, ItsIntervalExcludesZeroWhereTheTestIsSignificant) {
    std::mt19937_64 random(5);
    int significant = 0, rounds = 0;
    for (std::size_t m = 2; m <= kMaxExact; m += 3) {
        for (std::size_t n = 2; n <= kMaxExact; n += 3) {
            for (const double median : {100.0, 104.0, 108.0, 115.0}) {
                const auto x = lognormal(random, m, 100, 0.05), y = lognormal(random, n, median, 0.05);
                const auto test = mann_whitney(x, y);
                ASSERT_TRUE(test.exact);
                const auto shift = hodges_lehmann(x, y);
                EXPECT_EQ(shift.raw_interval && !shift.raw_interval->contains(0), test.p <= 0.05);
                EXPECT_EQ(shift.relative_interval && !shift.relative_interval->contains(0), test.p <= 0.05);
                EXPECT_EQ(shift.raw_interval.has_value(), smallest_p(m, n) <= 0.05);
                significant += test.p <= 0.05 ? 1 : 0;
                ++rounds;
            }
        }
    }
    EXPECT_GT(significant, rounds / 10);
    EXPECT_LT(significant, rounds * 9 / 10);
}

TEST(HodgesLehmann, LivesWithWhatIsNotANumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(hodges_lehmann(Values{1, 2, nan, 3}, Values{4, 5, 6, 7}).relative, std::nullopt);
    EXPECT_TRUE(hodges_lehmann(Values{1, 2, infinity, 3}, Values{4, infinity, 6, 7}).raw);
}

class Coverage : public ::testing::TestWithParam<std::size_t> {};

// The interval has to hold the true shift in 95 of 100 comparisons: more, where few values make it coarse.
TEST_P(Coverage, OfTheIntervalIsWhatItPromises) {
    constexpr int kComparisons = 3000;
    constexpr double kShift = 0.07;
    std::mt19937_64 random(GetParam());
    int held = 0;
    for (int i = 0; i < kComparisons; ++i) {
        const auto base = lognormal(random, GetParam(), 100, 0.05);
        const auto next = lognormal(random, GetParam(), 100 * (1 + kShift), 0.05);
        held += hodges_lehmann(base, next).relative_interval.value().contains(kShift) ? 1 : 0;
    }
    EXPECT_GE(held, kComparisons * 94 / 100);
    EXPECT_LE(held, kComparisons * 98 / 100);
}

INSTANTIATE_TEST_SUITE_P(Launches, Coverage, ::testing::Values(5, 10, 20));

}  // namespace
}  // namespace foxbench::stats
