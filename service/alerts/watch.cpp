#include "service/alerts/watch.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "service/alerts/confirmation.hpp"
#include "service/alerts/judgement.hpp"
#include "service/error.hpp"
#include "service/history/points.hpp"
#include "service/store/alerts.hpp"

namespace foxbench::alerts {
namespace {

using history::Point;
using history::SeriesHistory;
using store::Alert;
using store::Alerts;
using store::AlertState;
using store::FollowedSeries;
using store::HistoryStore;

SeriesHistory history_of(store::Store& store, const FollowedSeries& series, std::vector<Point> points,
                         const config::Alerts& settings) {
    const Alerts alerts(store);
    const auto invalid = alerts.invalid_nights(series.id);
    for (auto& point : points) {
        if (std::ranges::binary_search(invalid, point.night)) point.not_used = "somebody called this night invalid";
    }
    history::HistoryOptions options;
    options.merge_below = settings.smallest_step_of(series.key.series);
    return history::make_history(series.key, points, alerts.known_steps(series.id), options);
}

/// The last of a series' points that the run gave.
const Point* point_of(const std::vector<Point>& points, const std::string& run) {
    const auto found =
        std::find_if(points.rbegin(), points.rend(), [&](const Point& point) { return point.run == run; });
    return found == points.rend() ? nullptr : &*found;
}

bool is_scheduled(const std::optional<store::Job>& job) {
    return job && job->job_class == store::JobClass::scheduled;
}

std::string line_of(const Alerts::Changed& changed) {
    const auto& alert = changed.alert;
    return std::string(store::to_string(alert.state)) + ": " + alert.details.value("series", "") + " of " +
           alert.details.value("target", "") + " is " + (alert.slower ? "slower" : "faster") + " since " +
           alert.first_bad + " (" + changed.reason + ")";
}

struct Judgement {
    Alerts::Judgement outcome;
    std::string trouble;
};

/// What the nights of the run's series say.
Judgement judge_nights(store::Store& store, const std::string& run, const std::optional<store::Job>& job,
                       const config::Config& config, std::int64_t now_ms) {
    Judgement judgement;
    std::set<std::string> targets;
    std::string night;
    const HistoryStore histories(store);
    for (const auto& series : histories.series_of(run)) {
        auto points = histories.points(series.id);
        const Point* own = point_of(points, run);
        if (own == nullptr || !own->not_used.empty()) continue;
        SeriesCase one;
        one.id = series.id;
        one.run = run;
        one.clock_step_us = own->clock_step_us;
        one.calls = own->calls;
        one.can_confirm = is_scheduled(job);
        night = own->night;
        std::erase_if(points, [&](const Point& point) { return point.night > night; });
        one.history = history_of(store, series, std::move(points), config.alerts);
        store::AlertFilter of_series;
        of_series.series = series.id;
        one.known = Alerts(store).list(of_series);
        auto decision = judge_night(one, now_ms);
        for (auto& noticed : decision.noticed) {
            if (noticed.alert.state == AlertState::suspected) targets.insert(series.key.target);
            judgement.outcome.noticed.push_back(std::move(noticed));
        }
        for (auto& changed : decision.changed) judgement.outcome.changed.push_back(std::move(changed));
    }
    if (targets.empty()) return judgement;
    try {
        judgement.outcome.confirmation =
            confirmation_job(*job, {targets.begin(), targets.end()}, night, config, now_ms);
    } catch (const Error& error) {
        judgement.trouble = std::string("cannot be measured again: ") + error.what();
    }
    return judgement;
}

// ---- confirmations ----

const document::Target* find_target(const document::RunDocument& run, const std::string& name) {
    const auto found = std::ranges::find(run.targets, name, &document::Target::name);
    return found == run.targets.end() ? nullptr : &*found;
}

Alerts::Changed not_measured(const Alert& alert, const std::string& reason) {
    return {alert, "not measured again", reason};
}

Alerts::Changed judge_again(store::Store& store, const Alert& alert, const document::RunDocument& run,
                            const config::Config& config) {
    if (run.state != document::RunState::completed)
        return not_measured(alert, std::string("the confirmation is ") + document::to_string(run.state));
    const auto* target = find_target(run, alert.details.value("target", ""));
    if (target == nullptr) return not_measured(alert, "the confirmation does not have the target");
    const auto build = alert.details.at("build_after").value("build_id", document::Json());
    if (build.is_string() && document::Json(target->browser.build_id.value_or("")) != build)
        return not_measured(alert, "the browser has been replaced by another build meanwhile");
    const HistoryStore histories(store);
    const auto series = histories.find(alert.series);
    auto points = histories.points(series.id, alert.first_bad);
    const Point* own = point_of(points, alert.run);
    const double clock_step_us = own == nullptr ? 0 : own->clock_step_us;
    const std::int64_t calls = own == nullptr ? 1 : own->calls;
    auto means = history::launch_means(run, *target, series.key.series, true);
    if (means.empty()) means = history::launch_means(run, *target, series.key.series);
    return judge_confirmation(alert, history_of(store, series, std::move(points), config.alerts), means, clock_step_us,
                              calls);
}

Judgement judge_confirmations(store::Store& store, const std::string& run, const config::Config& config) {
    Judgement judgement;
    const auto waiting = Alerts(store).waiting_for(run);
    if (waiting.empty()) return judgement;
    const auto document = store.load(run);
    for (const auto& alert : waiting) judgement.outcome.changed.push_back(judge_again(store, alert, document, config));
    return judgement;
}

}  // namespace

SeriesHistory load_history(store::Store& store, const std::string& series, const config::Alerts& settings,
                           const std::optional<std::string>& until) {
    const HistoryStore histories(store);
    const auto followed = histories.find(series);
    return history_of(store, followed, histories.points(series, until), settings);
}

std::optional<std::string> take_next(store::Store& store, Planted planted) {
    HistoryStore histories(store);
    const auto runs = histories.untaken(1);
    if (runs.empty()) return std::nullopt;
    histories.take(runs.front(), planted == Planted::counts);
    return runs.front();
}

std::optional<Judged> judge_next(store::Store& store, const config::Config& config, std::int64_t now_ms) {
    Alerts alerts(store);
    const auto runs = alerts.unjudged(1);
    if (runs.empty()) return std::nullopt;
    const std::string& run = runs.front();
    const auto job = store.job_of(run);
    const bool confirms = job && job->job_class == store::JobClass::confirmation;
    auto judgement = confirms ? judge_confirmations(store, run, config) : judge_nights(store, run, job, config, now_ms);

    Judged judged;
    judged.run = run;
    judged.trouble = std::move(judgement.trouble);
    for (const auto* list : {&judgement.outcome.noticed, &judgement.outcome.changed}) {
        for (const auto& changed : *list) judged.lines.push_back(line_of(changed));
    }
    judged.confirmation = alerts.record(run, judgement.outcome, now_ms);
    return judged;
}

void catch_up(store::Store& store, const config::Config& config, std::int64_t now_ms, Planted planted) {
    while (take_next(store, planted)) {
    }
    while (judge_next(store, config, now_ms)) {
    }
}

}  // namespace foxbench::alerts
