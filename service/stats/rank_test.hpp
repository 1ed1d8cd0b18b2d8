#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Comparing two samples by the ranks of their values (H. B. Mann and D. R. Whitney, "On a Test of Whether one of Two
/// Random Variables is Stochastically Larger than the Other", 1947; N. Cliff, "Dominance statistics", 1993). Pure
/// functions; safe to call from any thread.
namespace foxbench::stats {

/// Samples of at most this many values without ties get their exact distribution.
inline constexpr std::size_t kMaxExact = 20;

struct RankTest {
    double u1 = 0;  ///< pairs in which x is larger, ties half; u1 + u2 = mn
    double u2 = 0;
    double p = 1;  ///< two-sided
    bool exact = false;
};
/// Mann-Whitney's U with midranks. p is 1 where a sample is empty or all values are the same. Swapping the samples
/// swaps u1 and u2 and keeps p; so does any strictly increasing function of all values.
[[nodiscard]] RankTest mann_whitney(std::span<const double> x, std::span<const double> y);

/// The smallest p that samples of these sizes can reach: 2 / C(m + n, m), at most 1.
[[nodiscard]] double smallest_p(std::size_t m, std::size_t n);

/// The exact distribution of U without ties: element u is the number of arrangements with that U, over C(m + n, m); for
/// sizes up to kMaxExact.
[[nodiscard]] std::vector<double> u_distribution(std::size_t m, std::size_t n);

/// (#(y > x) - #(y < x)) / mn, from -1 to 1; 0 where a sample is empty.
[[nodiscard]] double cliffs_delta(std::span<const double> x, std::span<const double> y);
/// "negligible", "small", "medium" or "large": |delta| below 0.147, 0.33, 0.474 (J. Romano et al., 2006), or above.
[[nodiscard]] const char* band_of(double delta);

}  // namespace foxbench::stats
