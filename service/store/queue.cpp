#include "service/store/queue.hpp"

#include <algorithm>

#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/store/process_identity.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/statements.hpp"
#include "service/store/store_impl.hpp"

namespace foxbench::store {
namespace {

using document::RunState;
using Kind = Transaction::Kind;

constexpr Sql kInsertJob{"queue the run",
                         "INSERT INTO jobs (run_key, job_class, priority, queued_at_ms, schedule, request) "
                         "VALUES (?1, ?2, ?3, ?4, ?5, ?6)"};
// CROSS JOIN here and below: from the few runs that have not ended to their jobs, however many jobs there were.
constexpr Sql kQueue{"read the queue",
                     "SELECT runs.id, job_class, priority, queued_at_ms, schedule, attempts, request "
                     "FROM runs CROSS JOIN jobs ON jobs.run_key = runs.key WHERE runs.state = 'queued' "
                     "ORDER BY job_class, CASE job_class WHEN 1 THEN priority END DESC, queued_at_ms, runs.key "
                     "LIMIT ?1"};
constexpr Sql kJobOf{"read the job",
                     "SELECT runs.id, job_class, priority, queued_at_ms, schedule, attempts, request "
                     "FROM runs JOIN jobs ON jobs.run_key = runs.key WHERE runs.id = ?1"};
constexpr Sql kCountAttempt{"claim the run", "UPDATE jobs SET attempts = attempts + 1 WHERE run_key = ?1"};
constexpr Sql kIsQueuedJob{"look into the queue",
                           "SELECT 1 FROM runs JOIN jobs ON jobs.run_key = runs.key "
                           "WHERE runs.key = ?1 AND runs.state = 'queued'"};
constexpr Sql kUnfinishedOfSchedule{"look for the schedule's jobs",
                                    "SELECT 1 FROM runs CROSS JOIN jobs ON jobs.run_key = runs.key "
                                    "WHERE runs.state IN ('queued', 'running') AND schedule = ?1 LIMIT 1"};
constexpr Sql kOldestQueued{"look into the queue",
                            "SELECT min(queued_at_ms) FROM runs CROSS JOIN jobs ON jobs.run_key = runs.key "
                            "WHERE runs.state = 'queued'"};
constexpr Sql kPastRuns{"look for past runs",
                        "SELECT json_extract(document, '$.started_at'), json_extract(document, '$.finished_at'), "
                        "(SELECT count(*) FROM targets JOIN launches ON launches.target_key = targets.key WHERE "
                        "targets.run_key = past.key) "
                        "FROM (SELECT key, listed_at_ms, state, document FROM runs WHERE workload = ?1 "
                        "ORDER BY listed_at_ms DESC, key DESC LIMIT ?3) AS past "
                        "WHERE state = 'completed' AND json_extract(document, '$.config.preset') = ?2 "
                        "ORDER BY listed_at_ms DESC, key DESC"};

constexpr Sql kNoteDropped{"note the dropped run", "UPDATE firings SET outcome = ?2, reason = ?3 WHERE run = ?1"};

/// Older runs say little about how long the next one takes, and a rare preset must not make every run be looked at.
constexpr std::int64_t kPastRunsLookedAt = 1000;
constexpr std::int64_t kAll = -1;  // as a LIMIT

/// What JobClass is in the database: its order.
std::int64_t to_column(JobClass job_class) {
    return static_cast<std::int64_t>(job_class);
}

Job job_from(const Statement& row) {
    Job job;
    job.run = row.text(0);
    job.job_class = static_cast<JobClass>(row.integer(1));
    job.priority = row.integer(2);
    job.queued_at_ms = row.integer(3);
    job.schedule = row.optional_text(4);
    job.attempts = static_cast<int>(row.integer(5));
    job.request = document::parse_json(row.bytes(6), "the store");
    return job;
}

/// The run of a claimed job of which nothing was measured.
RunRow find_unmeasured(Database& database, const std::string& run) {
    RunRow row = find_run(database, run);
    if (row.own.state != RunState::running || measured_passes(database, row.key) != 0) {
        throw Error(ErrorCode::conflict, "the run " + run + " is " + document::to_string(row.own.state) +
                                             " or has passes, and cannot be treated as if it had not begun");
    }
    return row;
}

}  // namespace

const char* to_string(JobClass job_class) noexcept {
    switch (job_class) {
        case JobClass::confirmation:
            return "confirmation";
        case JobClass::manual:
            return "manual";
        case JobClass::scheduled:
            break;
    }
    return "scheduled";
}

std::string insert_job(Database& database, const NewJob& job) {
    document::RunDocument run = job.skeleton;
    run.id = free_id_for(database, job.skeleton.id);
    run.state = RunState::queued;
    insert_run(database, run, run.id, std::nullopt, job.queued_at_ms);
    database.prepare(kInsertJob)
        .bind(find_run_key(database, run.id), to_column(job.job_class), job.priority, job.queued_at_ms, job.schedule,
              document::to_text(job.request))
        .run();
    return run.id;
}

bool is_queued_job(Database& database, std::int64_t run_key) {
    return database.prepare(kIsQueuedJob).bind(run_key).step();
}

std::string Store::enqueue(const NewJob& job, const AnswerTo& answer_to) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    std::string id = insert_job(database, job);
    const auto keyed = answer_to ? answer_to(id) : std::nullopt;
    if (keyed && !insert_answer(database, keyed->key, keyed->answer, job.queued_at_ms))
        throw Error(ErrorCode::conflict, "the key " + document::printable(keyed->key) + " has an answer already");
    transaction.commit();
    return id;
}

std::vector<Job> Store::queue() const {
    std::vector<Job> jobs;
    Statement rows = impl_->database().prepare(kQueue).bind(kAll);
    while (rows.step()) jobs.push_back(job_from(rows));
    return jobs;
}

std::optional<Job> Store::claim_next() {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    std::optional<Job> job;
    {
        Statement first = database.prepare(kQueue).bind(std::int64_t{1});
        if (!first.step()) return std::nullopt;
        job = job_from(first);
    }
    RunRow row = find_run(database, job->run);
    row.own.state = RunState::running;
    store::update_run(database, row);
    database.prepare(sql::kClaimRun).bind(row.key, identify_self()).run();
    database.prepare(kCountAttempt).bind(row.key).run();
    ++job->attempts;
    transaction.commit();
    return job;
}

void Store::put_back(const std::string& run) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    RunRow row = find_unmeasured(database, run);
    row.own.state = RunState::queued;
    store::update_run(database, row);
    database.prepare(sql::kReleaseRun).bind(row.key).run();
    transaction.commit();
}

void Store::drop_job(const std::string& run, const std::string& reason) {
    Database& database = impl_->database();
    {
        Transaction transaction(database, Kind::write);
        database.prepare(sql::kDeleteRun).bind(find_unmeasured(database, run).key).run();
        database.prepare(kNoteDropped).bind(run, kFiringSkipped, reason).run();
        transaction.commit();
    }
    give_space_back(database);
}

std::optional<Job> Store::job_of(const std::string& run) const {
    Statement row = impl_->database().prepare(kJobOf).bind(run);
    if (!row.step()) return std::nullopt;
    return job_from(row);
}

bool Store::has_unfinished_job(const std::string& schedule) const {
    return impl_->database().prepare(kUnfinishedOfSchedule).bind(schedule).step();
}

std::optional<std::int64_t> Store::oldest_queued_at_ms() const {
    Statement row = impl_->database().prepare(kOldestQueued);
    if (!row.step() || row.is_null(0)) return std::nullopt;
    return row.integer(0);
}

std::vector<PastRun> Store::past_durations(const std::string& workload, const std::string& preset,
                                           std::size_t limit) const {
    std::vector<PastRun> runs;
    Statement rows = impl_->database().prepare(kPastRuns).bind(workload, preset, kPastRunsLookedAt);
    while (runs.size() < limit && rows.step()) {
        const auto start = document::utc_milliseconds(rows.bytes(0));
        const auto end = document::utc_milliseconds(rows.bytes(1));
        const std::int64_t launches = rows.integer(2);
        if (!start || !end || *end <= *start || launches == 0) continue;
        runs.push_back({static_cast<double>(*end - *start) / 1000, launches});
    }
    return runs;
}

}  // namespace foxbench::store
