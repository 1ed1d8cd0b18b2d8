#pragma once

#include "service/store/sqlite.hpp"

/// The statements about runs and what is below them. Those that a list's filters put together are in run_list.cpp, and
/// those about other tables beside the operations that use them. Parameters are bound in order.
namespace foxbench::store::sql {

// ---- runs ----
inline constexpr Sql kInsertRun{
    "insert the run",
    "INSERT INTO runs (id, source_id, state, workload, label, host, trigger_kind, listed_at_ms, owner, document) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"};
inline constexpr Sql kUpdateRun{"update the run",
                                "UPDATE runs SET state = ?2, workload = ?3, label = ?4, host = ?5, trigger_kind = ?6, "
                                "listed_at_ms = ?7, document = ?8, "
                                "content_hash = NULL WHERE key = ?1"};
inline constexpr Sql kUpdateTargetsTime{
    "update the run's time", "UPDATE targets SET listed_at_ms = ?2 WHERE run_key = ?1 AND listed_at_ms <> ?2"};
inline constexpr Sql kFindRun{"find the run", "SELECT key, owner, listed_at_ms, document FROM runs WHERE id = ?1"};
inline constexpr Sql kRunKey{"find the run", "SELECT key FROM runs WHERE id = ?1"};
inline constexpr Sql kRunState{"find the run", "SELECT key, state FROM runs WHERE id = ?1"};
inline constexpr Sql kRunRevision{"find the run", "SELECT revision FROM runs WHERE id = ?1"};
inline constexpr Sql kReleaseRun{"release the run", "UPDATE runs SET owner = NULL WHERE key = ?1"};
inline constexpr Sql kOwnedRuns{
    "find the runs that are being measured",
    "SELECT id, owner FROM runs WHERE state = 'running' AND owner IS NOT NULL ORDER BY listed_at_ms, key"};
inline constexpr Sql kDeleteRun{"remove the run", "DELETE FROM runs WHERE key = ?1"};
inline constexpr Sql kSetContentHash{"note the run's content", "UPDATE runs SET content_hash = ?2 WHERE key = ?1"};
/// Stored under the id ?1, or came with it.
inline constexpr Sql kRunsNamed{"look for the same document",
                                "SELECT id, content_hash FROM runs WHERE id = ?1 OR source_id = ?1"};
inline constexpr Sql kHashesBetween{"look for the same document",
                                    "SELECT id, content_hash FROM runs WHERE id >= ?1 AND id < ?2"};
inline constexpr Sql kRunsBetween{"look for the run",
                                  "SELECT id FROM runs WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3"};
inline constexpr Sql kCountBetween{"count the runs", "SELECT count(*) FROM runs WHERE id >= ?1 AND id < ?2"};
inline constexpr Sql kNewestIds{"look for the newest runs",
                                "SELECT id FROM runs ORDER BY listed_at_ms DESC, key DESC LIMIT ?1"};

inline constexpr Sql kCountByState{"count the runs", "SELECT state, count(*) FROM runs GROUP BY state"};
inline constexpr Sql kNoteSamples{"note that the run has samples",
                                  "UPDATE runs SET has_samples = 1 WHERE key = ?1 AND has_samples = 0"};
inline constexpr Sql kClaimRun{"claim the run", "UPDATE runs SET owner = ?2 WHERE key = ?1"};

// ---- the levels below ----
inline constexpr Sql kInsertTarget{
    "insert the target",
    "INSERT INTO targets (run_key, position, name, listed_at_ms, document) VALUES (?1, ?2, ?3, ?4, ?5)"};
inline constexpr Sql kUpdateTarget{"update the target", "UPDATE targets SET name = ?2, document = ?3 WHERE key = ?1"};
inline constexpr Sql kTargetKey{"find the target", "SELECT key FROM targets WHERE run_key = ?1 AND position = ?2"};
inline constexpr Sql kTargetNames{"read the targets' names",
                                  "SELECT name FROM targets WHERE run_key = ?1 ORDER BY position"};
inline constexpr Sql kTargetsOf{"read the targets",
                                "SELECT key, document FROM targets WHERE run_key = ?1 ORDER BY position"};

inline constexpr Sql kInsertLaunch{"insert the launch",
                                   "INSERT INTO launches (target_key, position, document) VALUES (?1, ?2, ?3)"};
inline constexpr Sql kUpdateLaunch{"update the launch", "UPDATE launches SET document = ?2 WHERE key = ?1"};
inline constexpr Sql kLaunchKey{"find the launch", "SELECT key FROM launches WHERE target_key = ?1 AND position = ?2"};
inline constexpr Sql kLaunchesOf{"read the launches",
                                 "SELECT key, document FROM launches WHERE target_key = ?1 ORDER BY position"};

inline constexpr Sql kInsertSeries{"insert the series",
                                   "INSERT INTO series (launch_key, position, name, document) VALUES (?1, ?2, ?3, ?4)"};
inline constexpr Sql kUpdateSeries{"update the series", "UPDATE series SET name = ?2, document = ?3 WHERE key = ?1"};
inline constexpr Sql kSeriesKey{"find the series",
                                "SELECT key, name FROM series WHERE launch_key = ?1 AND position = ?2"};
inline constexpr Sql kSeriesOf{"read the series",
                               "SELECT key, document FROM series WHERE launch_key = ?1 ORDER BY position"};

inline constexpr Sql kInsertPass{
    "store the pass",
    "INSERT INTO passes (series_key, position, calls, document, samples) VALUES (?1, ?2, ?3, ?4, ?5)"};
inline constexpr Sql kPassKey{"find the pass", "SELECT key FROM passes WHERE series_key = ?1 AND position = ?2"};
inline constexpr Sql kPassesOf{
    "read the passes", "SELECT position, calls, document, samples FROM passes WHERE series_key = ?1 ORDER BY position"};
inline constexpr Sql kCountMeasuredPasses{
    "count the passes",
    "SELECT count(*) FROM targets JOIN launches ON launches.target_key = targets.key JOIN series ON series.launch_key "
    "= launches.key "
    "JOIN passes ON passes.series_key = series.key WHERE targets.run_key = ?1 AND passes.position >= 0"};
inline constexpr Sql kLastPassEnd{"find the last pass",
                                  "SELECT max(json_extract(passes.document, '$.finished_at_ms')) FROM targets JOIN "
                                  "launches ON launches.target_key = targets.key "
                                  "JOIN series ON series.launch_key = launches.key JOIN passes ON passes.series_key = "
                                  "series.key WHERE targets.run_key = ?1"};

}  // namespace foxbench::store::sql
