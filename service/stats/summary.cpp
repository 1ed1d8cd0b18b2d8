#include "service/stats/summary.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "service/stats/measured_passes.hpp"

namespace foxbench::stats {
namespace {

using document::Series;
using document::SeriesSummary;

/// The member of an imported summary that holds the mean as it was printed: total / calls of rounded figures is
/// coarser.
constexpr const char* kPrintedMean = "mean_us";

std::optional<double> mean_of(double total_ms, std::int64_t calls) {
    if (calls <= 0) return std::nullopt;
    return total_ms * 1000.0 / static_cast<double>(calls);
}

void keep_least(std::optional<double>& least, std::optional<double> value) {
    if (value && (!least || *value < *least)) least = value;
}

void keep_greatest(std::optional<double>& greatest, std::optional<double> value) {
    if (value && (!greatest || *value > *greatest)) greatest = value;
}

/// The figures that belong to one pass alone.
SeriesSummary figures_of(const MeasuredPass& pass, std::optional<std::int64_t> bytes_total) {
    SeriesSummary figures;
    figures.calls = pass.calls;
    figures.total_ms = pass.total_ms;
    const double total_s = pass.total_ms / 1000.0;
    if (total_s > 0) {
        if (pass.calls > 0) figures.ops_per_s = static_cast<double>(pass.calls) / total_s;
        if (bytes_total) figures.mb_per_s = static_cast<double>(*bytes_total) / 1e6 / total_s;
    }
    const auto spread = spread_of(pass);
    figures.p50_us = spread.p50_us;
    figures.p90_us = spread.p90_us;
    figures.p99_us = spread.p99_us;
    figures.max_us = spread.max_us;
    figures.first_us = pass.first_us;
    return figures;
}

SeriesFigures from_passes(const std::vector<MeasuredPass>& passes, std::optional<std::int64_t> bytes_total) {
    std::vector<double> totals;
    totals.reserve(passes.size());
    for (const auto& pass : passes) totals.push_back(pass.total_ms);

    SeriesFigures figures;
    figures.passes = passes.size();
    figures.summary = figures_of(passes[*median_pass(totals)], bytes_total);
    figures.mean_us = mean_of(*figures.summary.total_ms, *figures.summary.calls);
    for (const auto& pass : passes) {
        keep_least(figures.summary.total_min_ms, pass.total_ms);
        keep_greatest(figures.summary.total_max_ms, pass.total_ms);
        const auto mean = mean_of(pass.total_ms, pass.calls);
        keep_least(figures.mean_min_us, mean);
        keep_greatest(figures.mean_max_us, mean);
        keep_least(figures.summary.first_min_us, pass.first_us);
        keep_greatest(figures.summary.first_max_us, pass.first_us);
    }
    return figures;
}

SeriesFigures from_summaries(const std::vector<const SeriesSummary*>& summaries) {
    std::vector<double> totals;
    for (const auto* summary : summaries) totals.push_back(summary->total_ms.value_or(0));

    SeriesFigures figures;
    auto& chosen = figures.summary = *summaries[*median_pass(totals)];
    for (const auto* summary : summaries) {
        keep_least(chosen.total_min_ms, summary->total_min_ms);
        keep_greatest(chosen.total_max_ms, summary->total_max_ms);
        keep_least(chosen.first_min_us, summary->first_min_us);
        keep_greatest(chosen.first_max_us, summary->first_max_us);
    }
    const auto calls = chosen.calls.value_or(0);
    if (chosen.total_ms) figures.mean_us = mean_of(*chosen.total_ms, calls);
    if (chosen.total_min_ms) figures.mean_min_us = mean_of(*chosen.total_min_ms, calls);
    if (chosen.total_max_ms) figures.mean_max_us = mean_of(*chosen.total_max_ms, calls);
    if (chosen.extra.is_object()) {
        const auto printed = chosen.extra.find(kPrintedMean);
        if (printed != chosen.extra.end() && printed->is_number()) figures.mean_us = printed->get<double>();
    }
    return figures;
}

}  // namespace

std::optional<double> percentile(std::span<const double> sorted, int percent) {
    if (sorted.empty()) return std::nullopt;
    // In integers, since 0.99 x n is not always what it should be in binary.
    const auto share = static_cast<std::size_t>(std::clamp(percent, 1, 100));
    const auto rank = (sorted.size() * share + 99) / 100;
    return sorted[rank - 1];
}

std::optional<std::size_t> median_pass(std::span<const double> totals) {
    if (totals.empty()) return std::nullopt;
    std::vector<std::size_t> order(totals.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return totals[a] < totals[b]; });
    return order[(totals.size() - 1) / 2];
}

SeriesFigures summarise(std::span<const Series* const> launches) {
    std::vector<MeasuredPass> passes;
    std::vector<const SeriesSummary*> summaries;
    std::optional<std::int64_t> bytes_total;
    for (const auto* series : launches) {
        if (!bytes_total) bytes_total = series->bytes_total;
        for (const auto& pass : measured_passes(*series)) passes.push_back(pass);
        if (series->summary) summaries.push_back(&*series->summary);
    }
    if (!passes.empty()) return from_passes(passes, bytes_total);
    if (!summaries.empty()) return from_summaries(summaries);
    return {};
}

SeriesFigures summarise(const Series& series) {
    const Series* const one[] = {&series};
    return summarise(one);
}

}  // namespace foxbench::stats
