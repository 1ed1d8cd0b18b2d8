#include "service/store/summaries.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "service/document/json_text.hpp"
#include "service/document/levels.hpp"
#include "service/stats/summary.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/statements.hpp"

namespace foxbench::store {
namespace {

using document::Json;
using document::Pass;
using document::Series;

constexpr Sql kSeriesOfTarget{
    "read the series",
    "SELECT series.name, series.key FROM launches JOIN series ON series.launch_key = "
    "launches.key WHERE launches.target_key = ?1 ORDER BY launches.position, series.position"};
constexpr Sql kOneSeries{"read the series", "SELECT document FROM series WHERE key = ?1"};
constexpr Sql kDeletePasses{"remove the samples", "DELETE FROM passes WHERE series_key = ?1"};
constexpr Sql kNoteNoSamples{"note that the run has no samples",
                             "UPDATE runs SET has_samples = 0, content_hash = NULL WHERE key = ?1"};

/// One series of a target: its row in each of the launches that have it.
struct SeriesRows {
    std::string name;
    std::vector<std::int64_t> keys;
};

std::vector<std::int64_t> targets_of(Database& database, std::int64_t run_key) {
    std::vector<std::int64_t> keys;
    Statement rows = database.prepare(sql::kTargetsOf).bind(run_key);
    while (rows.step()) keys.push_back(rows.integer(0));
    return keys;
}

std::vector<SeriesRows> series_of(Database& database, std::int64_t target_key) {
    std::vector<SeriesRows> all;
    Statement rows = database.prepare(kSeriesOfTarget).bind(target_key);
    while (rows.step()) {
        auto same = std::find_if(all.begin(), all.end(), [&](const SeriesRows& s) { return s.name == rows.bytes(0); });
        if (same == all.end()) same = all.insert(all.end(), {rows.text(0), {}});
        same->keys.push_back(rows.integer(1));
    }
    return all;
}

Series load_series(Database& database, std::int64_t key) {
    Series series;
    {
        Statement row = database.prepare(kOneSeries).bind(key);
        (void)row.step();
        series = document::series_from_own_members(document::parse_json(row.bytes(0), "the store"), "/series");
    }
    load_passes(database, key, series);
    return series;
}

/// Everything of a pass but its latencies, and the figures that they give.
Json without_samples(Pass pass, const Series& series) {
    Series alone;
    alone.bytes_total = series.bytes_total;
    alone.passes.push_back(std::move(pass));
    alone.summary = stats::summarise(alone).summary;
    Json figures = document::own_members(alone).at("summary");
    for (const char* of_several : {"total_min_ms", "total_max_ms", "first_min_us", "first_max_us"})
        figures.erase(of_several);
    Json members = document::own_members(alone.passes.front());
    for (auto& [name, value] : figures.items()) {
        if (!members.contains(name)) members[name] = std::move(value);
    }
    return members;
}

/// `figures` are those over all launches.
void drop_samples(Series& series, const document::SeriesSummary& figures) {
    Json extra = series.summary ? std::move(series.summary->extra) : Json();
    if (!extra.is_object()) extra = Json::object();
    if (series.warmup) extra["warmup"] = without_samples(std::move(*series.warmup), series);
    Json passes = Json::array();
    for (Pass& pass : series.passes) passes.push_back(without_samples(std::move(pass), series));
    if (!passes.empty()) extra["passes"] = std::move(passes);
    series.warmup.reset();
    series.passes.clear();
    series.summary = figures;
    series.summary->extra = std::move(extra);
}

void replace_samples_of(Database& database, const SeriesRows& rows) {
    std::vector<Series> launches;
    for (const std::int64_t key : rows.keys) launches.push_back(load_series(database, key));
    std::vector<const Series*> pointers;
    for (const Series& series : launches) pointers.push_back(&series);
    const document::SeriesSummary figures = stats::summarise(pointers).summary;

    const bool measured =
        std::any_of(launches.begin(), launches.end(), [](const Series& series) { return !series.passes.empty(); });
    for (std::size_t i = 0; i < launches.size(); ++i) {
        Series& series = launches[i];
        // A series without a measured pass is in no report, and must not come into one by a summary.
        if (measured && (!series.passes.empty() || series.summary)) {
            drop_samples(series, figures);
            database.prepare(sql::kUpdateSeries).bind(rows.keys[i], series.name, own_text(series)).run();
        }
        database.prepare(kDeletePasses).bind(rows.keys[i]).run();
    }
}

}  // namespace

void replace_samples(Database& database, std::int64_t run_key) {
    for (const std::int64_t target : targets_of(database, run_key)) {
        for (const SeriesRows& series : series_of(database, target)) replace_samples_of(database, series);
    }
    database.prepare(kNoteNoSamples).bind(run_key).run();
}

}  // namespace foxbench::store
