#include "service/metrics/metrics.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace foxbench::metrics {
namespace {

using document::RunState;

/// Requests are answered from memory or one query (milliseconds), from a rendered report (tens of them), or after a
/// browser was stopped (seconds).
const prometheus::Histogram::BucketBoundaries kRequestSeconds{0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10};

constexpr std::array kStates{RunState::queued, RunState::running,   RunState::completed, RunState::partial,
                             RunState::failed, RunState::cancelled, RunState::invalid};
constexpr std::array<std::string_view, 7> kMethods{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};

const char* word(WebhookOutcome outcome) noexcept {
    switch (outcome) {
        case WebhookOutcome::delivered:
            return "delivered";
        case WebhookOutcome::retried:
            return "retried";
        case WebhookOutcome::failed:
            break;
    }
    return "failed";
}

const char* word(FiringOutcome outcome) noexcept {
    return outcome == FiringOutcome::queued ? "queued" : "skipped";
}

/// A method is whatever a client sends; only those that exist may make a series.
std::string known_method(std::string_view method) {
    return std::string(std::ranges::find(kMethods, method) == kMethods.end() ? "other" : method);
}

}  // namespace

struct Metrics::Families {
    using Counter = prometheus::Counter;
    using Gauge = prometheus::Gauge;
    using Histogram = prometheus::Histogram;

    prometheus::Family<Counter>& counters(const char* name, const char* help) {
        return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
    }
    prometheus::Family<Gauge>& gauges(const char* name, const char* help) {
        return prometheus::BuildGauge().Name(name).Help(help).Register(registry);
    }
    Counter& counter(const char* name, const char* help) { return counters(name, help).Add({}); }
    Gauge& gauge(const char* name, const char* help) { return gauges(name, help).Add({}); }

    prometheus::Registry registry;

    prometheus::Family<Gauge>& build_info =
        gauges("foxbench_build_info", "Always 1; the label says which version runs.");
    Gauge& start_time = gauge("foxbench_start_time_seconds", "When the service was started, seconds since 1970.");

    prometheus::Family<Counter>& runs_finished = counters(
        "foxbench_runs_finished_total", "Runs that have ended since the start of the service, by final state.");
    prometheus::Family<Gauge>& runs_stored = gauges("foxbench_runs_stored", "Runs in the store, by state.");
    Gauge& queue_depth = gauge("foxbench_queue_depth", "Jobs that wait.");
    Gauge& queue_oldest_age =
        gauge("foxbench_queue_oldest_age_seconds", "How long the oldest waiting job has waited; 0 where none waits.");
    Gauge& measuring = gauge("foxbench_measuring", "1 while a measurement is going on, else 0.");

    Counter& browser_starts = counter("foxbench_browser_starts_total", "Browsers that were started, also in vain.");
    Counter& browser_start_failures =
        counter("foxbench_browser_start_failures_total", "Browsers that could not be started.");

    prometheus::Family<Counter>& requests =
        counters("foxbench_http_requests_total", "Answered requests, by method, route and status.");
    prometheus::Family<Histogram>& request_seconds =
        prometheus::BuildHistogram()
            .Name("foxbench_http_request_duration_seconds")
            .Help("From a request's header to the end of its answer, by route.")
            .Register(registry);
    Gauge& connections = gauge("foxbench_http_connections", "Open connections.");
    Gauge& event_streams = gauge("foxbench_event_streams", "Open event streams.");

    Gauge& database_bytes = gauge("foxbench_database_bytes", "Size of the database with its write-ahead log.");

    prometheus::Family<Counter>& webhooks =
        counters("foxbench_webhook_deliveries_total", "Attempts to deliver a webhook, by what became of them.");

    Gauge& scheduler_tick = gauge("foxbench_scheduler_last_tick_timestamp_seconds",
                                  "When the scheduler last looked at the clock, seconds since 1970.");
    prometheus::Family<Counter>& firings =
        counters("foxbench_schedule_firings_total", "Firings of schedules, by what became of them.");
};

Metrics::Metrics(std::string_view version, std::int64_t started_at_ms) : families_(std::make_unique<Families>()) {
    families_->build_info.Add({{"version", std::string(version)}}).Set(1);
    families_->start_time.Set(static_cast<double>(started_at_ms) / 1'000);
    // A counter that begins with its first event hides that event from rate(): those known beforehand begin at 0.
    for (const auto state : kStates) {
        if (is_final(state)) families_->runs_finished.Add({{"state", to_string(state)}});
        families_->runs_stored.Add({{"state", to_string(state)}});
    }
    for (const auto outcome : {WebhookOutcome::delivered, WebhookOutcome::retried, WebhookOutcome::failed})
        families_->webhooks.Add({{"outcome", word(outcome)}});
    for (const auto outcome : {FiringOutcome::queued, FiringOutcome::skipped})
        families_->firings.Add({{"outcome", word(outcome)}});
}

Metrics::~Metrics() = default;

void Metrics::run_finished(RunState state) {
    families_->runs_finished.Add({{"state", to_string(state)}}).Increment();
}

void Metrics::set_runs_stored(RunState state, std::int64_t count) {
    families_->runs_stored.Add({{"state", to_string(state)}}).Set(static_cast<double>(count));
}

void Metrics::set_queue(std::int64_t depth, double oldest_age_seconds) {
    families_->queue_depth.Set(static_cast<double>(depth));
    families_->queue_oldest_age.Set(oldest_age_seconds);
}

void Metrics::set_measuring(bool measuring) {
    families_->measuring.Set(measuring ? 1 : 0);
}

void Metrics::browser_start(bool succeeded) {
    families_->browser_starts.Increment();
    if (!succeeded) families_->browser_start_failures.Increment();
}

void Metrics::http_request(std::string_view method, std::string_view route, unsigned status, double seconds) {
    const std::string path(route.empty() ? "unmatched" : route);
    families_->requests.Add({{"method", known_method(method)}, {"route", path}, {"status", std::to_string(status)}})
        .Increment();
    families_->request_seconds.Add({{"route", path}}, kRequestSeconds).Observe(seconds);
}

void Metrics::set_http_connections(std::int64_t count) {
    families_->connections.Set(static_cast<double>(count));
}

void Metrics::set_event_streams(std::int64_t count) {
    families_->event_streams.Set(static_cast<double>(count));
}

void Metrics::set_database_bytes(std::int64_t bytes) {
    families_->database_bytes.Set(static_cast<double>(bytes));
}

void Metrics::webhook_delivery(WebhookOutcome outcome) {
    families_->webhooks.Add({{"outcome", word(outcome)}}).Increment();
}

void Metrics::scheduler_tick(std::int64_t at_ms) {
    families_->scheduler_tick.Set(static_cast<double>(at_ms) / 1'000);
}

void Metrics::schedule_firing(FiringOutcome outcome) {
    families_->firings.Add({{"outcome", word(outcome)}}).Increment();
}

std::string Metrics::text() const {
    std::ostringstream out;
    prometheus::TextSerializer().Serialize(out, families_->registry.Collect());
    return std::move(out).str();
}

}  // namespace foxbench::metrics
