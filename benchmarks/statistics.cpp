// How long the statistics take: E-divisive on 60 nights, and a comparison of 12 series, 20 launches against 20.

#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <exception>
#include <iomanip>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "service/stats/change_points.hpp"
#include "service/stats/comparison.hpp"
#include "service/stats/spread.hpp"
#include "service/stats/testing/random_samples.hpp"

namespace foxbench::benchmarks {
namespace {

using stats::testing::lognormal;
using Clock = std::chrono::steady_clock;

constexpr double kMostOfNights_ms = 50;
constexpr double kMostOfComparison_ms = 20;
constexpr std::size_t kNights = 60;
constexpr std::size_t kSeries = 12;
constexpr std::size_t kLaunches = 20;

/// 60 nights with so many steps of 10 %, evenly apart. Each that is found costs the whole of a
/// permutation test.
std::vector<double> nights(std::size_t steps) {
    std::mt19937_64 random(steps);
    auto values = lognormal(random, kNights, 100, 0.02);
    for (std::size_t night = 0; night < kNights; ++night)
        values[night] *= std::pow(1.1, static_cast<double>(night * (steps + 1) / kNights));
    return values;
}

template <typename Work>
double median_ms(int rounds, Work work) {
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const auto before = Clock::now();
        work();
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
    }
    return stats::median(times);
}

/// Prints a line; whether the time is within its limit.
bool report(const std::string& what, double took_ms, double most_ms) {
    std::cout << what << ": " << std::fixed << std::setprecision(2) << took_ms << " ms (at most "
              << std::setprecision(0) << most_ms << ")" << std::endl;
    return took_ms <= most_ms;
}

void measure(int rounds) {
    bool in_time = true;
    for (const std::size_t steps : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        const auto values = nights(steps);
        const std::size_t found = stats::change_points(values, {}).size();
        if (found != steps)
            throw std::runtime_error(std::to_string(found) + " of " + std::to_string(steps) + " steps were found");
        const double took_ms = median_ms(rounds, [&] { (void)stats::change_points(values, {}); });
        in_time &= report("60 nights with " + std::to_string(steps) + " steps", took_ms, kMostOfNights_ms);
    }

    std::mt19937_64 random(1);
    std::vector<std::array<stats::SideValues, 2>> sides(kSeries);
    for (auto& [base, next] : sides) {
        base.launch_means_us = lognormal(random, kLaunches, 100, 0.05);
        next.launch_means_us = lognormal(random, kLaunches, 105, 0.05);
    }
    const double took_ms = median_ms(rounds, [&] {
        for (const auto& [base, next] : sides) (void)stats::compare_series(base, next, {});
    });
    in_time &= report("12 series, 20 launches against 20", took_ms, kMostOfComparison_ms);
    if (!in_time) throw std::runtime_error("too slow");
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    int rounds = 20;
    CLI::App app("How long the statistics take");
    app.add_option("--rounds", rounds, "How often each is timed")->capture_default_str()->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    try {
        foxbench::benchmarks::measure(rounds);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
}
