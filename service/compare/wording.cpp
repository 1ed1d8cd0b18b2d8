#include "service/compare/wording.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "service/report/numbers.hpp"
#include "service/stats/rank_test.hpp"

namespace foxbench::compare {
namespace {

using report::decimal;
using report::kNone;
using report::percent;
using report::signed_percent;
using report::with_sign;
using stats::Verdict;

/// A p below this is written as being below it.
constexpr double kSmallestShownP = 0.001;

std::string signed_us(double us) {
    return with_sign(us, decimal(us, std::fabs(us) >= 100 ? 0 : std::fabs(us) >= 0.1 ? 1 : 3)) + " µs";
}

template <class Write>
std::string with_interval(double value, const std::optional<stats::Interval>& interval, Write write) {
    std::string text = write(value);
    if (interval) text += " (" + write(interval->low) + " to " + write(interval->high) + ")";
    return text;
}

std::size_t count(const std::vector<Comparison>& comparisons, Verdict verdict) {
    std::size_t found = 0;
    for (const auto& comparison : comparisons) {
        found += static_cast<std::size_t>(std::ranges::count_if(
            comparison.rows, [&](const SeriesRow& row) { return row.verdict.verdict == verdict; }));
    }
    return found;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// A word of a shell command, quoted where it has to be.
std::string shell_word(const std::string& word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,=+-";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// As many as the series that needs most of them, and no fewer than now.
std::size_t launches_to_ask(const Comparison& comparison) {
    std::size_t launches = std::max({comparison.base.launches, comparison.next.launches, stats::kMinLaunches});
    for (const auto& row : comparison.rows) launches = std::max(launches, row.verdict.launches_needed.value_or(0));
    return launches;
}

}  // namespace

std::string mean(const std::optional<double>& us) {
    return us ? report::cost(*us) : std::string(kNone);
}

std::string shift(const stats::Shift& shift) {
    if (shift.relative) return with_interval(*shift.relative, shift.relative_interval, signed_percent);
    if (shift.raw) return with_interval(*shift.raw, shift.raw_interval, signed_us);
    return kNone;
}

std::string p_value(double p) {
    return p < kSmallestShownP ? "< " + decimal(kSmallestShownP, 3) : decimal(p, 3);
}

std::string delta(double value) {
    return with_sign(value, decimal(value, 2)) + " (" + stats::band_of(value) + ")";
}

std::string verdict(const stats::SeriesVerdict& verdict) {
    if (verdict.verdict == Verdict::same) return "same within " + percent(verdict.threshold);
    return stats::to_string(verdict.verdict);
}

std::string detectable(const stats::SeriesVerdict& verdict) {
    return verdict.detectable ? percent(*verdict.detectable) : std::string(kNone);
}

std::string quantity(const std::optional<double>& value, const std::string& unit) {
    if (!value) return kNone;
    const double size = std::fabs(*value);
    const bool whole = *value == std::round(*value);
    std::string text = decimal(*value, whole ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3);
    return unit.empty() ? text : text + " " + unit;
}

std::string headline(const std::vector<Comparison>& comparisons) {
    constexpr std::array kOrder{Verdict::slower, Verdict::faster, Verdict::same, Verdict::cannot_tell};
    std::size_t all = 0;
    for (const auto& comparison : comparisons) all += comparison.rows.size();
    if (all == 0) return "nothing to compare";
    const auto first = overall(comparisons);
    std::vector<std::string> others;
    for (const auto each : kOrder) {
        const auto found = count(comparisons, each);
        if (each != first && found > 0) others.push_back(std::to_string(found) + " " + stats::to_string(each));
    }
    std::string text = stats::to_string(first);
    text += " in " + std::to_string(count(comparisons, first)) + " of " + std::to_string(all) + " series";
    return others.empty() ? text : text + " (" + joined(others) + ")";
}

std::string section_name(const Comparison& comparison) {
    const auto& base = comparison.base;
    const auto& next = comparison.next;
    return base.target == next.target ? next.target : next.target + " against " + base.target;
}

std::vector<FactLine> fact_lines(const Comparison& comparison) {
    const auto& base = comparison.base;
    const auto& next = comparison.next;
    std::vector<FactLine> lines;
    const auto add = [&](const char* what, const std::string& a, const std::string& b) {
        if (!a.empty() || !b.empty()) lines.push_back({what, a, b});
    };
    add("Browser", base.browser, next.browser);
    add("Build", base.build_id.value_or(""), next.build_id.value_or(""));
    add("Source", base.source_stamp.value_or(""), next.source_stamp.value_or(""));
    add("Label", base.label.value_or(""), next.label.value_or(""));
    add("Run", base.run, next.run);
    add("Target", base.target, next.target);
    add("Host", base.host.value_or(""), next.host.value_or(""));
    add("Date", base.started_at.value_or(""), next.started_at.value_or(""));
    add("Launches", std::to_string(base.launches), std::to_string(next.launches));
    return lines;
}

std::vector<RowGroup> row_groups(const Comparison& comparison) {
    std::array<RowGroup, 2> groups{RowGroup{"Per-call cost", {}}, RowGroup{"Per-file cost", {}}};
    for (const auto& row : comparison.rows) groups[row.table == document::kPerFile ? 1 : 0].rows.push_back(&row);
    std::vector<RowGroup> filled;
    for (auto& group : groups) {
        if (!group.rows.empty()) filled.push_back(std::move(group));
    }
    return filled;
}

std::vector<std::string> unclear_lines(const Comparison& comparison) {
    std::vector<std::string> lines;
    for (const auto& row : comparison.rows) {
        const auto& of = row.verdict;
        if (of.verdict != Verdict::cannot_tell) continue;
        std::string line = row.series;
        if (!of.reason.empty()) line.append(": ").append(of.reason);
        if (of.launches_needed) {
            line += "; it needs about " + std::to_string(*of.launches_needed) + " launches a side (it has ";
            line += std::to_string(row.base_launches) + " and " + std::to_string(row.next_launches) + ")";
        } else {
            line += "; more launches alone may not settle it";
        }
        lines.push_back(line + ".");
    }
    return lines;
}

std::vector<std::string> notes(const Comparison& comparison) {
    std::vector<std::string> lines;
    std::vector<std::string> of_passes;
    for (const auto& row : comparison.rows) {
        if (row.verdict.of_passes) of_passes.push_back(row.series);
    }
    if (!of_passes.empty()) {
        const bool all = of_passes.size() == comparison.rows.size();
        lines.push_back("One launch a side: the figures" + (all ? std::string() : " of " + joined(of_passes)) +
                        " are of passes, which are not independent, and decide nothing.");
    }
    if (!comparison.only_base.empty()) lines.push_back("Only in the base: " + joined(comparison.only_base) + ".");
    if (!comparison.only_next.empty()) lines.push_back("Only in the new one: " + joined(comparison.only_next) + ".");
    return lines;
}

const char* legend() noexcept {
    return "Means are medians over launches. Shift: Hodges-Lehmann on logarithms, from base to new, with its 95 % "
           "interval; p: Mann-Whitney. Slower or faster: the interval excludes 0 and the shift is beyond max(3 %, 2 × "
           "the spread of launches) and the clock's step.";
}

std::vector<std::pair<std::string, std::string>> commands(const Comparison& comparison) {
    const auto& base = comparison.base;
    const auto& next = comparison.next;
    std::vector<std::pair<std::string, std::string>> all;
    all.emplace_back("Compare again", "foxbench compare " + shell_word(base.run + ":" + base.target) + " " +
                                          shell_word(next.run + ":" + next.target));
    const auto launches = std::to_string(launches_to_ask(comparison));
    const auto measure = [&](const std::string& targets) {
        return "foxbench run --targets " + shell_word(targets) + " --launches " + launches;
    };
    if (base.run == next.run) {
        const bool one = base.target == next.target;
        all.emplace_back("Measure again, with the run's parameters",
                         measure(one ? base.target : base.target + "," + next.target));
    } else {
        all.emplace_back("Measure the base again, with its run's parameters", measure(base.target));
        all.emplace_back("Measure the new one again, likewise", measure(next.target));
    }
    return all;
}

bool is_plain_address(const std::string& address) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/?=&:";
    return address.starts_with("https://") && address.find_first_not_of(kPlain) == std::string::npos;
}

}  // namespace foxbench::compare
