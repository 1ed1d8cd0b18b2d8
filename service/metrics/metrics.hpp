#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/document/run_document.hpp"

namespace foxbench::metrics {

/// What became of one attempt to deliver a webhook.
enum class WebhookOutcome { delivered, retried, failed };
/// What became of one firing of a schedule.
enum class FiringOutcome { queued, skipped };

/// The service's figures for Prometheus. Every name begins with `foxbench_` and ends with its base unit; labels take
/// few values, all known beforehand: never an id, an address or a text of a user. All functions are callable from any
/// thread.
class Metrics {
public:
    /// `started_at_ms`: wall clock, milliseconds since 1970.
    Metrics(std::string_view version, std::int64_t started_at_ms);
    Metrics(const Metrics&) = delete;
    Metrics& operator=(const Metrics&) = delete;
    ~Metrics();

    /// A run has reached a final state.
    void run_finished(document::RunState state);
    /// How many runs the store has in this state.
    void set_runs_stored(document::RunState state, std::int64_t count);
    void set_queue(std::int64_t depth, double oldest_age_seconds);
    /// Whether a measurement is going on.
    void set_measuring(bool measuring);

    void browser_start(bool succeeded);

    /// An answered request. `route` is the pattern of the route ("/v1/runs/{id}"), empty where none matched.
    void http_request(std::string_view method, std::string_view route, unsigned status, double seconds);
    void set_http_connections(std::int64_t count);
    void set_event_streams(std::int64_t count);

    void set_database_bytes(std::int64_t bytes);

    void webhook_delivery(WebhookOutcome outcome);

    /// The scheduler has looked at the clock at this time (wall clock, milliseconds since 1970): whether it still does
    /// is what an alert asks.
    void scheduler_tick(std::int64_t at_ms);
    void schedule_firing(FiringOutcome outcome);

    /// All of it in Prometheus' text format, version 0.0.4, to be served as kContentType.
    [[nodiscard]] std::string text() const;

    static constexpr const char* kContentType = "text/plain; version=0.0.4; charset=utf-8";

private:
    struct Families;
    std::unique_ptr<Families> families_;
};

}  // namespace foxbench::metrics
