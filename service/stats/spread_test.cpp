#include "service/stats/spread.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "service/stats/wording.hpp"

namespace foxbench::stats {
namespace {

using Values = std::vector<double>;

TEST(Median, IsInTheMiddleOfAnyOrder) {
    EXPECT_EQ(median(Values{}), 0);
    EXPECT_EQ(median(Values{7}), 7);
    EXPECT_EQ(median(Values{3, 1}), 2);
    EXPECT_EQ(median(Values{9, 1, 5}), 5);
    EXPECT_EQ(median(Values{4, 1, 3, 2}), 2.5);
}

TEST(Median, LivesWithWhatIsNotANumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(median(Values{nan, 2, 1}), 2);
    EXPECT_TRUE(std::isnan(median(Values{nan})));
}

TEST(LogSd, IsThatOfLogarithms) {
    // Logarithms -1, 0, 1: squares 2, over n - 1 = 2.
    const Values values{std::exp(-1), 1, std::exp(1)};
    EXPECT_NEAR(log_sd(values), 1, 1e-12);
    EXPECT_EQ(log_sd(Values{5}), 0);
    EXPECT_EQ(log_sd(Values{}), 0);
}

TEST(LogSd, DoesNotChangeWithTheUnit) {
    const Values us{101, 99, 104, 97}, ms{0.101, 0.099, 0.104, 0.097};
    EXPECT_NEAR(log_sd(us), log_sd(ms), 1e-12);
}

TEST(PooledLogSd, TakesEachSampleAboutItsOwnMean) {
    const Values x{std::exp(-1), 1, std::exp(1)}, far{std::exp(9), std::exp(10), std::exp(11)};
    EXPECT_NEAR(pooled_log_sd(x, far).value(), 1, 1e-12);
    // Squares 2 and 0.5 over 2 + 1 degrees of freedom.
    EXPECT_NEAR(pooled_log_sd(x, Values{std::exp(4), std::exp(5)}).value(), std::sqrt(2.5 / 3), 1e-12);
}

TEST(PooledLogSd, IsNotThereWithoutTwoValuesOrWithoutLogarithms) {
    EXPECT_EQ(pooled_log_sd(Values{1}, Values{2}), std::nullopt);
    EXPECT_EQ(pooled_log_sd(Values{}, Values{}), std::nullopt);
    EXPECT_EQ(pooled_log_sd(Values{1, 0}, Values{2, 3}), std::nullopt);
    EXPECT_EQ(pooled_log_sd(Values{1, 2}, Values{-2, 3}), std::nullopt);
    EXPECT_NEAR(pooled_log_sd(Values{7}, Values{1, std::exp(2)}).value(), std::sqrt(2), 1e-12);
}

TEST(ScaledMad, EstimatesAStandardDeviation) {
    EXPECT_NEAR(scaled_mad(Values{1, 2, 3, 4, 100}), 1.4826, 1e-12);
    EXPECT_EQ(scaled_mad(Values{5, 5, 5}), 0);
    EXPECT_EQ(scaled_mad(Values{}), 0);
}

TEST(Wording, WritesPercentAndDecimals) {
    EXPECT_EQ(percent(0.0523), "5.2 %");
    EXPECT_EQ(percent(-0.5), "-50.0 %");
    EXPECT_EQ(percent(-0.0001), "0.0 %");
    EXPECT_EQ(decimal(1234.5678, 2), "1234.57");
    EXPECT_EQ(decimal(std::numeric_limits<double>::max(), 3).size(), 313u);
}

}  // namespace
}  // namespace foxbench::stats
