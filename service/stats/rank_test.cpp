#include "service/stats/rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "service/stats/samples.hpp"

namespace foxbench::stats {
namespace {

/// What the ranks of two samples together say.
struct Ranks {
    double sum_of_x = 0;  ///< of the midranks of x
    double ties = 0;      ///< sum of t^3 - t over the groups of t equal values; 0 without ties
};

bool have_ranks(std::span<const double> values) {
    return std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

Ranks rank(std::span<const double> x, std::span<const double> y) {
    const auto left = ascending(x), right = ascending(y);
    Ranks ranks;
    std::size_t i = 0, j = 0;
    while (i < left.size() || j < right.size()) {
        const double value = j == right.size() || (i < left.size() && left[i] <= right[j]) ? left[i] : right[j];
        const std::size_t first_i = i, first_j = j;
        while (i < left.size() && left[i] == value) ++i;
        while (j < right.size() && right[j] == value) ++j;
        const auto equal = static_cast<double>(i - first_i + j - first_j);
        const double midrank = static_cast<double>(first_i + first_j) + (equal + 1) / 2;
        ranks.sum_of_x += midrank * static_cast<double>(i - first_i);
        ranks.ties += equal * equal * equal - equal;
    }
    return ranks;
}

double exact_p(std::size_t m, std::size_t n, double smaller_u) {
    const auto distribution = u_distribution(m, n);
    double below = 0;
    for (std::size_t u = 0; u < distribution.size() && static_cast<double>(u) <= smaller_u; ++u)
        below += distribution[u];
    return std::min(1.0, 2 * below);
}

double approximate_p(double m, double n, double u1, double ties) {
    const double values = m + n;
    const double variance = m * n / 12 * ((values + 1) - ties / (values * (values - 1)));
    if (!(variance > 0)) return 1;
    const double z = std::max(0.0, std::abs(u1 - m * n / 2) - 0.5) / std::sqrt(variance);
    return std::erfc(z / std::numbers::sqrt2);
}

}  // namespace

RankTest mann_whitney(std::span<const double> x, std::span<const double> y) {
    RankTest test;
    if (x.empty() || y.empty() || !have_ranks(x) || !have_ranks(y)) return test;
    const auto m = static_cast<double>(x.size()), n = static_cast<double>(y.size());
    const auto ranks = rank(x, y);
    test.u1 = ranks.sum_of_x - m * (m + 1) / 2;
    test.u2 = m * n - test.u1;
    test.exact = ranks.ties == 0 && std::max(x.size(), y.size()) <= kMaxExact;
    test.p =
        test.exact ? exact_p(x.size(), y.size(), std::min(test.u1, test.u2)) : approximate_p(m, n, test.u1, ranks.ties);
    return test;
}

double smallest_p(std::size_t m, std::size_t n) {
    // C(m + n, m), whole after every step.
    double arrangements = 1;
    for (std::size_t i = 1; i <= std::min(m, n) && std::isfinite(arrangements); ++i)
        arrangements = arrangements * static_cast<double>(std::max(m, n) + i) / static_cast<double>(i);
    return std::min(1.0, 2 / arrangements);
}

std::vector<double> u_distribution(std::size_t m, std::size_t n) {
    // The numbers of arrangements are the coefficients of the Gaussian binomial, the product over i = 1..m of
    // (1 - q^(n + i)) / (1 - q^i). All of them are whole numbers below 2^53 for sizes up to kMaxExact.
    const std::size_t most = m * n;
    std::vector<double> counts(most + 1, 0.0);
    counts[0] = 1;
    for (std::size_t i = 1; i <= m; ++i) {
        for (std::size_t u = most; u >= n + i; --u) counts[u] -= counts[u - n - i];
        for (std::size_t u = i; u <= most; ++u) counts[u] += counts[u - i];
    }
    double arrangements = 0;
    for (const double count : counts) arrangements += count;
    for (double& count : counts) count /= arrangements;
    return counts;
}

double cliffs_delta(std::span<const double> x, std::span<const double> y) {
    if (x.empty() || y.empty()) return 0;
    double larger = 0, smaller = 0;
    for (const double from : x) {
        for (const double to : y) {
            if (to > from) ++larger;
            if (to < from) ++smaller;
        }
    }
    return (larger - smaller) / (static_cast<double>(x.size()) * static_cast<double>(y.size()));
}

const char* band_of(double delta) {
    const double size = std::abs(delta);
    if (size < 0.147) return "negligible";
    if (size < 0.33) return "small";
    if (size < 0.474) return "medium";
    return "large";
}

}  // namespace foxbench::stats
