#pragma once

#include "service/daemon/context.hpp"
#include "service/notify/webhooks.hpp"

namespace foxbench::daemon {

/// Tells the event streams, the log, the metrics and the webhooks of what becomes of jobs.
class RunEvents : public run::JobListener {
public:
    RunEvents(http::EventHub& events, metrics::Metrics& metrics, notify::Webhooks& webhooks);

    void on_claimed(const store::Job& job) override;
    void on_stage(const std::string& run, const std::string& what) override;
    void on_progress(const std::string& run, const run::Progress& progress) override;
    void on_series(const std::string& run, const run::Progress& progress, const std::string& series,
                   const stats::SeriesFigures& figures) override;
    void on_browser_start(bool succeeded) override;
    void on_trouble(const std::string& run, const std::string& what) override;
    void on_finished(const run::RunOutcome& outcome) override;
    void on_nothing_new(const store::Job& job, const std::string& reason) override;
    void on_fault(const std::string& what) override;

private:
    http::EventHub& events_;
    metrics::Metrics& metrics_;
    notify::Webhooks& webhooks_;
};

}  // namespace foxbench::daemon
