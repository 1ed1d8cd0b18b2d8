#include <array>

#include "service/store/schema.hpp"

namespace foxbench::store {
namespace {

// Why these tables: each level of a run document is a table. A row's `document` holds that level's own members as JSON,
// without the levels below, so that members that this version does not know are kept at every level and a new member
// needs no migration; beside it stand the row's place (the row above it and its position there), and columns that are
// copies of members, only where a query filters or orders by them.
//
// A pass's latencies are one compressed blob beside its own members: listing runs never reads them, and a finished pass
// is one inserted row. What is not of a run document has tables of its own.
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

// What a daemon keeps beside the runs: the queue, its schedules, its clients. Tables about moments of the past name
// their run by its id and survive it; a job belongs to its run and goes with it.
constexpr Sql kAddDaemon{"add the daemon's tables", R"sql(
ALTER TABLE runs ADD COLUMN has_samples INTEGER NOT NULL DEFAULT 0;  -- whether passes are stored below it
UPDATE runs SET has_samples = EXISTS (
    SELECT 1 FROM targets JOIN launches ON launches.target_key = targets.key
                          JOIN series   ON series.launch_key = launches.key
                          JOIN passes   ON passes.series_key = series.key
    WHERE targets.run_key = runs.key);
CREATE INDEX runs_with_samples ON runs (listed_at_ms) WHERE has_samples = 1;

CREATE TABLE jobs (
    run_key      INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
    job_class    INTEGER NOT NULL,     -- 0: confirmation, 1: manual, 2: scheduled; the order
    priority     INTEGER NOT NULL,     -- of manual ones: higher first
    queued_at_ms INTEGER NOT NULL,
    schedule     TEXT,                 -- the one that made it
    attempts     INTEGER NOT NULL DEFAULT 0,
    request      TEXT NOT NULL         -- JSON
) STRICT;

CREATE TABLE firings (
    schedule       TEXT NOT NULL,
    due_at_ms      INTEGER NOT NULL,
    outcome        TEXT NOT NULL CHECK (outcome IN ('queued', 'skipped')),
    run            TEXT,
    reason         TEXT,
    recorded_at_ms INTEGER NOT NULL,
    PRIMARY KEY (schedule, due_at_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE schedules (
    name           TEXT PRIMARY KEY,
    paused         INTEGER NOT NULL DEFAULT 0,
    known_since_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL              -- the lowest number that nobody has got yet
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
    key          TEXT PRIMARY KEY,     -- Idempotency-Key
    request_hash TEXT NOT NULL,
    status       INTEGER NOT NULL,
    headers      TEXT NOT NULL,        -- JSON
    body         BLOB NOT NULL,
    stored_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX answers_by_time ON answers (stored_at_ms);

CREATE TABLE deliveries (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    url                TEXT NOT NULL,
    run                TEXT NOT NULL,
    event              TEXT NOT NULL,
    body               BLOB NOT NULL,
    attempts           INTEGER NOT NULL,
    state              TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
    last_status        INTEGER,        -- HTTP's
    last_error         TEXT,
    created_at_ms      INTEGER NOT NULL,
    next_attempt_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_attempt_at_ms) WHERE state = 'pending';
)sql"};

// What lets others notice changes: of a finished run (retention took its samples, another run came in its place), and
// of a schedule; and what tells webhooks apart. Triggers, so that no statement that changes a run can forget it.
constexpr Sql kNoticeChanges{"add what tells of changes", R"sql(
ALTER TABLE runs ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;  -- goes up with each change; no two are alike
CREATE TRIGGER runs_inserted AFTER INSERT ON runs BEGIN
    INSERT INTO counters (name, next) VALUES ('revisions', 2) ON CONFLICT (name) DO UPDATE SET next = next + 1;
    UPDATE runs SET revision = (SELECT next - 1 FROM counters WHERE name = 'revisions') WHERE key = NEW.key;
END;
CREATE TRIGGER runs_changed AFTER UPDATE OF document, has_samples ON runs BEGIN
    INSERT INTO counters (name, next) VALUES ('revisions', 2) ON CONFLICT (name) DO UPDATE SET next = next + 1;
    UPDATE runs SET revision = (SELECT next - 1 FROM counters WHERE name = 'revisions') WHERE key = NEW.key;
END;

ALTER TABLE schedules ADD COLUMN times TEXT;  -- what says when it fires, as of known_since_ms; null: not known

ALTER TABLE deliveries ADD COLUMN secret_file TEXT;  -- tells webhooks with one url apart; null: not known
)sql"};

// What follows from many runs: the nights of each series, how much launches of one build differ, what was noticed. All
// but what people said follows from the runs, so a run that is not `taken` yet is taken in later, whenever there is
// time.
constexpr Sql kAddHistories{"add the histories' tables", R"sql(
ALTER TABLE runs ADD COLUMN taken  INTEGER NOT NULL DEFAULT 0;  -- its contributions to the histories are there
ALTER TABLE runs ADD COLUMN judged INTEGER NOT NULL DEFAULT 0;  -- what it shows of its series was judged
-- What was measured before is in the histories, too, but old nights are not judged one after the other for that: the
-- next one is judged with them all in view.
UPDATE runs SET judged = 1 WHERE state NOT IN ('queued', 'running');
CREATE INDEX runs_untaken ON runs (listed_at_ms) WHERE taken = 0;
CREATE INDEX runs_unjudged ON runs (listed_at_ms) WHERE judged = 0;

CREATE TABLE followed (                -- a series of a target on a host, doing the same work
    key        INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    host       TEXT NOT NULL,
    host_name  TEXT NOT NULL,
    workload   TEXT NOT NULL,
    target     TEXT NOT NULL,
    series     TEXT NOT NULL,
    tab        TEXT NOT NULL,          -- per-call or per-file
    parameters TEXT NOT NULL           -- JSON
) STRICT;

CREATE TABLE builds (
    key               INTEGER PRIMARY KEY,
    version           TEXT NOT NULL,
    build_id          TEXT NOT NULL,   -- empty: not known, as the next two
    source_stamp      TEXT NOT NULL,
    source_repository TEXT NOT NULL,
    UNIQUE (version, build_id, source_stamp, source_repository)
) STRICT;

CREATE TABLE points (
    followed_key  INTEGER NOT NULL REFERENCES followed (key),
    night         TEXT NOT NULL,       -- a date
    run_key       INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    target        INTEGER NOT NULL,    -- its position in the run
    at_ms         INTEGER NOT NULL,
    means_us      BLOB NOT NULL,       -- one double a launch, little-endian
    clock_step_us REAL NOT NULL,
    calls         INTEGER NOT NULL,
    build_key     INTEGER NOT NULL REFERENCES builds (key),
    not_used      TEXT NOT NULL,       -- why it does not count; empty: it does
    PRIMARY KEY (followed_key, night, run_key, target)
) STRICT, WITHOUT ROWID;
CREATE INDEX points_by_run ON points (run_key);

CREATE TABLE spreads (                 -- what an A/A run says of a series
    followed_key INTEGER NOT NULL REFERENCES followed (key),
    run_key      INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    log_sd       REAL NOT NULL,
    launches     INTEGER NOT NULL,
    compared     INTEGER NOT NULL,     -- its halves could be compared
    false_call   INTEGER NOT NULL,     -- and were called different
    PRIMARY KEY (followed_key, run_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX spreads_by_run ON spreads (run_key);

CREATE TABLE baselines (
    name      TEXT PRIMARY KEY,
    run_key   INTEGER NOT NULL REFERENCES runs (key),
    note      TEXT,
    set_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX baselines_by_run ON baselines (run_key);

CREATE TABLE alerts (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    series         TEXT NOT NULL,      -- id of the followed series
    state          TEXT NOT NULL,
    acknowledged   INTEGER NOT NULL,
    slower         INTEGER NOT NULL,
    is_step        INTEGER NOT NULL,
    first_bad      TEXT NOT NULL,
    last_good      TEXT NOT NULL,
    run            TEXT NOT NULL,      -- of the first bad night; may have been deleted since
    confirmation   TEXT NOT NULL,      -- the run that measured it again; empty
    created_at_ms  INTEGER NOT NULL,
    notified_at_ms INTEGER,
    details        TEXT NOT NULL       -- JSON
) STRICT;
CREATE INDEX alerts_by_series ON alerts (series, first_bad);
CREATE INDEX alerts_by_run ON alerts (run);
CREATE INDEX alerts_by_confirmation ON alerts (confirmation);

CREATE TABLE alert_changes (
    key      INTEGER PRIMARY KEY,
    alert_id INTEGER NOT NULL REFERENCES alerts (id),
    at_ms    INTEGER NOT NULL,
    action   TEXT NOT NULL,
    note     TEXT NOT NULL,
    by_whom  TEXT NOT NULL,
    before   TEXT NOT NULL,            -- states
    after    TEXT NOT NULL
) STRICT;
CREATE INDEX alert_changes_by_alert ON alert_changes (alert_id, key);
)sql"};

constexpr std::array<Migration, 4> kMigrations = {
    {{1, kCreateRuns}, {2, kAddDaemon}, {3, kNoticeChanges}, {4, kAddHistories}}};

}  // namespace

std::span<const Migration> migrations() noexcept {
    return kMigrations;
}

}  // namespace foxbench::store
