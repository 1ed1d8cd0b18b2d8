#include "service/daemon/run_events.hpp"

#include "service/daemon/run_json.hpp"
#include "service/log/log.hpp"

namespace foxbench::daemon {

RunEvents::RunEvents(http::EventHub& events, metrics::Metrics& metrics, notify::Webhooks& webhooks)
    : events_(events), metrics_(metrics), webhooks_(webhooks) {}

void RunEvents::on_claimed(const store::Job& job) {
    log::info("run.started", "a job was taken from the queue", {{"run", job.run}});
    events_.publish("run.started", job.run, {{"id", job.run}, {"state", "running"}});
}

void RunEvents::on_stage(const std::string& run, const std::string& what) {
    log::info("run.stage", what, {{"run", run}});
    events_.publish("run.stage", run, {{"id", run}, {"stage", what}});
}

void RunEvents::on_progress(const std::string& run, const run::Progress& progress) {
    Json data = {{"id", run}};
    data.update(progress_json(progress));
    events_.publish("run.progress", run, data);
}

void RunEvents::on_series(const std::string& run, const run::Progress& progress, const std::string& series,
                          const stats::SeriesFigures& figures) {
    events_.publish("run.series", run,
                    {{"id", run},
                     {"target", progress.target},
                     {"launch", progress.launch},
                     {"series", series},
                     {"mean_us", or_null(figures.mean_us)},
                     {"p50_us", or_null(figures.summary.p50_us)},
                     {"passes", figures.passes}});
}

void RunEvents::on_browser_start(bool succeeded) {
    metrics_.browser_start(succeeded);
}

void RunEvents::on_trouble(const std::string& run, const std::string& what) {
    log::warn("run.trouble", what, {{"run", run}});
    events_.publish("run.trouble", run, {{"id", run}, {"text", what}});
}

void RunEvents::on_finished(const run::RunOutcome& outcome) {
    metrics_.run_finished(outcome.state);
    const auto level = outcome.state == document::RunState::completed ? log::Level::info : log::Level::warn;
    log::event(level, "run.finished", outcome.reason.empty() ? "the run has ended" : outcome.reason,
               {{"run", outcome.id}, {"state", document::to_string(outcome.state)}});
    events_.publish("run.finished", outcome.id,
                    {{"id", outcome.id},
                     {"state", document::to_string(outcome.state)},
                     {"reason", outcome.reason.empty() ? Json(nullptr) : Json(outcome.reason)}});
    webhooks_.wake();  // the messages about it were stored with its end
}

void RunEvents::on_nothing_new(const store::Job& job, const std::string& reason) {
    log::info("schedule.skipped", reason, {{"run", job.run}, {"schedule", job.schedule.value_or("")}});
    events_.publish("schedule.skipped", job.run,
                    {{"id", job.run}, {"schedule", or_null(job.schedule)}, {"reason", reason}});
}

void RunEvents::on_fault(const std::string& what) {
    log::error("queue.fault", what);
}

}  // namespace foxbench::daemon
