#include "service/stats/summary.hpp"

#include <numeric>

#include <gtest/gtest.h>

namespace foxbench::stats {
namespace {

using document::Pass;
using document::Series;

Pass pass_of(double total_ms, std::vector<double> latencies_us) {
    Pass pass;
    pass.total_ms = total_ms;
    pass.latencies_us = std::move(latencies_us);
    return pass;
}

TEST(Percentile, IsTheElementAtTheCeilingOfItsShare) {
    std::vector<double> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 1.0);
    EXPECT_EQ(percentile(hundred, 50), 50);
    EXPECT_EQ(percentile(hundred, 90), 90);
    EXPECT_EQ(percentile(hundred, 99), 99);

    const std::vector<double> eight{1, 2, 3, 4, 5, 6, 7, 8};
    EXPECT_EQ(percentile(eight, 50), 4);  // ceil(4.0) - 1
    EXPECT_EQ(percentile(eight, 90), 8);  // ceil(7.2) - 1
    EXPECT_EQ(percentile(eight, 100), 8);
    EXPECT_EQ(percentile(std::vector<double>{7}, 1), 7);
}

// 0.07 x 100 is 7.000000000000001 in binary, whose ceiling is 8.
TEST(Percentile, IsNotThrownOffByBinaryFractions) {
    std::vector<double> hundred(100);
    std::iota(hundred.begin(), hundred.end(), 1.0);
    for (int percent = 1; percent <= 100; ++percent) EXPECT_EQ(percentile(hundred, percent), percent);
}

TEST(Percentile, OfNothingIsNothing) {
    EXPECT_EQ(percentile({}, 50), std::nullopt);
}

TEST(MedianPass, IsTheLowerOfTheTwoInTheMiddle) {
    EXPECT_EQ(median_pass(std::vector<double>{30, 10, 20}), 2u);
    EXPECT_EQ(median_pass(std::vector<double>{40, 10, 30, 20}), 3u);
    EXPECT_EQ(median_pass(std::vector<double>{5}), 0u);
    EXPECT_EQ(median_pass({}), std::nullopt);
}

TEST(MedianPass, TakesTheEarlierOfEqualTotals) {
    EXPECT_EQ(median_pass(std::vector<double>{1, 2, 2, 2}), 1u);
}

TEST(Summarise, GivesTheMedianPassAndTheExtremesOfAll) {
    Series series;
    series.bytes_total = 4'000'000;
    series.passes = {pass_of(8, {3000, 2000, 3000}), pass_of(4, {500, 2500, 1000, 0}), pass_of(2, {2000})};
    series.warmup = pass_of(1000, {1e6});

    const auto figures = summarise(series);

    EXPECT_EQ(figures.passes, 3u);
    EXPECT_EQ(figures.summary.calls, 4);
    EXPECT_EQ(figures.summary.total_ms, 4);
    EXPECT_EQ(figures.summary.total_min_ms, 2);
    EXPECT_EQ(figures.summary.total_max_ms, 8);
    EXPECT_EQ(figures.mean_us, 1000);
    EXPECT_EQ(figures.mean_min_us, 1000);
    EXPECT_DOUBLE_EQ(figures.mean_max_us.value(), 8000.0 / 3);
    EXPECT_EQ(figures.summary.ops_per_s, 1000);
    EXPECT_EQ(figures.summary.mb_per_s, 1000);
    EXPECT_EQ(figures.summary.p50_us, 500);
    EXPECT_EQ(figures.summary.p99_us, 2500);
    EXPECT_EQ(figures.summary.max_us, 2500);
    EXPECT_EQ(figures.summary.first_us, 500);
    EXPECT_EQ(figures.summary.first_min_us, 500);
    EXPECT_EQ(figures.summary.first_max_us, 3000);
}

TEST(Summarise, TakesThePassesOfAllLaunchesTogether) {
    Series first, second;
    first.passes = {pass_of(9, {9000}), pass_of(1, {1000})};
    second.passes = {pass_of(5, {5000})};
    const Series* const launches[] = {&first, &second};

    const auto figures = summarise(launches);

    EXPECT_EQ(figures.passes, 3u);
    EXPECT_EQ(figures.summary.total_ms, 5);
    EXPECT_EQ(figures.summary.total_max_ms, 9);
}

// hyperfine#642: a mean of zero, and nothing that can be divided by.
TEST(Summarise, NeverDividesByZero) {
    Series series;
    series.bytes_total = 10;
    series.passes = {pass_of(0, {0, 0})};
    auto figures = summarise(series);
    EXPECT_EQ(figures.mean_us, 0);
    EXPECT_EQ(figures.summary.ops_per_s, std::nullopt);
    EXPECT_EQ(figures.summary.mb_per_s, std::nullopt);

    series.passes = {pass_of(3, {})};
    figures = summarise(series);
    EXPECT_EQ(figures.summary.calls, 0);
    EXPECT_EQ(figures.mean_us, std::nullopt);
    EXPECT_EQ(figures.summary.p50_us, std::nullopt);
    EXPECT_EQ(figures.summary.first_us, std::nullopt);
}

TEST(Summarise, HasNoThroughputWhereNoBytesAreWritten) {
    Series series;
    series.passes = {pass_of(1, {1000})};
    EXPECT_EQ(summarise(series).summary.mb_per_s, std::nullopt);
}

TEST(Summarise, StandsOnSummariesWhereSamplesAreGone) {
    Series series;
    auto& kept = series.summary.emplace();
    kept.calls = 10;
    kept.total_ms = 4;
    kept.p50_us = 390;

    auto figures = summarise(series);
    EXPECT_EQ(figures.passes, 0u);
    EXPECT_EQ(figures.mean_us, 400);
    EXPECT_EQ(figures.summary.p50_us, 390);
    EXPECT_EQ(figures.summary.p90_us, std::nullopt);

    kept.extra = document::Json{{"mean_us", 401.5}};  // as an imported report printed it
    EXPECT_EQ(summarise(series).mean_us, 401.5);
}

TEST(Summarise, OfASummaryIsThatSummary) {
    Series measured;
    measured.bytes_total = 100;
    measured.passes = {pass_of(4, {1000, 3000}), pass_of(5, {2000, 3000}), pass_of(6, {4000, 2000})};
    Series kept;
    kept.summary = summarise(measured).summary;

    const auto before = summarise(measured), after = summarise(kept);

    EXPECT_EQ(after.mean_us, before.mean_us);
    EXPECT_EQ(after.mean_max_us, before.mean_max_us);
    EXPECT_EQ(after.summary.p99_us, before.summary.p99_us);
    EXPECT_EQ(after.summary.first_max_us, before.summary.first_max_us);
}

TEST(Summarise, OfNothingHasNoFigures) {
    const auto figures = summarise(Series{});
    EXPECT_EQ(figures.mean_us, std::nullopt);
    EXPECT_EQ(figures.summary.calls, std::nullopt);
}

}  // namespace
}  // namespace foxbench::stats
