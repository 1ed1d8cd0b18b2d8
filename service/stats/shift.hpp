#pragma once

#include <optional>
#include <span>

/// How far two samples lie apart (J. L. Hodges and E. L. Lehmann, "Estimates of Location Based on Rank Tests", 1963).
/// Pure functions; safe to call from any thread.
namespace foxbench::stats {

/// An interval that holds the true value with 95 % confidence.
struct Interval {
    double low = 0, high = 0;
    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// The typical difference between values of two samples. Relative figures are fractions (0.05 is 5 %) and are empty
/// where a value is not above zero; the raw ones, in the values' unit (µs), are always there for samples that are not
/// empty.
struct Shift {
    std::optional<double> relative;             ///< exp(median of ln y - ln x) - 1
    std::optional<Interval> relative_interval;  ///< empty also for samples too small for any interval
    std::optional<double> raw;                  ///< median of y - x
    std::optional<Interval> raw_interval;
};

/// The shift from `x` to `y`, with the interval that the Mann-Whitney distribution gives: exact for samples of at most
/// kMaxExact without ties, else by the normal approximation K = floor(mn/2 - 1.96 sqrt(mn(m+n+1)/12) - 1/2), the
/// interval being [D_(K+1), D_(mn-K)]. With too few values (3 against 3, 2 against 5) there is none. The same for
/// samples in any order.
[[nodiscard]] Shift hodges_lehmann(std::span<const double> x, std::span<const double> y);

}  // namespace foxbench::stats
