#include "service/metrics/metrics.hpp"

#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foxbench::metrics {
namespace {

using document::RunState;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

TEST(Metrics, SayWhichVersionRunsSinceWhen) {
    const Metrics metrics("1.2.3", 1'790'000'000'000);
    EXPECT_THAT(metrics.text(), HasSubstr("foxbench_build_info{version=\"1.2.3\"} 1\n"));
    EXPECT_THAT(metrics.text(), HasSubstr("foxbench_start_time_seconds 1790000000\n"));
}

TEST(Metrics, CountersThatAreKnownBeforehandBeginAtZero) {
    const auto text = Metrics("1", 0).text();
    EXPECT_THAT(text, HasSubstr("foxbench_runs_finished_total{state=\"failed\"} 0\n"));
    EXPECT_THAT(text, Not(HasSubstr("foxbench_runs_finished_total{state=\"queued\"}")));
    EXPECT_THAT(text, HasSubstr("foxbench_webhook_deliveries_total{outcome=\"failed\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("foxbench_browser_start_failures_total 0\n"));
}

TEST(Metrics, CountWhatHappened) {
    Metrics metrics("1", 0);
    metrics.run_finished(RunState::completed);
    metrics.run_finished(RunState::completed);
    metrics.run_finished(RunState::partial);
    metrics.set_runs_stored(RunState::queued, 4);
    metrics.set_queue(4, 12.5);
    metrics.set_measuring(true);
    metrics.browser_start(true);
    metrics.browser_start(false);
    metrics.set_http_connections(2);
    metrics.set_event_streams(3);
    metrics.set_database_bytes(123'456'789'012);
    metrics.webhook_delivery(WebhookOutcome::retried);
    metrics.scheduler_tick(1'790'000'000'500);
    metrics.schedule_firing(FiringOutcome::skipped);
    const auto text = metrics.text();
    for (const char* line :
         {"foxbench_runs_finished_total{state=\"completed\"} 2", "foxbench_runs_finished_total{state=\"partial\"} 1",
          "foxbench_runs_stored{state=\"queued\"} 4", "foxbench_queue_depth 4",
          "foxbench_queue_oldest_age_seconds 12.5", "foxbench_measuring 1", "foxbench_browser_starts_total 2",
          "foxbench_browser_start_failures_total 1", "foxbench_http_connections 2", "foxbench_event_streams 3",
          "foxbench_database_bytes 123456789012", "foxbench_webhook_deliveries_total{outcome=\"retried\"} 1",
          "foxbench_scheduler_last_tick_timestamp_seconds 1790000000.5",
          "foxbench_schedule_firings_total{outcome=\"skipped\"} 1"})
        EXPECT_THAT(lines_of(text), ::testing::Contains(line));
}

TEST(Metrics, RequestsAreByRouteAndNeverByWhatAClientMadeUp) {
    Metrics metrics("1", 0);
    metrics.http_request("GET", "/v1/runs/{id}", 200, 0.004);
    metrics.http_request("GET", "/v1/runs/{id}", 200, 0.3);
    metrics.http_request("BREW\"\n", "", 405, 0.001);
    const auto text = metrics.text();
    EXPECT_THAT(text,
                HasSubstr("foxbench_http_requests_total{method=\"GET\",route=\"/v1/runs/{id}\",status=\"200\"} 2\n"));
    EXPECT_THAT(text, HasSubstr("{method=\"other\",route=\"unmatched\",status=\"405\"} 1\n"));
    EXPECT_THAT(text,
                HasSubstr("foxbench_http_request_duration_seconds_bucket{route=\"/v1/runs/{id}\",le=\"0.005\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("foxbench_http_request_duration_seconds_count{route=\"/v1/runs/{id}\"} 2\n"));
}

/// https://prometheus.io/docs/instrumenting/exposition_formats/, "Text-based format".
TEST(Metrics, AreInTheTextFormat) {
    Metrics metrics("1", 0);
    metrics.http_request("GET", "/v1/runs", 200, 0.004);
    const std::regex sample(
        R"re(foxbench_[a-z_]+(\{[a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*\})? ([-+]?[0-9.e+-]+|\+Inf))re");
    const std::regex comment("# (HELP foxbench_[a-z_]+ .+|TYPE foxbench_[a-z_]+ (counter|gauge|histogram))");
    std::set<std::string> described;
    for (const auto& line : lines_of(metrics.text())) {
        EXPECT_TRUE(std::regex_match(line, line.starts_with('#') ? comment : sample)) << line;
        if (line.starts_with("# TYPE")) {
            EXPECT_TRUE(described.insert(line.substr(7, line.find(' ', 7) - 7)).second) << line;
            const bool counter = line.ends_with(" counter");
            EXPECT_EQ(line.find("_total ") != std::string::npos, counter) << line;
        }
    }
}

}  // namespace
}  // namespace foxbench::metrics
