#include "service/stats/change_points.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/stats/spread.hpp"
#include "service/stats/testing/random_samples.hpp"

namespace foxbench::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::lognormal;
using Values = std::vector<double>;

/// So many values a level, one level after the other, with the spread `sd`.
struct Level {
    std::size_t count;
    double median;
};
Values series(std::uint64_t seed, const std::vector<Level>& levels, double sd = 0.01) {
    std::mt19937_64 random(seed);
    Values values;
    for (const auto& level : levels) {
        const auto part = lognormal(random, level.count, level.median, sd);
        values.insert(values.end(), part.begin(), part.end());
    }
    return values;
}

std::vector<std::size_t> indices(const std::vector<ChangePoint>& changes) {
    std::vector<std::size_t> all;
    for (const auto& change : changes) all.push_back(change.index);
    return all;
}

/// Where the plain computation puts the best split.
std::size_t best_tau(const Values& values, std::size_t min_segment) {
    std::size_t best = min_segment;
    for (std::size_t tau = min_segment; tau + min_segment <= values.size(); ++tau) {
        if (divergence(values, tau) > divergence(values, best)) best = tau;
    }
    return best;
}

// By hand. Across 2|4: |1-5| + |1-6| + |2-5| + |2-6| = 16 over 4 pairs, within 1 each: 2 x 2 / 4 x (8 - 1 - 1).
TEST(Divergence, IsTwiceTheDistanceAcrossLessThoseWithin) {
    EXPECT_DOUBLE_EQ(divergence(Values{1, 2, 5, 6}, 2), 6);
    // One value on the left has no pairs: 1 x 3 / 4 x (2 x 10/3 - 0 - 8/3).
    EXPECT_DOUBLE_EQ(divergence(Values{1, 2, 5, 6}, 1), 3);
    EXPECT_DOUBLE_EQ(divergence(Values{3, 7}, 1), 4);
}

TEST(Divergence, IsZeroWhereThereIsNothingToSplit) {
    EXPECT_EQ(divergence(Values{}, 0), 0);
    EXPECT_EQ(divergence(Values{1}, 1), 0);
    EXPECT_EQ(divergence(Values{1, 2}, 0), 0);
    EXPECT_EQ(divergence(Values{1, 2}, 2), 0);
    EXPECT_EQ(divergence(Values{4, 4, 4, 4}, 2), 0);
}

TEST(Divergence, IsTheSameFromBothEnds) {
    Values values = series(1, {{9, 100}, {7, 104}});
    Values reversed(values.rbegin(), values.rend());
    for (std::size_t tau = 1; tau < values.size(); ++tau)
        EXPECT_NEAR(divergence(values, tau), divergence(reversed, values.size() - tau), 1e-9);
}

TEST(ChangePoints, FindsAStepWithItsFigures) {
    const auto values = series(2, {{40, 100}, {20, 105}});
    const auto changes = change_points(values, {});
    ASSERT_THAT(indices(changes), ElementsAre(40));
    const auto& change = changes.front();
    EXPECT_EQ(change.left_median, median(Values(values.begin(), values.begin() + 40)));
    EXPECT_EQ(change.right_median, median(Values(values.begin() + 40, values.end())));
    EXPECT_LE(change.p, 0.002);
    EXPECT_NEAR(change.shift.relative.value(), 0.05, 0.01);
    EXPECT_TRUE(change.shift.relative_interval.value().contains(0.05));
}

// The smallest p that 999 shuffles can give is that of a split which none of them reaches.
TEST(ChangePoints, GivesThePOfItsShuffles) {
    const auto values = series(3, {{30, 100}, {30, 150}});
    EXPECT_EQ(change_points(values, {}).at(0).p, 1.0 / 1000);
    ChangePointOptions few;
    few.shuffles = 99;
    EXPECT_THAT(change_points(values, few), IsEmpty());  // 1/100 is not significant
    few.significance = 0.01;
    EXPECT_EQ(change_points(values, few).at(0).p, 1.0 / 100);
}

TEST(ChangePoints, SplitsWherePlainDivergenceIsLargest) {
    int found = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::size_t left = 12 + seed % 20, right = 4 + seed % 13;
        const auto values = series(seed, {{left, 100}, {right, 104}}, 0.015);
        const auto changes = change_points(values, {});
        if (changes.size() != 1) continue;
        ++found;
        EXPECT_EQ(changes.front().index, best_tau(values, 3)) << "seed " << seed;
    }
    EXPECT_GT(found, 50);
}

TEST(ChangePoints, FindsSeveralInTheOrderOfTime) {
    EXPECT_THAT(indices(change_points(series(4, {{20, 100}, {20, 110}, {20, 95}}), {})), ElementsAre(20, 40));
    EXPECT_THAT(indices(change_points(series(5, {{15, 100}, {15, 120}, {15, 140}, {15, 160}}), {})),
                ElementsAre(15, 30, 45));
}

TEST(ChangePoints, FindsImprovementsToo) {
    const auto changes = change_points(series(6, {{30, 100}, {15, 90}}), {});
    ASSERT_THAT(indices(changes), ElementsAre(30));
    EXPECT_LT(changes.front().shift.relative.value(), 0);
}

TEST(ChangePoints, IsSilentWithoutAny) {
    int with_changes = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed)
        with_changes += change_points(series(seed, {{60, 100}}, 0.02), {}).empty() ? 0 : 1;
    EXPECT_LE(with_changes, 3);  // 0.6 are expected
}

TEST(ChangePoints, GivesTheSameAnswerToTheSameQuestion) {
    const auto values = series(7, {{30, 100}, {8, 102}}, 0.01);
    for (const std::uint64_t seed : {std::uint64_t{0}, seed_of("lab-3/firefox/small-append"), ~std::uint64_t{0}}) {
        ChangePointOptions options;
        options.seed = seed;
        const auto first = change_points(values, options), second = change_points(values, options);
        ASSERT_EQ(indices(first), indices(second));
        for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].p, second[i].p);
    }
}

// A power of two changes no digit of a value, so that every shuffle compares as before.
TEST(ChangePoints, DoesNotDependOnTheUnit) {
    const auto us = series(8, {{30, 128}, {6, 134}}, 0.01);
    Values larger = us;
    for (double& value : larger) value *= 1024;
    const auto small = change_points(us, {}), large = change_points(larger, {});
    ASSERT_THAT(indices(small), ElementsAre(30));
    ASSERT_THAT(indices(large), ElementsAre(30));
    EXPECT_EQ(small.front().p, large.front().p);
}

TEST(ChangePoints, ThreeNewNightsNeedAboutThirtyOldOnes) {
    EXPECT_THAT(indices(change_points(series(9, {{40, 100}, {3, 120}}), {})), ElementsAre(40));
    EXPECT_THAT(change_points(series(9, {{12, 100}, {3, 120}}), {}), IsEmpty());
}

TEST(ChangePoints, HasNoSegmentBelowTheSmallest) {
    ChangePointOptions options;
    options.significance = 1;  // splits whatever can be split
    options.merge_below = 0;
    options.min_segment = 4;
    std::size_t last = 0;
    const auto values = series(10, {{30, 100}}, 0.05);
    const auto changes = change_points(values, options);
    ASSERT_FALSE(changes.empty());
    for (const auto& change : changes) {
        EXPECT_GE(change.index - last, 4u);
        last = change.index;
    }
    EXPECT_GE(values.size() - last, 4u);
    options.min_segment = 0;  // means 1
    EXPECT_THAT(indices(change_points(Values{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 9}, options)), ElementsAre(11));
}

TEST(ChangePoints, NeedsEnoughValues) {
    EXPECT_THAT(change_points(Values{}, {}), IsEmpty());
    EXPECT_THAT(change_points(Values{1}, {}), IsEmpty());
    EXPECT_THAT(change_points(Values{1, 2, 3}, {}), IsEmpty());
    ChangePointOptions options;
    options.significance = 0.01;  // so few values have few orders: 462 for six and six
    Values eleven = {1, 1, 1, 1, 1, 1, 9, 9, 9, 9, 9};
    EXPECT_THAT(change_points(eleven, options), IsEmpty());
    eleven.push_back(9);
    EXPECT_THAT(indices(change_points(eleven, options)), ElementsAre(6));
    options.min_values = 0;
    EXPECT_THAT(change_points(Values{}, options), IsEmpty());
    EXPECT_THAT(change_points(Values{1, 2}, options), IsEmpty());
}

TEST(ChangePoints, OfConstantsAreNoneUnlessTheyDiffer) {
    EXPECT_THAT(change_points(Values(60, 0.1), {}), IsEmpty());
    EXPECT_THAT(change_points(Values(60, 0.0), {}), IsEmpty());
    Values step(40, 0.1);
    step.resize(60, 0.2);
    EXPECT_THAT(indices(change_points(step, {})), ElementsAre(40));
    Values from_zero(40, 0.0);
    from_zero.resize(60, 5.0);
    const auto changes = change_points(from_zero, {});
    ASSERT_THAT(indices(changes), ElementsAre(40));
    EXPECT_EQ(changes.front().shift.relative, std::nullopt);
    EXPECT_EQ(changes.front().shift.raw, 5);
}

TEST(ChangePoints, MergesSegmentsThatHardlyDiffer) {
    Values step(30, 100.0);
    step.resize(60, 101.9);
    EXPECT_THAT(change_points(step, {}), IsEmpty());
    ChangePointOptions finer;
    finer.merge_below = 0.01;
    EXPECT_THAT(indices(change_points(step, finer)), ElementsAre(30));
}

// 100, 101.5, 106: the first two are one once they are merged, and the boundary between them and the third stays.
TEST(ChangePoints, MergesTheSmallestDifferenceFirst) {
    Values steps(20, 100.0);
    steps.resize(40, 101.5);
    steps.resize(60, 106.0);
    ChangePointOptions all;
    all.merge_below = 0;
    ASSERT_THAT(indices(change_points(steps, all)), ElementsAre(20, 40));
    const auto merged = change_points(steps, {});
    ASSERT_THAT(indices(merged), ElementsAre(40));
    EXPECT_EQ(merged.front().left_median, 100.75);
    // What is left of a staircase of small steps is what they add up to.
    Values staircase(20, 100.0);
    staircase.resize(40, 101.4);
    staircase.resize(60, 102.9);
    EXPECT_THAT(indices(change_points(staircase, {})), ElementsAre(40));
}

TEST(ChangePoints, LivesWithWhatIsNotANumber) {
    auto values = series(11, {{20, 100}, {20, 110}});
    values[5] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(change_points(values, {}), IsEmpty());
    values[5] = std::numeric_limits<double>::infinity();
    (void)change_points(values, {});
}

TEST(SeedOf, IsTheSameEverywhere) {
    // Published test vectors of FNV-1a with 64 bits.
    EXPECT_EQ(seed_of(""), 0xcbf29ce484222325u);
    EXPECT_EQ(seed_of("a"), 0xaf63dc4c8601ec8cu);
    EXPECT_EQ(seed_of("foobar"), 0x85944171f73967e8u);
}

}  // namespace
}  // namespace foxbench::stats
