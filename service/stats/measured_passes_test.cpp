#include "service/stats/measured_passes.hpp"

#include <gtest/gtest.h>

#include "service/stats/summary.hpp"

namespace foxbench::stats {
namespace {

using document::Json;
using document::Series;

/// A series as retention leaves it, with `passes` in its summary.
Series pruned(Json passes) {
    Series series;
    series.summary.emplace().extra = Json{{"passes", std::move(passes)}};
    return series;
}

Json kept_pass(double total_ms, std::int64_t calls) {
    return {{"total_ms", total_ms}, {"calls", calls}, {"p50_us", 2},  {"p90_us", 3},
            {"p99_us", 4},          {"max_us", 5},    {"first_us", 1}};
}

TEST(MeasuredPasses, AreThoseWithSamplesInOrder) {
    Series series;
    series.warmup.emplace().latencies_us = {9};
    series.passes.resize(2);
    series.passes[0].total_ms = 7;
    series.passes[0].latencies_us = {5, 1, 3};
    series.passes[1].verified = Json{{"blocks", 1}};

    const auto passes = measured_passes(series);

    ASSERT_EQ(passes.size(), 2u);
    EXPECT_EQ(passes[0].total_ms, 7);
    EXPECT_EQ(passes[0].calls, 3);
    EXPECT_EQ(passes[0].first_us, 5);
    EXPECT_EQ(passes[0].verified, nullptr);
    EXPECT_EQ(spread_of(passes[0]).p50_us, 3);
    EXPECT_EQ(spread_of(passes[0]).max_us, 5);
    EXPECT_EQ(passes[1].calls, 0);
    EXPECT_EQ(passes[1].first_us, std::nullopt);
    EXPECT_EQ(spread_of(passes[1]).max_us, std::nullopt);
    ASSERT_NE(passes[1].verified, nullptr);
    EXPECT_EQ(passes[1].verified->at("blocks"), 1);
}

TEST(MeasuredPasses, AreKnownWithoutTheirSamples) {
    Json second = kept_pass(6, 20);
    second["verified"] = Json{{"blocks", 66}};
    second["p50_us"] = nullptr;
    const Series series = pruned(Json::array({kept_pass(7, 10), second}));

    const auto passes = measured_passes(series);

    ASSERT_EQ(passes.size(), 2u);
    EXPECT_EQ(passes[0].total_ms, 7);
    EXPECT_EQ(passes[0].calls, 10);
    EXPECT_EQ(passes[0].first_us, 1);
    EXPECT_EQ(passes[0].verified, nullptr);
    EXPECT_EQ(spread_of(passes[0]).p50_us, 2);
    EXPECT_EQ(spread_of(passes[0]).p90_us, 3);
    EXPECT_EQ(spread_of(passes[0]).p99_us, 4);
    EXPECT_EQ(spread_of(passes[0]).max_us, 5);
    ASSERT_NE(passes[1].verified, nullptr);
    EXPECT_EQ(passes[1].verified->at("blocks"), 66);
    EXPECT_EQ(spread_of(passes[1]).p50_us, std::nullopt);
}

TEST(MeasuredPasses, OfAnImportedReportAreNotKnown) {
    Series series;
    series.summary.emplace().total_ms = 4;
    EXPECT_TRUE(measured_passes(series).empty());
    series.summary->extra = Json{{"mean_us", 40}};
    EXPECT_TRUE(measured_passes(series).empty());
}

TEST(MeasuredPasses, AreNotWhatSomebodyElseCallsPasses) {
    const Json not_passes[] = {3,
                               Json::object({{"count", 3}}),
                               Json::array({1, 2}),
                               Json::array({kept_pass(7, 10), "another"}),
                               Json::array({Json::object({{"total_ms", 7}})}),
                               Json::array({Json::object({{"total_ms", "7"}, {"calls", 7}})}),
                               Json::array({Json::object({{"total_ms", 7}, {"calls", 1e300}})}),
                               Json::array({kept_pass(-1, 10)})};
    for (const Json& passes : not_passes) EXPECT_TRUE(measured_passes(pruned(passes)).empty()) << passes.dump();
}

TEST(MeasuredPasses, WithoutSamplesGiveTheFiguresOfSeveralLaunches) {
    Series first = pruned(Json::array({kept_pass(9, 10), kept_pass(1, 10)}));
    Series second = pruned(Json::array({kept_pass(5, 2)}));
    first.bytes_total = 10'000;
    first.summary->total_ms = second.summary->total_ms = 5;
    const Series* const launches[] = {&first, &second};

    const auto figures = summarise(launches);

    EXPECT_EQ(figures.passes, 3u);
    EXPECT_EQ(figures.summary.total_ms, 5);
    EXPECT_EQ(figures.summary.calls, 2);
    EXPECT_EQ(figures.summary.mb_per_s, 2);
    EXPECT_EQ(figures.summary.p99_us, 4);
    EXPECT_EQ(figures.mean_us, 2500);
    EXPECT_EQ(figures.mean_min_us, 100);
    EXPECT_EQ(figures.mean_max_us, 2500) << "each pass by its own calls";
}

}  // namespace
}  // namespace foxbench::stats
