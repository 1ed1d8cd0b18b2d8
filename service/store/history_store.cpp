#include "service/store/history_store.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "service/document/json_text.hpp"
#include "service/document/purpose.hpp"
#include "service/error.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/store_impl.hpp"

namespace foxbench::store {
namespace {

using history::Contribution;
using history::Point;
using history::SeriesKey;
using Kind = Transaction::Kind;

static_assert(std::endian::native == std::endian::little, "doubles are stored as they are in memory");

constexpr Sql kUntaken{"look for runs that are not in the histories yet",
                       "SELECT id FROM runs WHERE taken = 0 AND state NOT IN ('queued', 'running') "
                       "ORDER BY listed_at_ms, key LIMIT ?1"};
constexpr Sql kIsTaken{"find the run", "SELECT taken, state IN ('queued', 'running') FROM runs WHERE key = ?1"};
constexpr Sql kNoteTaken{"note that the run is in the histories",
                         "UPDATE runs SET taken = 1, judged = ?2 WHERE key = ?1"};
constexpr Sql kInsertFollowed{
    "store the series",
    "INSERT INTO followed (id, host, host_name, workload, target, series, tab, parameters) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (id) DO UPDATE SET host_name = excluded.host_name"};
constexpr Sql kFollowedKey{"find the series", "SELECT key FROM followed WHERE id = ?1"};
constexpr Sql kInsertBuild{"store the build",
                           "INSERT OR IGNORE INTO builds (version, build_id, source_stamp, source_repository) "
                           "VALUES (?1, ?2, ?3, ?4)"};
constexpr Sql kBuildKey{"find the build",
                        "SELECT key FROM builds WHERE version = ?1 AND build_id = ?2 AND source_stamp = ?3 "
                        "AND source_repository = ?4"};
constexpr Sql kInsertPoint{"store the series' night",
                           "INSERT INTO points (followed_key, night, run_key, target, at_ms, means_us, clock_step_us, "
                           "calls, build_key, not_used) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"};
constexpr Sql kInsertSpread{"store the series' spread",
                            "INSERT INTO spreads (followed_key, run_key, log_sd, launches, compared, false_call) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"};
#define FOXBENCH_FOLLOWED                                                      \
    "SELECT id, host, host_name, workload, target, series, tab, parameters, "  \
    "(SELECT count(*) FROM points WHERE points.followed_key = followed.key), " \
    "(SELECT max(night) FROM points WHERE points.followed_key = followed.key) FROM followed "
constexpr Sql kList{"read the series", FOXBENCH_FOLLOWED
                    "WHERE EXISTS (SELECT 1 FROM points WHERE points.followed_key = followed.key) "
                    "ORDER BY host_name, host, target, workload, parameters, key"};
constexpr Sql kSeriesOf{"read the run's series", FOXBENCH_FOLLOWED
                        "WHERE key IN (SELECT followed_key FROM points JOIN runs ON runs.key = points.run_key "
                        "WHERE runs.id = ?1) ORDER BY target, key"};
constexpr Sql kFind{"find the series", FOXBENCH_FOLLOWED "WHERE id = ?1"};
#undef FOXBENCH_FOLLOWED
constexpr Sql kPoints{"read the series' nights",
                      "SELECT runs.id, night, at_ms, means_us, clock_step_us, calls, not_used, builds.version, "
                      "builds.build_id, builds.source_stamp, builds.source_repository FROM points "
                      "JOIN followed ON followed.key = points.followed_key JOIN runs ON runs.key = points.run_key "
                      "JOIN builds ON builds.key = points.build_key WHERE followed.id = ?1 AND night <= ?2 "
                      "ORDER BY night, at_ms, points.run_key, points.target"};
constexpr Sql kSpread{"read the series' spread",
                      "SELECT log_sd, launches, compared, false_call FROM spreads "
                      "JOIN followed ON followed.key = spreads.followed_key WHERE followed.id = ?1 ORDER BY run_key"};
constexpr Sql kAllSpreads{"read the spreads",
                          "SELECT log_sd, launches, compared, false_call FROM spreads ORDER BY run_key"};

/// Later than every date.
constexpr const char* kNoEnd = "9999-99-99";

std::string bytes_of(const std::vector<double>& values) {
    std::string bytes(values.size() * sizeof(double), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

std::vector<double> doubles_of(std::string_view bytes) {
    std::vector<double> values(bytes.size() / sizeof(double));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
    return values;
}

std::int64_t followed_key(Database& database, const SeriesKey& key) {
    const std::string id = key.id();
    database.prepare(kInsertFollowed)
        .bind(id, key.host, key.host_name, key.workload, key.target, key.series, key.table,
              document::to_text(key.parameters))
        .run();
    Statement row = database.prepare(kFollowedKey).bind(id);
    (void)row.step();
    return row.integer(0);
}

std::int64_t build_key(Database& database, const history::Build& build) {
    const std::string id = build.build_id.value_or("");
    const std::string stamp = build.source_stamp.value_or("");
    const std::string repository = build.source_repository.value_or("");
    database.prepare(kInsertBuild).bind(build.version, id, stamp, repository).run();
    Statement row = database.prepare(kBuildKey).bind(build.version, id, stamp, repository);
    (void)row.step();
    return row.integer(0);
}

void insert_point(Database& database, std::int64_t run_key, const Contribution& contribution) {
    const Point& point = contribution.point;
    database.prepare(kInsertPoint)
        .bind(followed_key(database, contribution.key), point.night, run_key,
              static_cast<std::int64_t>(contribution.target), point.at_ms, Blob{bytes_of(point.launch_means_us)},
              Real{point.clock_step_us}, point.calls, build_key(database, point.build), point.not_used)
        .run();
}

void insert_spread(Database& database, std::int64_t run_key, const history::AaResult& result) {
    database.prepare(kInsertSpread)
        .bind(followed_key(database, result.key), run_key, Real{result.spread.log_sd},
              static_cast<std::int64_t>(result.spread.launches), std::int64_t{result.compared},
              std::int64_t{result.false_call})
        .run();
}

/// Whether a run may say something of a history: only then are its passes read.
bool may_contribute(const document::RunDocument& own) {
    const bool nightly = own.trigger && own.trigger->is_object() &&
                         own.trigger->value("kind", document::Json()) == document::Json("schedule");
    return nightly || document::is_aa(own);
}

bool is_confirmation(const document::RunDocument& own) {
    return own.trigger && own.trigger->is_object() &&
           own.trigger->value("kind", document::Json()) == document::Json("confirm");
}

std::optional<std::string> if_known(std::string text) {
    if (text.empty()) return std::nullopt;
    return text;
}

FollowedSeries followed_from(const Statement& row) {
    FollowedSeries series;
    series.id = row.text(0);
    series.key.host = row.text(1);
    series.key.host_name = row.text(2);
    series.key.workload = row.text(3);
    series.key.target = row.text(4);
    series.key.series = row.text(5);
    series.key.table = row.text(6);
    series.key.parameters = document::parse_json(row.bytes(7), "the store");
    series.points = row.integer(8);
    series.last_night = row.text(9);
    return series;
}

std::vector<FollowedSeries> all_of(Statement rows) {
    std::vector<FollowedSeries> all;
    while (rows.step()) all.push_back(followed_from(rows));
    return all;
}

/// The spreads within runs together: what a run has more launches of counts for more.
KnownSpread pooled(Statement rows) {
    KnownSpread known;
    double squares = 0;
    std::int64_t freedom = 0;
    while (rows.step()) {
        const double log_sd = rows.real(0);
        const std::int64_t launches = rows.integer(1);
        squares += log_sd * log_sd * static_cast<double>(launches - 1);
        freedom += launches - 1;
        known.spread.launches += static_cast<std::size_t>(launches);
        known.runs += 1;
        known.compared += rows.integer(2);
        known.false_calls += rows.integer(3);
    }
    if (freedom > 0) known.spread.log_sd = std::sqrt(squares / static_cast<double>(freedom));
    return known;
}

}  // namespace

std::vector<std::string> HistoryStore::untaken(std::size_t limit) const {
    std::vector<std::string> runs;
    Statement rows = store_.impl_->database().prepare(kUntaken).bind(static_cast<std::int64_t>(limit));
    while (rows.step()) runs.push_back(rows.text(0));
    return runs;
}

void HistoryStore::take(const std::string& run, bool planted_too) {
    Database& database = store_.impl_->database();
    Transaction transaction(database, Kind::write);
    const RunRow row = find_run(database, run);
    {
        Statement state = database.prepare(kIsTaken).bind(row.key);
        if (!state.step() || state.integer(0) != 0 || state.integer(1) != 0) return;
    }
    bool to_judge = is_confirmation(row.own);
    if (may_contribute(row.own)) {
        const auto document = load_run(database, run);
        for (const auto& contribution : history::contributions(document, planted_too)) {
            insert_point(database, row.key, contribution);
            to_judge = true;
        }
        for (const auto& result : history::aa_results(document)) insert_spread(database, row.key, result);
    }
    database.prepare(kNoteTaken).bind(row.key, std::int64_t{!to_judge}).run();
    transaction.commit();
}

std::vector<FollowedSeries> HistoryStore::list() const {
    const Transaction snapshot(store_.impl_->database(), Kind::read);
    return all_of(store_.impl_->database().prepare(kList));
}

std::vector<FollowedSeries> HistoryStore::series_of(const std::string& run) const {
    const Transaction snapshot(store_.impl_->database(), Kind::read);
    return all_of(store_.impl_->database().prepare(kSeriesOf).bind(run));
}

FollowedSeries HistoryStore::find(const std::string& id) const {
    const Transaction snapshot(store_.impl_->database(), Kind::read);
    Statement row = store_.impl_->database().prepare(kFind).bind(id);
    if (!row.step()) {
        throw Error(ErrorCode::not_found,
                    "there is no series \"" + id + "\"; `foxbench history` and GET /v1/series list them");
    }
    return followed_from(row);
}

std::vector<Point> HistoryStore::points(const std::string& id, const std::optional<std::string>& until) const {
    std::vector<Point> points;
    const Transaction snapshot(store_.impl_->database(), Kind::read);
    Statement rows = store_.impl_->database().prepare(kPoints).bind(id, until.value_or(kNoEnd));
    while (rows.step()) {
        Point point;
        point.run = rows.text(0);
        point.night = rows.text(1);
        point.at_ms = rows.integer(2);
        point.launch_means_us = doubles_of(rows.bytes(3));
        point.clock_step_us = rows.real(4);
        point.calls = rows.integer(5);
        point.not_used = rows.text(6);
        point.build.version = rows.text(7);
        point.build.build_id = if_known(rows.text(8));
        point.build.source_stamp = if_known(rows.text(9));
        point.build.source_repository = if_known(rows.text(10));
        points.push_back(std::move(point));
    }
    return points;
}

std::optional<KnownSpread> HistoryStore::spread(const SeriesKey& key) const {
    auto known = pooled(store_.impl_->database().prepare(kSpread).bind(key.id()));
    if (known.runs == 0) return std::nullopt;
    return known;
}

KnownSpread HistoryStore::all_spreads() const {
    return pooled(store_.impl_->database().prepare(kAllSpreads));
}

}  // namespace foxbench::store
