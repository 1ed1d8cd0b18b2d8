#include <algorithm>

#include "service/compare/comparison.hpp"

namespace foxbench::compare {

stats::Verdict overall(const std::vector<Comparison>& comparisons) {
    const auto any = [&](stats::Verdict verdict) {
        return std::ranges::any_of(comparisons, [&](const Comparison& comparison) {
            return std::ranges::any_of(comparison.rows,
                                       [&](const SeriesRow& row) { return row.verdict.verdict == verdict; });
        });
    };
    const bool nothing = std::ranges::all_of(comparisons, [](const Comparison& each) { return each.rows.empty(); });
    if (any(stats::Verdict::slower)) return stats::Verdict::slower;
    if (nothing || any(stats::Verdict::cannot_tell)) return stats::Verdict::cannot_tell;
    return any(stats::Verdict::faster) ? stats::Verdict::faster : stats::Verdict::same;
}

}  // namespace foxbench::compare
