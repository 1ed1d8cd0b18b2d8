#include "service/stats/measured_passes.hpp"

#include <algorithm>

#include "service/document/object_reader.hpp"
#include "service/stats/summary.hpp"

namespace foxbench::stats {
namespace {

using document::Json;
using document::Pass;
using document::Series;

/// The members that retention puts into a summary are unknown ones to a reader of documents, so that nobody has checked
/// them: what no pass can have does not count.
std::optional<double> kept_figure(const Json& kept, const char* name) {
    const auto member = kept.find(name);
    if (member == kept.end() || !member->is_number()) return std::nullopt;
    const auto value = member->get<double>();
    if (value < 0 || value > document::kMaxNumber) return std::nullopt;
    return value;
}

MeasuredPass with_samples(const Pass& pass) {
    MeasuredPass measured;
    measured.total_ms = pass.total_ms;
    measured.calls = static_cast<std::int64_t>(pass.latencies_us.size());
    if (!pass.latencies_us.empty()) measured.first_us = pass.latencies_us.front();
    if (pass.verified) measured.verified = &*pass.verified;
    measured.samples = &pass;
    return measured;
}

/// Empty where it is not what retention leaves of a pass.
std::optional<MeasuredPass> without_samples(const Json& kept) {
    if (!kept.is_object()) return std::nullopt;
    const auto total_ms = kept_figure(kept, "total_ms");
    const auto calls = kept_figure(kept, "calls");
    if (!total_ms || !calls) return std::nullopt;
    MeasuredPass measured;
    measured.total_ms = *total_ms;
    measured.calls = static_cast<std::int64_t>(*calls);
    measured.first_us = kept_figure(kept, "first_us");
    const auto verified = kept.find("verified");
    if (verified != kept.end() && verified->is_object()) measured.verified = &*verified;
    measured.kept = &kept;
    return measured;
}

/// Retention's list in the summary, or null.
const Json* kept_passes(const Series& series) {
    if (!series.summary || !series.summary->extra.is_object()) return nullptr;
    const auto& extra = series.summary->extra;
    const auto passes = extra.find("passes");
    return passes != extra.end() && passes->is_array() ? &*passes : nullptr;
}

}  // namespace

std::vector<MeasuredPass> measured_passes(const Series& series) {
    std::vector<MeasuredPass> measured;
    for (const auto& pass : series.passes) measured.push_back(with_samples(pass));
    if (!measured.empty()) return measured;
    const Json* list = kept_passes(series);
    if (list == nullptr) return measured;
    for (const auto& kept : *list) {
        const auto pass = without_samples(kept);
        if (!pass) return {};
        measured.push_back(*pass);
    }
    return measured;
}

Spread spread_of(const MeasuredPass& pass) {
    if (pass.samples == nullptr) {
        const auto figure = [&](const char* name) {
            return pass.kept == nullptr ? std::nullopt : kept_figure(*pass.kept, name);
        };
        return {figure("p50_us"), figure("p90_us"), figure("p99_us"), figure("max_us")};
    }
    auto sorted = pass.samples->latencies_us;
    std::sort(sorted.begin(), sorted.end());
    return {percentile(sorted, 50), percentile(sorted, 90), percentile(sorted, 99), percentile(sorted, 100)};
}

}  // namespace foxbench::stats
