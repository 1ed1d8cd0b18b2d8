#include "service/stats/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "service/stats/rank_test.hpp"
#include "service/stats/samples.hpp"
#include "service/stats/wording.hpp"

namespace foxbench::stats {
namespace {

/// More launches than anybody starts: beyond them there is no use in naming a number.
constexpr double kMostLaunches = 1000;

/// What the rules look at, in one measure: fractions, or where a value is not above zero µs, the threshold in µs being
/// the threshold's fraction of the base's median.
struct Measured {
    std::optional<double> shift;
    std::optional<Interval> interval;
    double threshold = 0;
    double unit = 1;  ///< what one unit of the filters is in this measure: 0.01 for %
    const char* unit_name = "%";

    [[nodiscard]] std::optional<double> half_width() const {
        if (!interval) return std::nullopt;
        return (interval->high - interval->low) / 2;
    }
    [[nodiscard]] std::string in_words(double value) const {
        return decimal(value / unit, unit == 1 ? 2 : 1).append(" ").append(unit_name);
    }
};

/// What the conditions gave.
struct Conditions {
    bool several_launches = false, same_constant = false, enough = false;
    bool excludes_zero = false, above_threshold = false, above_clock = false, inside_threshold = false;
};

std::string no_values(bool base_empty, bool next_empty) {
    if (base_empty && next_empty) return "neither side has values";
    return base_empty ? "the base has no values" : "the new side has no values";
}

/// Both sides are constant, and there are enough of them for a verdict: then nothing is uncertain, though the normal
/// approximation may be too coarse to give an interval.
void close_interval_of_constants(Shift& shift, const std::vector<double>& base, const std::vector<double>& next,
                                 double reachable_p) {
    if (!all_equal(base) || !all_equal(next)) return;
    if (base.front() != next.front() && reachable_p > kSignificance) return;
    if (!shift.raw_interval && shift.raw) shift.raw_interval = {*shift.raw, *shift.raw};
    if (!shift.relative_interval && shift.relative) shift.relative_interval = {*shift.relative, *shift.relative};
}

Measured measured(const SeriesVerdict& found) {
    Measured in_terms;
    if (found.shift.relative) {
        in_terms.shift = found.shift.relative;
        in_terms.interval = found.shift.relative_interval;
        in_terms.threshold = found.threshold;
        in_terms.unit = 0.01;
    } else {
        in_terms.shift = found.shift.raw;
        in_terms.interval = found.shift.raw_interval;
        in_terms.threshold = found.threshold * std::abs(found.base_mean_us.value_or(0));
        in_terms.unit_name = "µs";
    }
    return in_terms;
}

/// Adds a condition to those that are shown, and says whether it holds.
bool hold(SeriesVerdict& found, std::string name, std::optional<double> value, double threshold, const char* unit,
          bool passed) {
    found.filters.push_back({std::move(name), value, threshold, unit, passed});
    return passed;
}

Conditions check(SeriesVerdict& found, const Measured& in_terms, const std::vector<double>& base,
                 const std::vector<double>& next, bool one_launch_each, const ComparisonTerms& terms) {
    const auto shown = [&](double value) { return value / in_terms.unit; };
    const char* unit = in_terms.unit_name;
    Conditions conditions;

    const auto launches = one_launch_each ? 1.0 : static_cast<double>(std::max(base.size(), next.size()));
    conditions.several_launches =
        hold(found, "more than one launch on a side", launches, 2, "launches", !one_launch_each);

    conditions.same_constant = all_equal(base) && all_equal(next) && base.front() == next.front();
    if (conditions.same_constant) hold(found, "all values are one and the same", 1, 1, "", true);

    conditions.enough = hold(found, "smallest p that so many values can reach", found.smallest_p, kSignificance, "",
                             found.smallest_p <= kSignificance);

    std::optional<double> from_zero, reach;
    if (in_terms.interval) {
        from_zero = std::max(in_terms.interval->low, -in_terms.interval->high);
        reach = std::max(std::abs(in_terms.interval->low), std::abs(in_terms.interval->high));
    }
    const auto if_there = [&](std::optional<double> value) { return value ? std::optional(shown(*value)) : value; };
    conditions.excludes_zero = hold(found, "interval excludes no change", if_there(from_zero), 0, unit,
                                    in_terms.interval && !in_terms.interval->contains(0));

    const double size = std::abs(in_terms.shift.value_or(0));
    conditions.above_threshold = hold(found, "change is above the threshold", shown(size), shown(in_terms.threshold),
                                      unit, size > in_terms.threshold);

    const double clock_us = terms.clock_step_us / static_cast<double>(std::max<std::int64_t>(terms.calls, 1));
    const double size_us = std::abs(found.shift.raw.value_or(0));
    conditions.above_clock =
        hold(found, "change is above what the clock shows", size_us, clock_us, "µs", size_us > clock_us);

    conditions.inside_threshold = hold(found, "interval lies within the threshold", if_there(reach),
                                       shown(in_terms.threshold), unit, reach && *reach <= in_terms.threshold);
    return conditions;
}

std::string why_cannot_tell(const SeriesVerdict& found, const Measured& in_terms, const Conditions& conditions,
                            std::size_t base, std::size_t next) {
    if (!conditions.several_launches) return "one launch each does not show how launches differ";
    if (!conditions.enough || !in_terms.interval) {
        return std::to_string(base).append(" against ").append(std::to_string(next)).append(" launches are too few");
    }
    const auto threshold = in_terms.in_words(in_terms.threshold);
    const auto change = in_terms.in_words(*in_terms.shift);
    const auto interval =
        in_terms.in_words(in_terms.interval->low).append(" to ") + in_terms.in_words(in_terms.interval->high);
    if (!conditions.excludes_zero) {
        return std::string("the interval, ")
            .append(interval)
            .append(", holds no change, and reaches beyond the threshold of ")
            .append(threshold);
    }
    if (!conditions.above_threshold) {
        return std::string("a change of ")
            .append(change)
            .append(" is not above the threshold of ")
            .append(threshold)
            .append(", but the interval, ")
            .append(interval)
            .append(", reaches beyond it");
    }
    return std::string("a change of ").append(decimal(*found.shift.raw, 3)).append(" µs is less than the clock shows");
}

void decide(SeriesVerdict& found, const Measured& in_terms, const Conditions& conditions, std::size_t base,
            std::size_t next) {
    if (conditions.several_launches && conditions.same_constant) {
        found.verdict = Verdict::same;
        found.reason = "every value of both sides is the same";
        return;
    }
    if (conditions.several_launches && conditions.enough) {
        if (conditions.excludes_zero && conditions.above_threshold && conditions.above_clock) {
            found.verdict = *in_terms.shift > 0 ? Verdict::slower : Verdict::faster;
            found.reason = std::string("the interval excludes no change, and a change of ")
                               .append(in_terms.in_words(*in_terms.shift))
                               .append(" is above the threshold of ")
                               .append(in_terms.in_words(in_terms.threshold));
            return;
        }
        if (conditions.inside_threshold) {
            found.verdict = Verdict::same;
            found.reason = std::string("the interval lies within ±").append(in_terms.in_words(in_terms.threshold));
            return;
        }
    }
    found.reason = why_cannot_tell(found, in_terms, conditions, base, next);
}

std::size_t fewest_launches() {
    std::size_t n = kMinLaunches;
    while (smallest_p(n, n) > kSignificance) ++n;
    return n;
}

/// How many launches a side would be enough. Passes say nothing about it, nor does an interval that is narrow enough
/// already: there it is the change that lies too near the threshold.
std::optional<std::size_t> launches_needed(const Measured& in_terms, bool of_launches, std::size_t base,
                                           std::size_t next) {
    const auto half_width = in_terms.half_width();
    if (!of_launches || !half_width) return fewest_launches();
    if (*half_width < in_terms.threshold) return std::nullopt;
    // An interval is as wide as that of two sides of the harmonic mean's size.
    const auto m = static_cast<double>(base), n = static_cast<double>(next);
    const double now = 2 * m * n / (m + n);
    const double ratio = *half_width / in_terms.threshold;
    const double needed = std::floor(now * ratio * ratio) + 1;
    if (!(needed <= kMostLaunches)) return std::nullopt;
    return std::max(kMinLaunches, static_cast<std::size_t>(needed));
}

}  // namespace

const char* to_string(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::slower:
            return "slower";
        case Verdict::faster:
            return "faster";
        case Verdict::same:
            return "same";
        case Verdict::cannot_tell:
            break;
    }
    return "cannot tell";
}

SeriesVerdict compare_series(const SideValues& base_side, const SideValues& next_side, const ComparisonTerms& terms) {
    const bool one_launch_each = base_side.launch_means_us.size() == 1 && next_side.launch_means_us.size() == 1;
    SeriesVerdict found;
    found.of_passes = one_launch_each && !base_side.pass_means_us.empty() && !next_side.pass_means_us.empty();
    const auto& base = found.of_passes ? base_side.pass_means_us : base_side.launch_means_us;
    const auto& next = found.of_passes ? next_side.pass_means_us : next_side.launch_means_us;
    if (!base.empty()) found.base_mean_us = median(base);
    if (!next.empty()) found.next_mean_us = median(next);
    if (base.empty() || next.empty()) {
        found.reason = no_values(base.empty(), next.empty());
        found.launches_needed = fewest_launches();
        hold(found, "values on both sides", 0, 1, "", false);
        return found;
    }

    found.shift = hodges_lehmann(base, next);
    found.p = mann_whitney(base, next).p;
    found.smallest_p = smallest_p(base.size(), next.size());
    found.delta = cliffs_delta(base, next);
    close_interval_of_constants(found.shift, base, next, found.smallest_p);

    found.spread_from_aa = terms.aa && terms.aa->launches >= kMinAaLaunches;
    found.spread = found.spread_from_aa ? std::optional(terms.aa->log_sd) : pooled_log_sd(base, next);
    found.threshold = std::max(kSmallestThreshold, kSpreads * found.spread.value_or(0));

    const auto in_terms = measured(found);
    const auto conditions = check(found, in_terms, base, next, one_launch_each, terms);
    decide(found, in_terms, conditions, base.size(), next.size());

    if (const auto half_width = in_terms.half_width()) {
        // Half a width in µs is a fraction of the base's median, where that is not zero.
        const double whole = found.shift.relative ? 1 : std::abs(*found.base_mean_us);
        if (whole > 0) found.detectable = std::max(found.threshold, *half_width / whole);
    }
    if (found.verdict == Verdict::cannot_tell)
        found.launches_needed = launches_needed(in_terms, !one_launch_each, base.size(), next.size());
    return found;
}

}  // namespace foxbench::stats
