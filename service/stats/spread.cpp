#include "service/stats/spread.hpp"

#include <cmath>
#include <vector>

#include "service/stats/samples.hpp"

namespace foxbench::stats {
namespace {

/// 1 / the 75th percentile of the standard normal distribution.
constexpr double kMadToSd = 1.4826;

/// The sum of the squared distances of ln(value) from their mean; 0 for fewer than two.
double log_squares(std::span<const double> values) {
    if (values.size() < 2) return 0;
    double mean = 0;
    for (const double value : values) mean += std::log(value);
    mean /= static_cast<double>(values.size());
    double squares = 0;
    for (const double value : values) squares += (std::log(value) - mean) * (std::log(value) - mean);
    return squares;
}

std::size_t degrees_of_freedom(std::span<const double> values) {
    return values.empty() ? 0 : values.size() - 1;
}

}  // namespace

double log_sd(std::span<const double> values) {
    if (values.size() < 2) return 0;
    return std::sqrt(log_squares(values) / static_cast<double>(values.size() - 1));
}

std::optional<double> pooled_log_sd(std::span<const double> x, std::span<const double> y) {
    const std::size_t degrees = degrees_of_freedom(x) + degrees_of_freedom(y);
    if (degrees == 0 || !all_above_zero(x) || !all_above_zero(y)) return std::nullopt;
    return std::sqrt((log_squares(x) + log_squares(y)) / static_cast<double>(degrees));
}

double median(std::span<const double> values) {
    return median_of_ascending(ascending(values));
}

double scaled_mad(std::span<const double> values) {
    const double middle = median(values);
    std::vector<double> distances;
    distances.reserve(values.size());
    for (const double value : values) distances.push_back(std::abs(value - middle));
    return kMadToSd * median(distances);
}

}  // namespace foxbench::stats
