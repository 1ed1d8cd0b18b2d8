#include "service/history/series_history.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <span>

#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"
#include "service/host/digest.hpp"
#include "service/stats/summary.hpp"

namespace foxbench::history {
namespace {

/// The detector of steps looks at no more than this (docs/statistics.md).
constexpr std::size_t kWindowNights = 60;
/// So many nights to each side of where the detector puts a step.
constexpr std::size_t kLocatedWithin = 2;
constexpr std::size_t kIdDigits = 16;
constexpr std::int64_t kDayMs = 24 * 60 * 60 * 1000;

double median_of(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Night make_night(const std::vector<const Point*>& points) {
    Night night;
    night.night = points.front()->night;
    night.used = std::ranges::any_of(points, [](const Point* point) { return point->not_used.empty(); });
    std::vector<double> values;
    for (const Point* point : points) {
        night.runs.push_back(point->run);
        if (point->at_ms >= night.at_ms) {
            night.at_ms = point->at_ms;
            night.build = point->build;
        }
        if (night.used && !point->not_used.empty()) continue;
        values.insert(values.end(), point->launch_means_us.begin(), point->launch_means_us.end());
    }
    night.launches = values.size();
    night.median_us = median_of(values);
    if (values.size() > 1) {
        const auto [low, high] = std::ranges::minmax(values);
        night.low_us = low;
        night.high_us = high;
    }
    if (!night.used) night.not_used = points.front()->not_used;
    return night;
}

/// Days since 1970 of a date; nothing where it is none.
std::optional<std::int64_t> day_of(const std::string& night) {
    const auto at = document::utc_milliseconds(night);
    return at ? std::optional(*at / kDayMs) : std::nullopt;
}

/// The dates between the first and the last night that have none, where nights are a day apart as a rule: a gap is
/// said, not filled.
std::vector<std::string> missing_nights(const std::vector<Night>& nights) {
    std::vector<std::int64_t> days;
    for (const auto& night : nights) {
        if (const auto day = day_of(night.night)) days.push_back(*day);
    }
    std::vector<double> apart;
    for (std::size_t i = 1; i < days.size(); ++i) apart.push_back(static_cast<double>(days[i] - days[i - 1]));
    std::vector<std::string> missing;
    if (apart.empty() || median_of(apart) != 1) return missing;
    for (std::size_t i = 1; i < days.size(); ++i) {
        for (std::int64_t day = days[i - 1] + 1; day < days[i]; ++day)
            missing.push_back(document::utc_text(day * kDayMs).substr(0, 10));
    }
    return missing;
}

std::vector<double> medians(const std::vector<const Night*>& nights, std::size_t begin, std::size_t end) {
    std::vector<double> values;
    for (std::size_t i = begin; i < end; ++i) values.push_back(nights[i]->median_us);
    return values;
}

Step make_step(const std::vector<const Night*>& used, std::size_t index) {
    Step step;
    step.last_good = used[index - 1]->night;
    step.first_bad = used[index]->night;
    step.build_before = used[index - 1]->build;
    step.build_after = used[index]->build;
    step.change.index = index;
    return step;
}

/// The known steps: where their levels are is computed from the nights between them, at most a window to each side.
std::vector<Step> known_steps(const std::vector<const Night*>& used, const std::vector<std::string>& confirmed) {
    std::vector<std::size_t> indexes;
    for (const auto& first_bad : confirmed) {
        const auto at = std::ranges::lower_bound(used, first_bad, {}, &Night::night);
        const auto index = static_cast<std::size_t>(at - used.begin());
        if (index > 0 && index < used.size() && std::ranges::find(indexes, index) == indexes.end())
            indexes.push_back(index);
    }
    std::ranges::sort(indexes);
    std::vector<Step> steps;
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const std::size_t index = indexes[i];
        const std::size_t left = std::max(i == 0 ? 0 : indexes[i - 1], index - std::min(index, kWindowNights));
        const std::size_t right =
            std::min(i + 1 < indexes.size() ? indexes[i + 1] : used.size(), index + kWindowNights);
        Step step = make_step(used, index);
        step.confirmed = true;
        const auto before = medians(used, left, index);
        const auto after = medians(used, index, right);
        step.change.left_median = median_of(before);
        step.change.right_median = median_of(after);
        step.change.shift = stats::hodges_lehmann(before, after);
        steps.push_back(std::move(step));
    }
    return steps;
}

/// Where exactly the level changed. The detector wants several nights on both sides, so a step that is younger than
/// that is found with nights of the old level in it; among its neighbours, the night with the largest divergence
/// between the levels to its two sides (from `begin` to `end`) is the one.
std::size_t located(const std::vector<double>& values, std::size_t index, std::size_t begin, std::size_t end) {
    const std::span<const double> around(values.data() + begin, end - begin);
    const std::size_t first = std::max(begin + 1, index - std::min(index, kLocatedWithin));
    const std::size_t last = std::min(end - 1, index + kLocatedWithin);
    std::size_t best = index;
    double most = stats::divergence(around, index - begin);
    for (std::size_t candidate = first; candidate <= last; ++candidate) {
        const double divergence = stats::divergence(around, candidate - begin);
        if (divergence > most) {
            most = divergence;
            best = candidate;
        }
    }
    return best;
}

}  // namespace

std::string SeriesKey::id() const {
    // Sorted members, so that the order in which somebody wrote the parameters means nothing.
    const nlohmann::json sorted = nlohmann::json::parse(document::to_text(parameters));
    const document::Json identity = {host, workload, target, series, sorted.dump()};
    return host::sha256_hex(document::to_text(identity)).substr(0, kIdDigits);
}

std::vector<Night> nights_of(const std::vector<Point>& points) {
    std::map<std::string, std::vector<const Point*>> by_night;
    for (const auto& point : points) {
        if (!point.launch_means_us.empty()) by_night[point.night].push_back(&point);
    }
    std::vector<Night> nights;
    nights.reserve(by_night.size());
    for (const auto& [night, of_night] : by_night) nights.push_back(make_night(of_night));
    return nights;
}

SeriesHistory make_history(SeriesKey key, const std::vector<Point>& points, const std::vector<std::string>& confirmed,
                           const HistoryOptions& options) {
    SeriesHistory history;
    history.key = std::move(key);
    history.nights = nights_of(points);
    history.missing = missing_nights(history.nights);

    std::vector<const Night*> used;
    for (const auto& night : history.nights) {
        if (night.used) used.push_back(&night);
    }
    history.steps = known_steps(used, confirmed);
    std::size_t begin = 0;
    if (!history.steps.empty()) {
        begin = history.steps.back().change.index;
        history.since = history.steps.back().first_bad;
    }
    history.nights_used = used.size() - begin;
    const std::size_t window = std::max(begin, used.size() - std::min(used.size(), kWindowNights));

    stats::ChangePointOptions detector;
    detector.seed = stats::seed_of(history.key.id());
    detector.merge_below = options.merge_below;
    const auto values = medians(used, window, used.size());
    const auto changes = stats::change_points(values, detector);
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const std::size_t left = i == 0 ? 0 : changes[i - 1].index;
        const std::size_t right = i + 1 < changes.size() ? changes[i + 1].index : values.size();
        const std::size_t index = window + located(values, changes[i].index, left, right);
        Step step = make_step(used, index);
        step.change = changes[i];
        step.change.index = index;
        history.steps.push_back(std::move(step));
    }
    if (history.nights_used < detector.min_values) {
        history.note = "too little history: " + std::to_string(history.nights_used) + " of the " +
                       std::to_string(detector.min_values) + " nights that finding a step needs" +
                       (history.since ? " since the step of " + *history.since : "");
    }
    const std::size_t level = history.steps.empty() ? 0 : history.steps.back().change.index;
    history.outlook = stats::outlook(medians(used, std::max(level, window), used.size()));
    return history;
}

std::vector<Night> watched_nights(const SeriesHistory& history) {
    std::vector<Night> watched;
    for (const auto& night : history.nights) {
        if (night.used && (!history.since || night.night >= *history.since)) watched.push_back(night);
    }
    return watched;
}

}  // namespace foxbench::history
