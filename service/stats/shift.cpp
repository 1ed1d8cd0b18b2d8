#include "service/stats/shift.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "service/stats/rank_test.hpp"
#include "service/stats/samples.hpp"

namespace foxbench::stats {
namespace {

constexpr double kTail = 0.025;  ///< on each side of an interval of 95 %
constexpr double kNormalQuantile = 1.96;

bool has_ties(std::span<const double> x, std::span<const double> y) {
    std::vector<double> both(x.begin(), x.end());
    both.insert(both.end(), y.begin(), y.end());
    both = ascending(both);
    return std::adjacent_find(both.begin(), both.end()) != both.end();
}

/// How many of the smallest differences, and as many of the largest, lie outside the interval. Empty where even all of
/// them do not make one of 95 %.
std::optional<std::size_t> left_out(std::span<const double> x, std::span<const double> y) {
    const std::size_t m = x.size(), n = y.size();
    if (std::max(m, n) <= kMaxExact && !has_ties(x, y)) {
        // The interval [D_(K), D_(mn+1-K)] with the largest K for which P(U < K) is still in the tail: it excludes zero
        // exactly where the test's p is at most 0.05.
        const auto distribution = u_distribution(m, n);
        double below = 0;
        std::size_t k = 0;
        while (k < distribution.size() && below + distribution[k] <= kTail) below += distribution[k++];
        if (k == 0) return std::nullopt;
        return k - 1;
    }
    const auto pairs = static_cast<double>(m) * static_cast<double>(n);
    const double k =
        std::floor(pairs / 2 - kNormalQuantile * std::sqrt(pairs * static_cast<double>(m + n + 1) / 12) - 0.5);
    if (k < 0) return std::nullopt;
    return static_cast<std::size_t>(k);
}

/// Ascending differences of each pair.
std::vector<double> differences(std::span<const double> x, std::span<const double> y) {
    std::vector<double> all;
    all.reserve(x.size() * y.size());
    for (const double from : x) {
        for (const double to : y) all.push_back(to - from);
    }
    return ascending(all);
}

std::vector<double> logarithms(std::span<const double> values) {
    std::vector<double> logs;
    logs.reserve(values.size());
    for (const double value : values) logs.push_back(std::log(value));
    return logs;
}

}  // namespace

Shift hodges_lehmann(std::span<const double> x, std::span<const double> y) {
    Shift shift;
    if (x.empty() || y.empty()) return shift;
    const auto outside = left_out(x, y);

    const auto raw = differences(x, y);
    shift.raw = median_of_ascending(raw);
    if (outside) shift.raw_interval = {raw[*outside], raw[raw.size() - 1 - *outside]};

    if (!all_above_zero(x) || !all_above_zero(y)) return shift;
    const auto logs = differences(logarithms(x), logarithms(y));
    shift.relative = std::expm1(median_of_ascending(logs));
    if (outside) shift.relative_interval = {std::expm1(logs[*outside]), std::expm1(logs[logs.size() - 1 - *outside])};
    return shift;
}

}  // namespace foxbench::stats
