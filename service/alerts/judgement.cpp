#include "service/alerts/judgement.hpp"

#include <algorithm>
#include <cmath>

#include "service/compare/source_range.hpp"
#include "service/stats/nightly.hpp"
#include "service/stats/spread.hpp"

namespace foxbench::alerts {
namespace {

using document::Json;
using history::Build;
using history::Night;
using history::SeriesHistory;
using history::Step;
using stats::NightVerdict;
using store::Alert;
using store::AlertState;
using Changed = store::Alerts::Changed;

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json build_json(const Build& build) {
    return {{"version", build.version},
            {"build_id", or_null(build.build_id)},
            {"source_stamp", or_null(build.source_stamp)},
            {"source_repository", or_null(build.source_repository)}};
}

document::Browser browser_of(const Build& build) {
    document::Browser browser;
    browser.version = build.version;
    browser.build_id = build.build_id;
    browser.source_stamp = build.source_stamp;
    browser.source_repository = build.source_repository;
    return browser;
}

/// What an alert says of its series and of the builds on both sides.
Json details_of(const history::SeriesKey& key, const Build& before, const Build& after) {
    Json details = {{"workload", key.workload},
                    {"host", key.host_name},
                    {"target", key.target},
                    {"series", key.series},
                    {"table", key.table},
                    {"parameters", key.parameters},
                    {"build_before", build_json(before)},
                    {"build_after", build_json(after)}};
    const auto range = compare::source_range(browser_of(before), browser_of(after));
    details["source_range"] = nullptr;
    if (range) {
        details["source_range"] = {{"repository", range->repository},
                                   {"from", range->from},
                                   {"to", range->to},
                                   {"address", range->address.empty() ? Json(nullptr) : Json(range->address)}};
    }
    return details;
}

void add_effect(Json& details, double before_us, double after_us, const std::optional<stats::Interval>& interval) {
    details["before_us"] = before_us;
    details["after_us"] = after_us;
    details["change"] = before_us > 0 ? Json(after_us / before_us - 1) : Json(nullptr);
    details["interval"] = nullptr;
    if (interval) details["interval"] = {interval->low, interval->high};
}

bool is_slower(NightVerdict verdict) {
    return verdict == NightVerdict::slower;
}

bool is_out_of_line(NightVerdict verdict) {
    return verdict == NightVerdict::slower || verdict == NightVerdict::faster;
}

std::vector<double> medians(const std::vector<Night>& nights) {
    std::vector<double> values;
    values.reserve(nights.size());
    for (const auto& night : nights) values.push_back(night.median_us);
    return values;
}

std::optional<std::size_t> position_of(const SeriesHistory& history, const std::string& night) {
    const auto found = std::ranges::find(history.nights, night, &Night::night);
    if (found == history.nights.end()) return std::nullopt;
    return static_cast<std::size_t>(found - history.nights.begin());
}

/// Whether the level that an alert was about is still there: no night since then has come back to more than half of
/// the way.
bool goes_on(const Alert& alert, const SeriesHistory& history) {
    const auto begin = position_of(history, alert.first_bad);
    if (!begin) return false;
    const double before = alert.details.value("before_us", 0.0);
    const double after = alert.details.value("after_us", 0.0);
    return std::all_of(history.nights.begin() + static_cast<std::ptrdiff_t>(*begin), history.nights.end() - 1,
                       [&](const Night& night) {
                           return !night.used ||
                                  std::abs(night.median_us - after) <= std::abs(night.median_us - before);
                       });
}

bool holds_back(const Alert& alert, bool slower, const SeriesHistory& history) {
    const bool alive = alert.state == AlertState::suspected || alert.state == AlertState::confirmed;
    return alive && alert.slower == slower && goes_on(alert, history);
}

// ---- steps ----

/// The alert that a step belongs to already: of the same direction and nearly the same night.
const Alert* find_same(const SeriesCase& one, const Step& step) {
    const auto at = position_of(one.history, step.first_bad);
    const Alert* nearest = nullptr;
    std::size_t nearest_distance = kSameStepNights + 1;
    for (const auto& alert : one.known) {
        const auto other = position_of(one.history, alert.first_bad);
        if (!at || !other || alert.slower != step.slower()) continue;
        const std::size_t distance = *at > *other ? *at - *other : *other - *at;
        if (distance < nearest_distance) {
            nearest = &alert;
            nearest_distance = distance;
        }
    }
    return nearest;
}

Json step_details(const SeriesHistory& history, const Step& step) {
    Json details = details_of(history.key, step.build_before, step.build_after);
    add_effect(details, step.change.left_median, step.change.right_median, step.change.shift.relative_interval);
    details["step"] = {{"p", step.change.p}, {"nights_watched", history.nights_used}};
    return details;
}

Changed new_step(const SeriesCase& one, const Step& step, std::int64_t now_ms) {
    Alert alert;
    alert.series = one.id;
    alert.state = AlertState::confirmed;
    alert.slower = step.slower();
    alert.is_step = true;
    alert.first_bad = step.first_bad;
    alert.last_good = step.last_good;
    if (const auto at = position_of(one.history, step.first_bad)) alert.run = one.history.nights[*at].runs.front();
    alert.created_at_ms = now_ms;
    alert.details = step_details(one.history, step);
    return {std::move(alert), "noticed", "the series has a step at " + step.first_bad};
}

Changed grown_to_step(const SeriesCase& one, const Alert& known, const Step& step) {
    Alert alert = known;
    alert.state = AlertState::confirmed;
    alert.is_step = true;
    alert.first_bad = step.first_bad;
    alert.last_good = step.last_good;
    Json details = step_details(one.history, step);
    for (const char* kept : {"filters", "confirmation"}) {
        if (known.details.contains(kept)) details[kept] = known.details.at(kept);
    }
    alert.details = std::move(details);
    return {std::move(alert), "confirmed", "the series has a step at " + step.first_bad};
}

void judge_step(const SeriesCase& one, const Step& step, std::int64_t now_ms, Decision& decision) {
    const Alert* known = find_same(one, step);
    if (known == nullptr) {
        decision.noticed.push_back(new_step(one, step, now_ms));
        return;
    }
    const bool settled = known->state == AlertState::expected || known->state == AlertState::invalid || known->is_step;
    if (!settled) decision.changed.push_back(grown_to_step(one, *known, step));
}

// ---- the night by itself ----

Changed new_suspicion(const SeriesCase& one, const std::vector<Night>& watched, const stats::NightJudgement& judgement,
                      std::int64_t now_ms) {
    const Night& tonight = watched.back();
    const Night& last_good = watched[watched.size() - 2];
    Alert alert;
    alert.series = one.id;
    alert.state = AlertState::suspected;
    alert.slower = is_slower(judgement.verdict);
    alert.first_bad = tonight.night;
    alert.last_good = last_good.night;
    alert.run = one.run;
    alert.created_at_ms = now_ms;
    alert.details = details_of(one.history.key, last_good.build, tonight.build);
    add_effect(alert.details, judgement.median_us.value_or(0), tonight.median_us, std::nullopt);
    alert.details["filters"] = to_json(judgement.filters);
    return {std::move(alert), "noticed", judgement.reason};
}

void judge_tonight(const SeriesCase& one, std::int64_t now_ms, Decision& decision) {
    const auto watched = history::watched_nights(one.history);
    auto before = medians(watched);
    const double tonight = before.back();
    before.pop_back();
    const auto judgement = stats::judge_night(before, tonight, one.clock_step_us, one.calls);
    if (!is_out_of_line(judgement.verdict)) return;
    const bool slower = is_slower(judgement.verdict);
    const auto same = [&](const Changed& other) { return other.alert.slower == slower; };
    if (std::ranges::any_of(decision.noticed, same) || std::ranges::any_of(decision.changed, same)) return;
    const auto known = [&](const Alert& alert) { return holds_back(alert, slower, one.history); };
    if (std::ranges::any_of(one.known, known)) return;
    decision.noticed.push_back(new_suspicion(one, watched, judgement, now_ms));
}

}  // namespace

Decision judge_night(const SeriesCase& one, std::int64_t now_ms) {
    Decision decision;
    if (one.history.nights.empty() || !one.history.nights.back().used) return decision;
    for (const auto& step : one.history.steps) {
        if (!step.confirmed) judge_step(one, step, now_ms, decision);
    }
    if (one.can_confirm) judge_tonight(one, now_ms, decision);
    return decision;
}

Changed judge_confirmation(const Alert& alert, const SeriesHistory& history, const std::vector<double>& launch_means_us,
                           double clock_step_us, std::int64_t calls) {
    Alert changed = alert;
    if (launch_means_us.empty())
        return {std::move(changed), "not measured again", "the confirmation has no value of this series"};
    std::vector<Night> before;
    for (auto& night : history::watched_nights(history)) {
        if (night.night < alert.first_bad) before.push_back(std::move(night));
    }
    const double value = stats::median(launch_means_us);
    const auto judgement = stats::judge_night(medians(before), value, clock_step_us, calls);
    const bool again = is_out_of_line(judgement.verdict) && is_slower(judgement.verdict) == alert.slower;
    changed.state = again ? AlertState::confirmed : AlertState::not_reproduced;
    changed.details["confirmation"] = {{"median_us", value},
                                       {"launches", launch_means_us.size()},
                                       {"z", or_null(judgement.z)},
                                       {"filters", to_json(judgement.filters)}};
    return {std::move(changed), again ? "confirmed" : "not reproduced", "measured again: " + judgement.reason};
}

Json to_json(const std::vector<stats::Filter>& filters) {
    Json all = Json::array();
    for (const auto& filter : filters) {
        all.push_back({{"name", filter.name},
                       {"value", or_null(filter.value)},
                       {"threshold", or_null(filter.threshold)},
                       {"unit", filter.unit},
                       {"passed", filter.passed}});
    }
    return all;
}

}  // namespace foxbench::alerts
