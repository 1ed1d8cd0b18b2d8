#include "service/history/wording.hpp"

#include <algorithm>
#include <cmath>

#include "service/document/json_text.hpp"
#include "service/report/numbers.hpp"

namespace foxbench::history {
namespace {

using report::percent;
using report::signed_percent;

/// Of a list, what is shown of it.
constexpr std::size_t kMostListed = 8;

/// "3: 2026-09-01, 2026-09-02, 2026-09-05"; of a longer list the last ones.
std::string listed(const std::vector<std::string>& all) {
    std::string text = std::to_string(all.size()) + ": ";
    const std::size_t begin = all.size() - std::min(all.size(), kMostListed);
    if (begin > 0) text += "..., ";
    for (std::size_t i = begin; i < all.size(); ++i) text.append(i == begin ? "" : ", ").append(all[i]);
    return text;
}

std::string step_line(const Step& step) {
    std::string text = size_in_words(step) + (step.slower() ? ", slower" : ", faster");
    text += ": " + report::cost(step.change.left_median) + " up to " + step.last_good + ", ";
    text += report::cost(step.change.right_median) + " from " + step.first_bad + " on";
    if (const auto& interval = step.change.shift.relative_interval)
        text += "; 95 % interval " + signed_percent(interval->low) + " to " + signed_percent(interval->high);
    const auto before = build_in_words(step.build_before), after = build_in_words(step.build_after);
    if (!before.empty() || !after.empty()) {
        text += "; build " + (before.empty() ? "unknown" : before) + " to " + (after.empty() ? "unknown" : after);
    }
    return step.confirmed ? text + "; accepted" : text;
}

std::string last_night(const Night& night) {
    std::string text = night.night + ": " + cost_of(night);
    const auto build = build_in_words(night.build);
    if (!build.empty()) text += ", build " + build;
    if (!night.used) text += "; not used: " + night.not_used;
    return text;
}

std::vector<std::string> unused_nights(const SeriesHistory& history) {
    std::vector<std::string> unused;
    for (const auto& night : history.nights) {
        if (night.used) continue;
        unused.push_back(night.night + (night.not_used.empty() ? std::string() : " (" + night.not_used + ")"));
    }
    return unused;
}

}  // namespace

std::string subject(const SeriesKey& key) {
    const auto& host = key.host_name.empty() ? key.host : key.host_name;
    std::string text = key.series + ", " + key.target;
    return host.empty() ? text : text + " on " + host;
}

std::string work(const SeriesKey& key) {
    std::string text = key.workload;
    if (!key.parameters.is_object()) return text;
    const char* before = ": ";
    for (const auto& [name, value] : key.parameters.items()) {
        text += before + name + "=";
        text += value.is_string() ? value.get<std::string>() : document::to_text(value);
        before = ", ";
    }
    return text;
}

std::optional<double> size_of(const Step& step) {
    const auto& change = step.change;
    if (change.shift.relative) return change.shift.relative;
    if (!(change.left_median > 0)) return std::nullopt;
    return change.right_median / change.left_median - 1;
}

std::string size_in_words(const Step& step) {
    if (const auto size = size_of(step)) return signed_percent(*size);
    const double us = step.change.right_median - step.change.left_median;
    return report::with_sign(us, report::decimal(us, 1)) + " µs";
}

std::string build_in_words(const Build& build) {
    std::string text = build.version;
    if (build.build_id) text.append(text.empty() ? "" : " ").append(*build.build_id);
    if (build.source_stamp) text.append(text.empty() ? "" : " ").append("(").append(*build.source_stamp).append(")");
    return text;
}

std::string cost_of(const Night& night) {
    std::string text = report::cost(night.median_us) + " (";
    if (night.low_us && night.high_us)
        text += report::cost(*night.low_us) + " to " + report::cost(*night.high_us) + ", ";
    return text + std::to_string(night.launches) + (night.launches == 1 ? " launch)" : " launches)");
}

std::vector<SummaryLine> summary_lines(const SeriesHistory& history) {
    std::vector<SummaryLine> lines;
    if (history.nights.empty()) {
        lines.push_back({"Nights", "none yet"});
    } else {
        lines.push_back({"Last night", last_night(history.nights.back())});
    }
    const auto& outlook = history.outlook;
    if (outlook.night_sd) lines.push_back({"Spread", percent(*outlook.night_sd) + " from night to night"});
    if (outlook.smallest_step) {
        lines.push_back({"Smallest step", percent(*outlook.smallest_step) + " can be seen within one night"});
    }
    const auto& steps = history.steps;
    const std::size_t first = steps.size() - std::min(steps.size(), kMostListed);
    if (first > 0) lines.push_back({"Steps", std::to_string(first) + " earlier ones are not shown here"});
    for (std::size_t i = first; i < steps.size(); ++i) lines.push_back({"Step", step_line(steps[i])});
    if (!history.missing.empty()) lines.push_back({"Missing", listed(history.missing)});
    const auto unused = unused_nights(history);
    if (!unused.empty()) lines.push_back({"Not used", listed(unused)});
    if (!history.note.empty()) lines.push_back({"Note", history.note});
    return lines;
}

}  // namespace foxbench::history
