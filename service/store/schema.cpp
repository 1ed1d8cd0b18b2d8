#include "service/store/schema.hpp"

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "service/error.hpp"

namespace foxbench::store {
namespace {

// Why these tables: each level of a run document is a table. A row's `document` holds that level's own members as JSON,
// without the levels below, so that members that this version does not know are kept at every level and a new member
// needs no migration; beside it stand the row's place (the row above it and its position there), and columns that are
// copies of members, only where a query filters or orders by them.
//
// A pass's latencies are one compressed blob beside its own members: listing runs never reads them, and a finished pass
// is one inserted row. What comes later (queue, events, baselines, ...) gets tables of its own that refer to runs(key).
constexpr Sql kCreateRuns{"create the tables", R"sql(
CREATE TABLE runs (
    key          INTEGER PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    source_id    TEXT NOT NULL,        -- the id that an imported document came with; else the run's own
    state        TEXT NOT NULL,
    workload     TEXT NOT NULL,
    label        TEXT,
    host         TEXT,
    trigger_kind TEXT,
    listed_at_ms INTEGER NOT NULL,     -- started_at, else when it was stored
    owner        TEXT,                 -- the process that measures it; null once it is final
    content_hash BLOB,                 -- SHA-256 of the content of a final run; null until somebody asks
    document     TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_time     ON runs (listed_at_ms);
CREATE INDEX runs_by_state    ON runs (state, listed_at_ms);
CREATE INDEX runs_by_workload ON runs (workload, listed_at_ms);
CREATE INDEX runs_by_label    ON runs (label, listed_at_ms);
CREATE INDEX runs_by_host     ON runs (host, listed_at_ms);
CREATE INDEX runs_by_trigger  ON runs (trigger_kind, listed_at_ms);
CREATE INDEX runs_by_source   ON runs (source_id);

CREATE TABLE targets (
    key          INTEGER PRIMARY KEY,
    run_key      INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    name         TEXT NOT NULL,
    listed_at_ms INTEGER NOT NULL,     -- the run's, so that an index gives a target's newest runs
    document     TEXT NOT NULL,
    UNIQUE (run_key, position)
) STRICT;
CREATE INDEX targets_by_name ON targets (name, listed_at_ms, run_key);

CREATE TABLE launches (
    key          INTEGER PRIMARY KEY,
    target_key   INTEGER NOT NULL REFERENCES targets (key) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    document     TEXT NOT NULL,
    UNIQUE (target_key, position)
) STRICT;

CREATE TABLE series (
    key          INTEGER PRIMARY KEY,
    launch_key   INTEGER NOT NULL REFERENCES launches (key) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    name         TEXT NOT NULL,
    document     TEXT NOT NULL,
    UNIQUE (launch_key, position)
) STRICT;

CREATE TABLE passes (
    key          INTEGER PRIMARY KEY,
    series_key   INTEGER NOT NULL REFERENCES series (key) ON DELETE CASCADE,
    position     INTEGER NOT NULL,     -- -1: the warm-up
    calls        INTEGER NOT NULL,
    document     TEXT NOT NULL,
    samples      BLOB NOT NULL,
    UNIQUE (series_key, position)
) STRICT;
)sql"};

constexpr std::array<Migration, 1> kMigrations = {{{1, kCreateRuns}}};

/// "fxbn", in the file's header (https://sqlite.org/fileformat2.html#application_id): says whose database it is.
constexpr std::int64_t kApplicationId = 0x6678626E;
constexpr Sql kSetApplicationId{"mark the database", "PRAGMA application_id = 0x6678626E"};
constexpr Sql kApplicationIdOf{"read the database's mark", "PRAGMA application_id"};
constexpr Sql kVersionOf{"read the schema's version", "PRAGMA user_version"};
constexpr Sql kCountTables{"look for tables", "SELECT count(*) FROM sqlite_schema"};

/// Incremental: space is given back when a run is removed, and at no other time. It has to be said before the first
/// table is made; later it would be a write, and wait for other writers, at every opening.
constexpr Sql kAutoVacuum{"set up the database", "PRAGMA auto_vacuum = INCREMENTAL"};
constexpr Sql kJournalIsWal{"read the journal's mode", "SELECT journal_mode = 'wal' FROM pragma_journal_mode"};
constexpr Sql kUseWal{"switch to write-ahead logging", "PRAGMA journal_mode = WAL"};
/// FULL: each commit is synced, which WAL does not do by default. The limit keeps one large import from leaving a large
/// log behind.
constexpr Sql kConnection{"set up the connection",
                          "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 4194304"};

/// SQLite does not wait for other connections when it changes the mode, so that two processes that make a store at once
/// would fail.
void use_wal(Database& database) {
    using namespace std::chrono;
    constexpr milliseconds kPause{10};
    const auto deadline = steady_clock::now() + Database::kBusyTimeout;
    while (database.number(kJournalIsWal) == 0) {
        try {
            database.execute(kUseWal);
            return;  // also where the filesystem cannot do it: then SQLite stays with its rollback journal, as durable
        } catch (const Error&) {
            if (!database.failed_busy() || steady_clock::now() >= deadline) throw;
        }
        std::this_thread::sleep_for(kPause);
    }
}

void refuse_foreign(Database& database, bool is_new) {
    if (is_new || database.number(kApplicationIdOf) == kApplicationId) return;
    throw Error(ErrorCode::environment,
                "store: " + database.path().string() + " is a database of something else; use another results folder");
}

void refuse_newer(Database& database, std::int64_t newest) {
    const std::int64_t version = database.number(kVersionOf);
    if (version <= newest) return;
    throw Error(ErrorCode::unsupported, "store: " + database.path().string() + " has schema version " +
                                            std::to_string(version) + ", this foxbench knows up to " +
                                            std::to_string(newest) + "; use a newer foxbench");
}

void migrate(Database& database, std::span<const Migration> steps) {
    if (database.number(kVersionOf) == steps.back().version) return;
    Transaction transaction(database, Transaction::Kind::write);
    const std::int64_t version = database.number(kVersionOf);  // again: another process may have been faster
    refuse_newer(database, steps.back().version);
    for (const Migration& step : steps) {
        if (step.version > version) database.execute(step.script);
    }
    database.execute(kSetApplicationId);
    const std::string set_version = "PRAGMA user_version = " + std::to_string(steps.back().version);
    database.execute({"note the schema's version", set_version.c_str()});
    transaction.commit();
}

}  // namespace

std::span<const Migration> migrations() noexcept {
    return kMigrations;
}

std::unique_ptr<Database> open_database(const std::filesystem::path& path, bool create,
                                        std::span<const Migration> steps) {
    auto database = std::make_unique<Database>(path, create);
    const bool is_new = database->number(kCountTables) == 0 && database->number(kApplicationIdOf) == 0;
    refuse_foreign(*database, is_new);
    refuse_newer(*database, steps.back().version);
    if (is_new) database->execute(kAutoVacuum);
    use_wal(*database);
    database->execute(kConnection);
    migrate(*database, steps);
    return database;
}

}  // namespace foxbench::store
