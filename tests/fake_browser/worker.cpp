#include "tests/fake_browser/worker.hpp"

#include <utility>
#include <vector>

namespace foxbench::fake_browser {
namespace {

/// Of a cross-origin isolated page's clock (docs/firefox-bidi.md, finding 8).
constexpr double kClockStep_us = 20;

}  // namespace

Worker::Worker(json plan, double latency_us) : plan_(std::move(plan)), latency_us_(latency_us) {}

json Worker::environment() const {
    return {{"type", "environment"},
            {"user_agent", "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0"},
            {"platform", "Linux x86_64"},
            {"hardware_concurrency", 2},
            {"timestamp", "2026-01-02T03:04:05.678Z"},
            {"timer_resolution_us", kClockStep_us},
            {"cross_origin_isolated", true},
            {"storage_estimate", {{"usage", 2'000'000}, {"quota", 10'737'418'240}}}};
}

std::size_t Worker::passes() const {
    return plan_.at("sequences").size() * (plan_.at("passes").get<std::size_t>() + 1);
}

json Worker::pass(std::size_t number, double now_ms) const {
    const auto passes_of_sequence = plan_.at("passes").get<std::size_t>() + 1;
    const std::size_t index = number / passes_of_sequence;
    const json& sequence = plan_.at("sequences").at(index);
    std::vector<double> latencies(static_cast<std::size_t>(calls(sequence)), latency_us_);
    double total_us = 0;
    for (std::size_t i = 0; i < latencies.size(); ++i) {
        if (i % 3 == 2) latencies[i] += kClockStep_us;
        total_us += latencies[i];
    }
    json series = json::array();
    for (const json& name : sequence.at("series"))
        series.push_back({{"name", name}, {"total_ms", total_us / 1000}, {"latencies_us", latencies}});
    return {{"type", "pass"},
            {"sequence", index},
            {"pass", number % passes_of_sequence},
            {"started_at_ms", now_ms},
            {"finished_at_ms", now_ms + total_us / 1000},
            {"verified", {{"size", 4096}, {"blocks", 1}, {"bytes", 4096}}},
            {"series", std::move(series)}};
}

std::int64_t Worker::calls(const json& sequence) const {
    const json& parameters = plan_.at("parameters");
    if (sequence.at("case") == json("new-file")) return parameters.at("files").get<std::int64_t>();
    const auto calls = parameters.at("calls").get<std::int64_t>();
    if (!sequence.at("values").contains("chunk")) return calls;
    const auto chunk = sequence.at("values").at("chunk").get<std::int64_t>();
    return (calls * parameters.at("bytes").get<std::int64_t>() + chunk - 1) / chunk;
}

}  // namespace foxbench::fake_browser
