#include "service/compare/formats.hpp"
#include "service/compare/wording.hpp"
#include "service/document/json_text.hpp"
#include "service/report/json_values.hpp"
#include "service/stats/rank_test.hpp"

namespace foxbench::compare {
namespace {

using document::Json;
using report::number_or_null;
using report::value_or_null;

/// A fraction in percent.
Json percent_or_null(const std::optional<double>& fraction) {
    return fraction ? number_or_null(*fraction * 100) : Json(nullptr);
}

Json side_of(const SideFacts& side) {
    return {{"run", side.run},
            {"target", side.target},
            {"browser", side.browser},
            {"build_id", value_or_null(side.build_id)},
            {"source_repository", value_or_null(side.source_repository)},
            {"source_stamp", value_or_null(side.source_stamp)},
            {"label", value_or_null(side.label)},
            {"host", value_or_null(side.host)},
            {"started_at", value_or_null(side.started_at)},
            {"launches", side.launches}};
}

Json range_of(const std::optional<SourceRange>& range) {
    if (!range) return nullptr;
    return {{"repository", range->repository.empty() ? Json(nullptr) : Json(range->repository)},
            {"from", range->from},
            {"to", range->to},
            {"address", range->address.empty() ? Json(nullptr) : Json(range->address)}};
}

Json differences_of(const Comparison& comparison) {
    const auto known = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    Json all = Json::array();
    for (const auto& one : comparison.differences) {
        all.push_back({{"what", one.what}, {"base", known(one.base)}, {"new", known(one.next)}});
    }
    return all;
}

Json filters_of(const stats::SeriesVerdict& verdict) {
    Json all = Json::array();
    for (const auto& filter : verdict.filters) {
        all.push_back({{"name", filter.name},
                       {"value", number_or_null(filter.value)},
                       {"threshold", number_or_null(filter.threshold)},
                       {"unit", filter.unit},
                       {"passed", filter.passed}});
    }
    return all;
}

Json row_of(const SeriesRow& row, bool explain) {
    const auto& of = row.verdict;
    using Bound = double stats::Interval::*;
    const auto bound = [](const std::optional<stats::Interval>& interval, Bound which) {
        return interval ? std::optional((*interval).*which) : std::nullopt;
    };
    const auto& relative = of.shift.relative_interval;
    const auto& raw = of.shift.raw_interval;
    Json json = {{"series", row.series},
                 {"table", row.table},
                 {"verdict", stats::to_string(of.verdict)},
                 {"reason", of.reason},
                 {"base_launches", row.base_launches},
                 {"new_launches", row.next_launches},
                 {"of_passes", of.of_passes},
                 {"base_mean_us", number_or_null(of.base_mean_us)},
                 {"new_mean_us", number_or_null(of.next_mean_us)},
                 {"shift_percent", percent_or_null(of.shift.relative)},
                 {"shift_low_percent", percent_or_null(bound(relative, &stats::Interval::low))},
                 {"shift_high_percent", percent_or_null(bound(relative, &stats::Interval::high))},
                 {"shift_us", number_or_null(of.shift.raw)},
                 {"shift_low_us", number_or_null(bound(raw, &stats::Interval::low))},
                 {"shift_high_us", number_or_null(bound(raw, &stats::Interval::high))},
                 {"p", number_or_null(of.p)},
                 {"smallest_p", number_or_null(of.smallest_p)},
                 {"cliffs_delta", number_or_null(of.delta)},
                 {"cliffs_delta_band", stats::band_of(of.delta)},
                 {"spread_percent", percent_or_null(of.spread)},
                 {"spread_from_aa", of.spread_from_aa},
                 {"threshold_percent", percent_or_null(of.threshold)},
                 {"detectable_percent", percent_or_null(of.detectable)},
                 {"launches_needed", value_or_null(of.launches_needed)}};
    if (explain) json["filters"] = filters_of(of);
    return json;
}

Json comparison_of(const Comparison& comparison, bool explain) {
    Json rows = Json::array();
    for (const auto& row : comparison.rows) rows.push_back(row_of(row, explain));
    return {{"base", side_of(comparison.base)},
            {"new", side_of(comparison.next)},
            {"verdict", stats::to_string(overall({comparison}))},
            {"warnings", comparison.warnings},
            {"range", range_of(comparison.range)},
            {"differences", differences_of(comparison)},
            {"series", std::move(rows)},
            {"only_base", comparison.only_base},
            {"only_new", comparison.only_next}};
}

}  // namespace

std::string to_json(const std::vector<Comparison>& comparisons, bool explain) {
    Json all = Json::array();
    for (const auto& comparison : comparisons) all.push_back(comparison_of(comparison, explain));
    return document::to_text({{"verdict", stats::to_string(overall(comparisons))},
                              {"headline", headline(comparisons)},
                              {"comparisons", std::move(all)}},
                             2) +
           "\n";
}

}  // namespace foxbench::compare
