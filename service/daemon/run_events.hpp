#pragma once

#include "service/daemon/context.hpp"
#include "service/notify/webhooks.hpp"

namespace foxbench::daemon {

/// Tells the event streams, the log, the metrics and the webhooks of what becomes of jobs.
class RunEvents : public run::JobListener {
public:
    RunEvents(boost::asio::any_io_executor executor, http::EventHub& events, metrics::Metrics& metrics,
              notify::Webhooks& webhooks, store::Store& reader, boost::asio::thread_pool& reader_pool);

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

    /// How many runs' ends are being recorded for the webhooks right now.
    [[nodiscard]] int telling() const noexcept { return telling_; }
    /// Called whenever one of them is recorded.
    void on_told(std::function<void()> callback) { on_told_ = std::move(callback); }

private:
    [[nodiscard]] bidi::Task<> notify(std::string run);

    boost::asio::any_io_executor executor_;
    http::EventHub& events_;
    metrics::Metrics& metrics_;
    notify::Webhooks& webhooks_;
    store::Store& reader_;
    boost::asio::thread_pool& reader_pool_;
    int telling_ = 0;
    std::function<void()> on_told_;
};

}  // namespace foxbench::daemon
