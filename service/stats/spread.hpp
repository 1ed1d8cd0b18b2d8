#pragma once

#include <cstddef>
#include <optional>
#include <span>

/// How much launches of one and the same build differ. Pure functions; safe to call from any thread.
namespace foxbench::stats {

/// The standard deviation (n - 1) of the natural logarithms of values, all of which have to be above zero; 0 for fewer
/// than two.
[[nodiscard]] double log_sd(std::span<const double> values);

/// The spread within two samples of logarithms together, each about its own mean. Empty where a value is not above zero
/// or no sample has two values.
[[nodiscard]] std::optional<double> pooled_log_sd(std::span<const double> x, std::span<const double> y);

/// The median of values in any order; 0 for none.
[[nodiscard]] double median(std::span<const double> values);
/// The median of |value - median|, times 1.4826 so that it estimates a normal distribution's standard deviation.
[[nodiscard]] double scaled_mad(std::span<const double> values);

/// What A/A runs of a series have shown.
struct AaSpread {
    double log_sd = 0;
    std::size_t launches = 0;
};
/// A/A runs count from this many launches on.
inline constexpr std::size_t kMinAaLaunches = 8;

}  // namespace foxbench::stats
