#include "service/stats/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace foxbench::stats {
namespace {

using Values = std::vector<double>;

/// Calls `see` with each way of giving m of the ranks 1..m+n to x and the others to y.
template <typename See>
void for_each_arrangement(std::size_t m, std::size_t n, See see) {
    std::vector<bool> of_x(m + n, false);
    std::fill(of_x.begin(), of_x.begin() + static_cast<std::ptrdiff_t>(m), true);
    do {
        Values x, y;
        for (std::size_t i = 0; i < m + n; ++i) (of_x[i] ? x : y).push_back(static_cast<double>(i + 1));
        see(x, y);
    } while (std::prev_permutation(of_x.begin(), of_x.end()));
}

/// U by looking at each pair.
std::size_t counted_u(const Values& x, const Values& y) {
    std::size_t pairs = 0;
    for (const double a : x) {
        for (const double b : y) pairs += a > b ? 1 : 0;
    }
    return pairs;
}

Values whole_numbers(std::mt19937_64& random, std::size_t count, int below) {
    Values values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<double>(random() % static_cast<unsigned>(below)));
    return values;
}

TEST(UDistribution, IsThatOfEveryArrangement) {
    for (std::size_t m = 1; m <= 6; ++m) {
        for (std::size_t n = 1; n <= 6; ++n) {
            Values counted(m * n + 1, 0.0);
            double arrangements = 0;
            for_each_arrangement(m, n, [&](const Values& x, const Values& y) {
                ++counted[counted_u(x, y)];
                ++arrangements;
            });
            const auto distribution = u_distribution(m, n);
            ASSERT_EQ(distribution.size(), counted.size());
            for (std::size_t u = 0; u < counted.size(); ++u)
                EXPECT_DOUBLE_EQ(distribution[u], counted[u] / arrangements) << m << " against " << n << ", U = " << u;
        }
    }
}

TEST(UDistribution, IsSymmetricAndAddsUpToOne) {
    for (const auto& [m, n] : {std::pair{kMaxExact, kMaxExact}, std::pair<std::size_t, std::size_t>{7, 19}}) {
        const auto distribution = u_distribution(m, n);
        EXPECT_NEAR(std::accumulate(distribution.begin(), distribution.end(), 0.0), 1, 1e-12);
        for (std::size_t u = 0; u < distribution.size(); ++u)
            EXPECT_EQ(distribution[u], distribution[distribution.size() - 1 - u]);
        EXPECT_EQ(distribution, u_distribution(n, m));
    }
}

// The largest U that is significant at 0.05 on both sides, as every printed table of the test has it.
TEST(UDistribution, HasThePublishedCriticalValues) {
    struct Row {
        std::size_t m, n, critical;
    };
    for (const auto& row : std::vector<Row>{{4, 4, 0},
                                            {5, 5, 2},
                                            {6, 6, 5},
                                            {5, 8, 6},
                                            {3, 5, 0},
                                            {8, 8, 13},
                                            {9, 9, 17},
                                            {10, 10, 23},
                                            {20, 20, 127}}) {
        const auto distribution = u_distribution(row.m, row.n);
        const auto up_to = [&](std::size_t u) {
            return std::accumulate(distribution.begin(), distribution.begin() + static_cast<std::ptrdiff_t>(u) + 1,
                                   0.0);
        };
        EXPECT_LE(2 * up_to(row.critical), 0.05) << row.m << " against " << row.n;
        EXPECT_GT(2 * up_to(row.critical + 1), 0.05) << row.m << " against " << row.n;
    }
}

TEST(MannWhitney, GivesTheShareOfArrangementsThatAreAsExtreme) {
    constexpr std::size_t m = 4, n = 5;
    std::vector<std::size_t> all;
    for_each_arrangement(m, n, [&](const Values& x, const Values& y) { all.push_back(counted_u(x, y)); });
    for_each_arrangement(m, n, [&](const Values& x, const Values& y) {
        const auto test = mann_whitney(x, y);
        const auto u = counted_u(x, y);
        EXPECT_EQ(test.u1, static_cast<double>(u));
        EXPECT_TRUE(test.exact);
        const auto smaller = std::min(u, m * n - u);
        const auto as_extreme =
            std::count_if(all.begin(), all.end(), [&](std::size_t other) { return other <= smaller; });
        const double share = 2 * static_cast<double>(as_extreme) / static_cast<double>(all.size());
        EXPECT_NEAR(test.p, std::min(1.0, share), 1e-12);
    });
}

// M. Hollander and D. A. Wolfe, "Nonparametric Statistical Methods", 1973, p. 69: permeability of membranes. R
// documents W = 35 and p = 0.2544 for it.
TEST(MannWhitney, AgreesWithAPublishedExample) {
    const Values term{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, early{1.15, 0.88, 0.90, 0.74, 1.21};
    const auto test = mann_whitney(term, early);
    EXPECT_EQ(test.u1, 35);
    EXPECT_EQ(test.u2, 15);
    EXPECT_NEAR(test.p, 0.2544, 5e-5);
}

// By hand: U1 = 2.5, the ties are three twos and two threes (24 + 6 = 30), sigma^2 = 16/12 (9 - 30/56), z = 5/sigma.
TEST(MannWhitney, CorrectsForTies) {
    const auto test = mann_whitney(Values{1, 2, 2, 3}, Values{2, 3, 4, 5});
    EXPECT_EQ(test.u1, 2.5);
    EXPECT_FALSE(test.exact);
    EXPECT_NEAR(test.p, std::erfc(5 / std::sqrt(16.0 / 12 * (9 - 30.0 / 56)) / std::sqrt(2.0)), 1e-12);
    EXPECT_NEAR(test.p, 0.13665824773814753, 1e-12);
}

TEST(MannWhitney, IsExactUpToItsLimitOnly) {
    Values x(kMaxExact), y(kMaxExact + 1);
    std::iota(x.begin(), x.end(), 0.25);
    std::iota(y.begin(), y.end(), 0.5);
    EXPECT_FALSE(mann_whitney(x, y).exact);
    y.pop_back();
    EXPECT_TRUE(mann_whitney(x, y).exact);
}

TEST(MannWhitney, ItsIdentitiesHold) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::size_t m = 1 + random() % 30, n = 1 + random() % 30;
        const int below = round % 2 == 0 ? 12 : 1'000'000;  // with ties, and with hardly any
        const auto x = whole_numbers(random, m, below), y = whole_numbers(random, n, below);

        const auto test = mann_whitney(x, y), swapped = mann_whitney(y, x);
        EXPECT_EQ(test.u1 + test.u2, static_cast<double>(m * n));
        EXPECT_EQ(swapped.u1, test.u2);
        EXPECT_EQ(swapped.u2, test.u1);
        EXPECT_EQ(swapped.p, test.p);
        EXPECT_EQ(swapped.exact, test.exact);
        EXPECT_GE(test.p, 0);
        EXPECT_LE(test.p, 1);
        // Cliff's delta is U in other clothes.
        EXPECT_NEAR(cliffs_delta(x, y), 1 - 2 * test.u1 / static_cast<double>(m * n), 1e-12);
        EXPECT_EQ(cliffs_delta(y, x), -cliffs_delta(x, y));

        const auto cubed = [](Values values) {
            for (double& value : values) value = value * value * value - 5;
            return values;
        };
        EXPECT_EQ(mann_whitney(cubed(x), cubed(y)).p, test.p);
        if (test.exact) {
            EXPECT_GE(test.p, smallest_p(m, n) * (1 - 1e-12));
        }
    }
}

TEST(MannWhitney, OfNothingOrOfConstantsIsOne) {
    EXPECT_EQ(mann_whitney(Values{}, Values{1, 2}).p, 1);
    EXPECT_EQ(mann_whitney(Values{1, 2}, Values{}).p, 1);
    EXPECT_EQ(mann_whitney(Values{}, Values{}).p, 1);
    EXPECT_EQ(mann_whitney(Values{3}, Values{3}).p, 1);
    const auto constants = mann_whitney(Values(9, 3.0), Values(9, 3.0));
    EXPECT_EQ(constants.p, 1);
    EXPECT_EQ(constants.u1, constants.u2);
}

TEST(MannWhitney, OfConstantsThatDifferIsSmall) {
    EXPECT_NEAR(mann_whitney(Values(5, 1.0), Values(5, 2.0)).p, 0.003976751709788652, 1e-12);
}

TEST(MannWhitney, LivesWithWhatIsNotANumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(mann_whitney(Values{1, nan, 2, 3}, Values{5, 6, 7, 8}).p, 1);
    EXPECT_EQ(mann_whitney(Values{1, 2, 3, infinity}, Values{-infinity, -1, -2, -3}).u2, 0);
}

TEST(SmallestP, IsThatOfSamplesWithoutOverlap) {
    EXPECT_EQ(smallest_p(3, 3), 0.1);
    EXPECT_EQ(smallest_p(4, 4), 2.0 / 70);
    EXPECT_EQ(smallest_p(4, 3), 2.0 / 35);
    EXPECT_EQ(smallest_p(1, 39), 0.05);
    EXPECT_EQ(smallest_p(1, 1), 1);
    EXPECT_EQ(smallest_p(0, 8), 1);
    EXPECT_EQ(smallest_p(0, 0), 1);
    for (std::size_t m = 1; m <= kMaxExact; ++m) {
        Values x(m), y(kMaxExact);
        std::iota(x.begin(), x.end(), 0.0);
        std::iota(y.begin(), y.end(), 100.0);
        EXPECT_NEAR(mann_whitney(x, y).p / smallest_p(m, kMaxExact), 1, 1e-12);
    }
    EXPECT_LT(smallest_p(200, 200), 1e-100);
    EXPECT_EQ(smallest_p(5000, 5000), 0);
}

TEST(CliffsDelta, IsTheShareOfLargerLessThatOfSmaller) {
    EXPECT_EQ(cliffs_delta(Values{1, 2}, Values{3, 4}), 1);
    EXPECT_EQ(cliffs_delta(Values{3, 4}, Values{1, 2}), -1);
    EXPECT_EQ(cliffs_delta(Values{1, 2, 3}, Values{2}), 0);
    EXPECT_EQ(cliffs_delta(Values{1, 2}, Values{2, 2}), 0.5);
    EXPECT_EQ(cliffs_delta(Values{}, Values{2}), 0);
}

TEST(CliffsDelta, HasBands) {
    EXPECT_STREQ(band_of(0), "negligible");
    EXPECT_STREQ(band_of(-0.146), "negligible");
    EXPECT_STREQ(band_of(0.147), "small");
    EXPECT_STREQ(band_of(-0.33), "medium");
    EXPECT_STREQ(band_of(0.474), "large");
    EXPECT_STREQ(band_of(-1), "large");
}

}  // namespace
}  // namespace foxbench::stats
