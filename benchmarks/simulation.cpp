// What the rules of docs/statistics.md do to made-up measurements whose truth is known: how often an interval holds the
// true change, how often a verdict or an alert is false, what is found and when. Everything comes from fixed seeds. The
// output is the Markdown of that document's tables.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iomanip>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "service/stats/change_points.hpp"
#include "service/stats/comparison.hpp"
#include "service/stats/nightly.hpp"
#include "service/stats/shift.hpp"
#include "service/stats/spread.hpp"
#include "service/stats/testing/random_samples.hpp"

namespace foxbench::benchmarks {
namespace {

using stats::testing::lognormal;

constexpr double kLevel_us = 100;
constexpr std::array<double, 4> kSpreads = {0.008, 0.02, 0.05, 0.10};
constexpr std::array<std::size_t, 3> kLaunches = {5, 10, 20};

constexpr std::size_t kNights = 60;
constexpr std::size_t kStepNight = 30;  ///< the first night of the new level
constexpr std::size_t kNightsToFind = 14;
constexpr double kStep = 0.05;
constexpr double kFixedRule = 0.05;  ///< the rule that others use: so much against last night

/// What has to come out, the nights being those of a normal host. Held to with the default sizes or larger ones: in
/// fewer series chance decides.
constexpr double kNormalHost = 0.02;
constexpr double kMostFalseAlerts = 0.5;                   ///< per 100 nights
constexpr double kFewestFound = 90;                        ///< % of the steps
constexpr double kLeastCoverage = 94, kMostCoverage = 98;  ///< %

struct Sizes {
    int comparisons = 2000;  ///< of each kind
    int series = 400;        ///< of each kind
};

std::string number(double value, int decimals) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << value;
    return text.str();
}

std::string share(int part, int whole, int decimals = 1) {
    return number(100.0 * part / whole, decimals) + " %";
}

void row(const std::vector<std::string>& cells) {
    for (const auto& cell : cells) std::cout << "| " << cell << ' ';
    std::cout << "|" << std::endl;
}

void heading(const std::string& title, const std::vector<std::string>& columns) {
    std::cout << "\n### " << title << "\n\n";
    row(columns);
    row(std::vector<std::string>(columns.size(), "---:"));
}

/// A generator of its own for each question, so that no table changes another.
std::mt19937_64 generator(const std::string& question, double spread, std::size_t size) {
    return std::mt19937_64(stats::seed_of(question + ' ' + number(spread, 4) + ' ' + std::to_string(size)));
}

// --- Comparing ---

void simulate_coverage(const Sizes& sizes) {
    constexpr double kShift = 0.07;
    heading("How often the interval of 95 % holds the true change",
            {"spread of launches", "5 launches a side", "10", "20"});
    for (const double spread : kSpreads) {
        std::vector<std::string> cells{number(100 * spread, 1) + " %"};
        for (const std::size_t launches : kLaunches) {
            auto random = generator("coverage", spread, launches);
            const int comparisons = 2 * sizes.comparisons;
            int held = 0;
            for (int i = 0; i < comparisons; ++i) {
                const auto base = lognormal(random, launches, kLevel_us, spread);
                const auto next = lognormal(random, launches, kLevel_us * (1 + kShift), spread);
                held += stats::hodges_lehmann(base, next).relative_interval.value().contains(kShift) ? 1 : 0;
            }
            const double percent = 100.0 * held / comparisons;
            if (sizes.comparisons >= Sizes{}.comparisons && (percent < kLeastCoverage || percent > kMostCoverage))
                throw std::runtime_error("an interval of 95 % holds the true change in " + number(percent, 2) + " %");
            cells.push_back(share(held, comparisons));
        }
        row(cells);
    }
}

/// How many comparisons gave each verdict.
struct Verdicts {
    int slower = 0, faster = 0, same = 0, cannot_tell = 0;
    std::vector<double> detectable;
};

Verdicts compare_often(double spread, std::size_t launches, double change, int comparisons,
                       std::optional<stats::AaSpread> aa = {}) {
    auto random = generator("verdicts", spread, launches);
    stats::ComparisonTerms terms;
    terms.aa = aa;
    Verdicts verdicts;
    for (int i = 0; i < comparisons; ++i) {
        const stats::SideValues base{lognormal(random, launches, kLevel_us, spread), {}};
        const stats::SideValues next{lognormal(random, launches, kLevel_us * (1 + change), spread), {}};
        const auto found = stats::compare_series(base, next, terms);
        switch (found.verdict) {
            case stats::Verdict::slower:
                ++verdicts.slower;
                break;
            case stats::Verdict::faster:
                ++verdicts.faster;
                break;
            case stats::Verdict::same:
                ++verdicts.same;
                break;
            case stats::Verdict::cannot_tell:
                ++verdicts.cannot_tell;
                break;
        }
        if (found.detectable) verdicts.detectable.push_back(*found.detectable);
    }
    return verdicts;
}

void simulate_verdicts(const Sizes& sizes, const std::string& title, bool known_spread) {
    heading(title, {"spread of launches", "launches a side", "A/A: false calls per 1000", "A/A: same",
                    "5 % slower: found", "10 %", "20 %"});
    for (const double spread : kSpreads) {
        for (const std::size_t launches : kLaunches) {
            const auto aa = known_spread ? std::optional(stats::AaSpread{spread, stats::kMinAaLaunches}) : std::nullopt;
            const auto none = compare_often(spread, launches, 0, sizes.comparisons, aa);
            std::vector<std::string> cells{number(100 * spread, 1) + " %", std::to_string(launches),
                                           number(1000.0 * (none.slower + none.faster) / sizes.comparisons, 1),
                                           share(none.same, sizes.comparisons, 0)};
            for (const double change : {0.05, 0.10, 0.20}) {
                const auto some = compare_often(spread, launches, change, sizes.comparisons, aa);
                cells.push_back(share(some.slower, sizes.comparisons, 0));
            }
            row(cells);
        }
    }
}

/// The change of which nine in ten are found, to a tenth of a percent.
double found_nine_times_in_ten(double spread, std::size_t launches, int comparisons) {
    double too_small = 0, enough = 1;
    while (enough - too_small > 0.001) {
        const double change = (too_small + enough) / 2;
        const auto verdicts = compare_often(spread, launches, change, comparisons);
        (10 * verdicts.slower >= 9 * comparisons ? enough : too_small) = change;
    }
    return enough;
}

void simulate_detectable(const Sizes& sizes) {
    heading("The smallest detectable change that is shown (median), and the change that is found nine times in ten",
            {"spread of launches", "5 launches a side", "10", "20"});
    for (const double spread : {0.008, 0.02, 0.04, 0.05, 0.07, 0.10, 0.11}) {
        std::vector<std::string> cells{number(100 * spread, 1) + " %"};
        for (const std::size_t launches : kLaunches) {
            const int comparisons = std::max(sizes.comparisons / 4, 1);
            const auto shown = stats::median(compare_often(spread, launches, 0, comparisons).detectable);
            const auto found = found_nine_times_in_ten(spread, launches, comparisons);
            cells.push_back(number(100 * shown, 1) + " %, " + number(100 * found, 1) + " %");
        }
        row(cells);
    }
}

// --- Nights ---

/// Which detectors look at a series.
struct Detectors {
    bool tonight = false, series = false;
};

struct Alert {
    std::size_t night = 0;  ///< when it was raised
    bool slower = false;
};

/// What one series of nights led to.
struct Watched {
    std::vector<Alert> alerts;
    int judged = 0;         ///< nights with enough history for a detector
    int confirmations = 0;  ///< that were started
};

/// One series of nights as the daemon sees it: both detectors every night, nothing from before a confirmed step.
class Watch {
public:
    Watch(Detectors detectors, double night_sd, std::optional<std::size_t> step_night, std::uint64_t seed)
        : detectors_(detectors), night_sd_(night_sd), step_night_(step_night), random_(seed) {
        options_.seed = seed;
    }

    [[nodiscard]] Watched run() {
        for (std::size_t night = 0; night < kNights; ++night) {
            const double tonight = measure(night, 1);
            const auto before = since_step();
            nights_.push_back(tonight);
            const bool long_enough = (detectors_.tonight && before.size() >= stats::kMinNights) ||
                                     (detectors_.series && before.size() + 1 >= options_.min_values);
            watched_.judged += long_enough ? 1 : 0;
            if (detectors_.tonight && judge_tonight(before, tonight, night)) continue;
            if (detectors_.series) look_for_steps(night);
        }
        return watched_;
    }

private:
    /// The median of so many launches, each of which differs as nights do.
    double measure(std::size_t night, std::size_t launches) {
        const double level_us = step_night_ && night >= *step_night_ ? kLevel_us * (1 + kStep) : kLevel_us;
        return stats::median(lognormal(random_, launches, level_us, night_sd_));
    }

    [[nodiscard]] std::vector<double> since_step() const {
        return {nights_.begin() + static_cast<std::ptrdiff_t>(step_), nights_.end()};
    }

    bool judge_tonight(const std::vector<double>& before, double tonight, std::size_t night) {
        const auto suspected = stats::judge_night(before, tonight, 0, 1).verdict;
        if (suspected != stats::NightVerdict::slower && suspected != stats::NightVerdict::faster) return false;
        ++watched_.confirmations;
        const double again = measure(night, stats::kConfirmationLaunches);
        if (stats::judge_night(before, again, 0, 1).verdict != suspected) return false;
        watched_.alerts.push_back({night, suspected == stats::NightVerdict::slower});
        step_ = night;
        return true;
    }

    void look_for_steps(std::size_t night) {
        auto values = since_step();
        const std::size_t begin = step_ + (values.size() > kNights ? values.size() - kNights : 0);
        values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(begin - step_));
        for (const auto& change : stats::change_points(values, options_)) {
            watched_.alerts.push_back({night, change.right_median > change.left_median});
            step_ = begin + change.index;
        }
    }

    Detectors detectors_;
    double night_sd_;
    std::optional<std::size_t> step_night_;
    std::mt19937_64 random_;
    stats::ChangePointOptions options_;
    std::vector<double> nights_;
    std::size_t step_ = 0;  ///< the first night of the present level, as far as is known
    Watched watched_;
};

/// Many series under the same detectors.
struct Outcome {
    int alerts = 0, judged = 0, confirmations = 0;
    int found = 0;               ///< series whose step was found in time
    std::vector<double> nights;  ///< until then, the step's own night being 1

    [[nodiscard]] double alerts_per_100() const { return 100.0 * alerts / judged; }
};

Outcome watch_often(Detectors detectors, double night_sd, std::optional<std::size_t> step_night, int series) {
    Outcome outcome;
    for (int i = 0; i < series; ++i) {
        const auto seed = stats::seed_of("nights " + number(night_sd, 4) + ' ' + std::to_string(i));
        const auto watched = Watch(detectors, night_sd, step_night, seed).run();
        outcome.alerts += static_cast<int>(watched.alerts.size());
        outcome.judged += watched.judged;
        outcome.confirmations += watched.confirmations;
        if (!step_night) continue;
        const auto in_time = std::find_if(watched.alerts.begin(), watched.alerts.end(), [&](const Alert& alert) {
            return alert.slower && alert.night >= *step_night && alert.night < *step_night + kNightsToFind;
        });
        if (in_time == watched.alerts.end()) continue;
        ++outcome.found;
        outcome.nights.push_back(static_cast<double>(in_time->night - *step_night + 1));
    }
    return outcome;
}

/// The fixed rule, which forgets everything but last night: what it does not see on the step's own night it never sees.
Outcome apply_fixed_rule(double night_sd, int series) {
    Outcome outcome;
    auto random = generator("fixed rule", night_sd, kNights);
    for (int i = 0; i < series; ++i) {
        const auto nights = lognormal(random, kNights, kLevel_us, night_sd);
        for (std::size_t night = 1; night < kNights; ++night) {
            ++outcome.judged;
            outcome.alerts += std::abs(nights[night] / nights[night - 1] - 1) > kFixedRule ? 1 : 0;
        }
        outcome.found += nights[kStepNight] * (1 + kStep) / nights[kStepNight - 1] - 1 > kFixedRule ? 1 : 0;
    }
    return outcome;
}

void simulate_nights(const Sizes& sizes) {
    const std::vector<std::string> columns{"night-to-night spread", "tonight alone", "the series alone",
                                           "both, as the daemon", "5 % against last night"};
    std::vector<std::vector<std::string>> silent, found, delay;
    std::string failure;
    for (const double night_sd : kSpreads) {
        const std::string name = number(100 * night_sd, 1) + " %";
        silent.push_back({name});
        found.push_back({name});
        delay.push_back({name});
        for (const auto detectors : {Detectors{true, false}, Detectors{false, true}, Detectors{true, true}}) {
            const auto none = watch_often(detectors, night_sd, std::nullopt, sizes.series);
            const auto step = watch_often(detectors, night_sd, kStepNight, sizes.series);
            silent.back().push_back(number(none.alerts_per_100(), 2));
            found.back().push_back(share(step.found, sizes.series));
            delay.back().push_back(step.nights.empty() ? "-" : number(stats::median(step.nights), 0));
            if (detectors.tonight && detectors.series) {
                delay.back().push_back(number(100.0 * none.confirmations / none.judged, 2));
                const double found_percent = 100.0 * step.found / sizes.series;
                if (night_sd == kNormalHost && none.alerts_per_100() > kMostFalseAlerts)
                    failure = number(none.alerts_per_100(), 2) + " false alerts in 100 nights of a normal host";
                if (night_sd == kNormalHost && found_percent < kFewestFound)
                    failure = "only " + number(found_percent, 1) + " % of the steps on a normal host were found";
            }
        }
        const auto fixed = apply_fixed_rule(night_sd, sizes.series);
        silent.back().push_back(number(fixed.alerts_per_100(), 2));
        found.back().push_back(share(fixed.found, sizes.series));
    }
    heading("False alerts per 100 nights", columns);
    for (const auto& cells : silent) row(cells);
    heading("Steps of 5 % found within 14 nights", columns);
    for (const auto& cells : found) row(cells);
    heading("Nights until a step of 5 % is found (median of those found in time), and confirmation jobs",
            {"night-to-night spread", "tonight alone", "the series alone", "both, as the daemon",
             "confirmations per 100 nights without a step"});
    for (const auto& cells : delay) row(cells);
    if (sizes.series >= Sizes{}.series && !failure.empty()) throw std::runtime_error(failure);
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    using namespace foxbench::benchmarks;
    Sizes sizes;
    CLI::App app("What the rules of comparison and alerts do to made-up measurements whose truth is known");
    app.add_option("--series", sizes.series, "Series of nights of each kind")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--comparisons", sizes.comparisons, "Comparisons of each kind")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    try {
        simulate_coverage(sizes);
        simulate_verdicts(sizes, "Verdicts, the spread being pooled from the two sides", false);
        simulate_verdicts(sizes, "Verdicts, the spread being known from A/A runs", true);
        simulate_detectable(sizes);
        simulate_nights(sizes);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << argv[0] << ": " << error.what() << '\n';
        return 1;
    }
}
