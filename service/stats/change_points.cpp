#include "service/stats/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

#include "service/stats/spread.hpp"

namespace foxbench::stats {
namespace {

/// The part of the values from `begin` up to `end`.
struct Segment {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Where a segment falls apart best: `tau` values on the left. `q` is 0 where it cannot be split, or where all its
/// values are the same.
struct Split {
    std::size_t tau = 0;
    double q = 0;
};

/// Sums of |x - y| over pairs of values.
struct PairSums {
    double across = 0, left = 0, right = 0;
};

double mean_within(double sum, std::size_t values) {
    const auto count = static_cast<double>(values);
    return values < 2 ? 0 : sum / (count * (count - 1) / 2);
}

double divergence_of(const PairSums& sums, std::size_t m, std::size_t k) {
    const auto left = static_cast<double>(m), right = static_cast<double>(k);
    return left * right / (left + right) *
           (2 * sums.across / (left * right) - mean_within(sums.left, m) - mean_within(sums.right, k));
}

/// The best split of a segment. Holds the memory that it needs, since it is asked a thousand times.
class Splitter {
public:
    explicit Splitter(std::size_t min_segment) : min_segment_(std::max<std::size_t>(min_segment, 1)) {}

    [[nodiscard]] Split best(std::span<const double> values) {
        const std::size_t n = values.size();
        Split best;
        if (n < 2 * min_segment_) return best;
        sum_pairs(values);
        // As tau moves on by one, the value that changes sides takes its pairs with it: that makes every Q O(1).
        PairSums sums;
        for (const double pairs : to_later_) sums.right += pairs;
        for (std::size_t tau = 1; tau + min_segment_ <= n; ++tau) {
            sums.left += to_earlier_[tau - 1];
            sums.right -= to_later_[tau - 1];
            sums.across += to_later_[tau - 1] - to_earlier_[tau - 1];
            if (tau < min_segment_) continue;
            const double q = divergence_of(sums, tau, n - tau);
            if (q > best.q) best = {tau, q};
        }
        return best;
    }

private:
    /// Each value's sum of |x - y| to those before it, and to those after it.
    void sum_pairs(std::span<const double> values) {
        const std::size_t n = values.size();
        to_earlier_.assign(n, 0);
        to_later_.assign(n, 0);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                const double distance = std::abs(values[i] - values[j]);
                to_earlier_[i] += distance;
                to_later_[j] += distance;
            }
        }
    }

    std::size_t min_segment_;
    std::vector<double> to_earlier_, to_later_;
};

/// A whole number below `bound`, each as likely as the other.
std::uint64_t draw_below(std::mt19937_64& random, std::uint64_t bound) {
    // The smallest draws are thrown away, so that as many are left for each remainder.
    const std::uint64_t thrown_away = (std::numeric_limits<std::uint64_t>::max() - bound + 1) % bound;
    std::uint64_t draw = random();
    while (draw < thrown_away) draw = random();
    return draw % bound;
}

/// Fisher and Yates's way. std::shuffle may give other orders with another standard library.
void shuffle(std::vector<double>& values, std::mt19937_64& random) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[draw_below(random, i)]);
}

/// The p of a split by shuffling its segment; empty where it is above the significance, which is known long before the
/// last shuffle.
std::optional<double> significant_p(std::span<const double> segment, double q, const ChangePointOptions& options,
                                    Splitter& splitter, std::mt19937_64& random) {
    // Shuffles that fall apart in the same way may differ in the last digits, as sums in another order do.
    const double as_good = q - 1e-9 * q;
    const auto of = static_cast<double>(options.shuffles + 1);
    double p = 1 / of;
    std::vector<double> shuffled(segment.begin(), segment.end());
    std::size_t reached = 0;
    for (std::size_t i = 0; i < options.shuffles && p <= options.significance; ++i) {
        shuffle(shuffled, random);
        if (splitter.best(shuffled).q >= as_good) ++reached;
        p = static_cast<double>(1 + reached) / of;
    }
    return p <= options.significance ? std::optional(p) : std::nullopt;
}

/// A boundary between segments, and how sure it is.
struct Boundary {
    std::size_t index = 0;
    double p = 1;
};

/// Splits the segment with the largest Q, again and again, until that split could be chance. In time order.
std::vector<Boundary> split(std::span<const double> values, const ChangePointOptions& options) {
    struct Candidate {
        Segment segment;
        Split split;
    };
    Splitter splitter(options.min_segment);
    std::mt19937_64 random(options.seed);
    const auto part = [&](Segment segment) { return values.subspan(segment.begin, segment.size()); };
    const auto candidate = [&](Segment segment) { return Candidate{segment, splitter.best(part(segment))}; };

    std::vector<Boundary> boundaries;
    std::vector<Candidate> candidates{candidate({0, values.size()})};
    for (;;) {
        const auto best = std::max_element(candidates.begin(), candidates.end(),
                                           [](const auto& a, const auto& b) { return a.split.q < b.split.q; });
        if (!(best->split.q > 0)) break;
        const auto [segment, found] = *best;
        const auto p = significant_p(part(segment), found.q, options, splitter, random);
        if (!p) break;
        const std::size_t index = segment.begin + found.tau;
        boundaries.push_back({index, *p});
        *best = candidate({segment.begin, index});
        candidates.push_back(candidate({index, segment.end}));
    }
    std::sort(boundaries.begin(), boundaries.end(),
              [](const Boundary& a, const Boundary& b) { return a.index < b.index; });
    return boundaries;
}

/// The change with the segments as they are beside the boundary at `place`.
ChangePoint change_at(std::span<const double> values, const std::vector<Boundary>& boundaries, std::size_t place) {
    const std::size_t begin = place == 0 ? 0 : boundaries[place - 1].index;
    const std::size_t index = boundaries[place].index;
    const std::size_t end = place + 1 == boundaries.size() ? values.size() : boundaries[place + 1].index;
    const auto left = values.subspan(begin, index - begin), right = values.subspan(index, end - index);
    ChangePoint change;
    change.index = index;
    change.left_median = median(left);
    change.right_median = median(right);
    change.shift = hodges_lehmann(left, right);
    change.p = boundaries[place].p;
    return change;
}

std::vector<ChangePoint> changes_at(std::span<const double> values, const std::vector<Boundary>& boundaries) {
    std::vector<ChangePoint> changes;
    for (std::size_t place = 0; place < boundaries.size(); ++place)
        changes.push_back(change_at(values, boundaries, place));
    return changes;
}

/// How far the medians differ, as a fraction of the earlier one.
double difference(const ChangePoint& change) {
    if (change.left_median == change.right_median) return 0;
    return std::abs((change.right_median - change.left_median) / change.left_median);
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values, const ChangePointOptions& options) {
    if (values.size() < options.min_values) return {};
    auto boundaries = split(values, options);
    auto changes = changes_at(values, boundaries);
    while (!changes.empty()) {
        const auto smallest = std::min_element(
            changes.begin(), changes.end(), [](const auto& a, const auto& b) { return difference(a) < difference(b); });
        if (!(difference(*smallest) < options.merge_below)) break;
        boundaries.erase(boundaries.begin() + (smallest - changes.begin()));
        changes = changes_at(values, boundaries);
    }
    return changes;
}

std::uint64_t seed_of(std::string_view text) {
    // FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo).
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char character : text) {
        hash ^= static_cast<unsigned char>(character);
        hash *= 0x100000001b3;
    }
    return hash;
}

double divergence(std::span<const double> values, std::size_t tau) {
    if (tau == 0 || tau >= values.size()) return 0;
    PairSums sums;
    for (std::size_t i = 0; i < values.size(); ++i) {
        for (std::size_t j = i + 1; j < values.size(); ++j) {
            auto& sum = j < tau ? sums.left : i >= tau ? sums.right : sums.across;
            sum += std::abs(values[i] - values[j]);
        }
    }
    return divergence_of(sums, tau, values.size() - tau);
}

}  // namespace foxbench::stats
