#pragma once

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

/// Made-up measurements for tests and simulations.
namespace foxbench::stats::testing {

/// Values whose logarithms are normally distributed with the standard deviation `sd` about that of `median`.
[[nodiscard]] inline std::vector<double> lognormal(std::mt19937_64& random, std::size_t count, double median,
                                                   double sd) {
    std::normal_distribution<double> error(0, 1);
    std::vector<double> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) values.push_back(median * std::exp(sd * error(random)));
    return values;
}

}  // namespace foxbench::stats::testing
