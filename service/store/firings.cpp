#include "service/store/firings.hpp"

#include "service/document/json_text.hpp"
#include "service/store/store_impl.hpp"

namespace foxbench::store {
namespace {

using Kind = Transaction::Kind;

constexpr Sql kInsertFiring{"record the firing",
                            "INSERT INTO firings (schedule, due_at_ms, outcome, run, reason, recorded_at_ms) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING"};
constexpr Sql kForgetFirings{"forget old firings",
                             "DELETE FROM firings WHERE schedule = ?1 AND due_at_ms <= (SELECT due_at_ms FROM firings "
                             "WHERE schedule = ?1 ORDER BY due_at_ms DESC LIMIT 1 OFFSET ?2)"};
constexpr Sql kHasFiring{"look for the firing", "SELECT 1 FROM firings WHERE schedule = ?1 AND due_at_ms = ?2"};
constexpr Sql kLastFiring{"look for the last firing",
                          "SELECT max(due_at_ms) FROM firings WHERE schedule = ?1 AND due_at_ms <= ?2"};
constexpr Sql kFirings{"read the firings",
                       "SELECT due_at_ms, outcome, run, reason, recorded_at_ms FROM firings WHERE schedule = ?1 "
                       "ORDER BY due_at_ms DESC LIMIT ?2"};
// One of which only the name was known so far counts as unchanged.
constexpr Sql kMeetSchedule{"note the schedule",
                            "INSERT INTO schedules (name, known_since_ms, times) VALUES (?1, ?2, ?3) "
                            "ON CONFLICT (name) DO UPDATE SET known_since_ms = CASE "
                            "WHEN times <> excluded.times THEN excluded.known_since_ms "
                            "ELSE min(known_since_ms, excluded.known_since_ms) END, times = excluded.times"};
constexpr Sql kScheduleState{"read the schedule's state",
                             "SELECT paused, known_since_ms, times IS ?2 FROM schedules WHERE name = ?1"};
constexpr Sql kForgetSchedules{"forget schedules",
                               "DELETE FROM schedules WHERE name NOT IN (SELECT value FROM json_each(?1))"};
constexpr Sql kHasOtherSchedules{"look for schedules that are gone",
                                 "SELECT 1 FROM schedules WHERE name NOT IN (SELECT value FROM json_each(?1)) LIMIT 1"};
constexpr Sql kSetPaused{"pause or resume the schedule",
                         "INSERT INTO schedules (name, paused, known_since_ms) VALUES (?1, ?2, ?3) "
                         "ON CONFLICT (name) DO UPDATE SET paused = excluded.paused"};

/// Whether it was not there yet.
bool insert_firing(Database& database, const Firing& firing) {
    database.prepare(kInsertFiring)
        .bind(firing.schedule, firing.due_at_ms, firing.outcome, firing.run, firing.reason, firing.recorded_at_ms)
        .run();
    if (database.changes() == 0) return false;
    database.prepare(kForgetFirings).bind(firing.schedule, kKeptFirings).run();
    return true;
}

}  // namespace

bool Store::record_firing(const Firing& firing) {
    Transaction transaction(impl_->database(), Kind::write);
    if (!insert_firing(impl_->database(), firing)) return false;
    transaction.commit();
    return true;
}

std::optional<std::string> Store::enqueue_firing(const Firing& firing, const NewJob& job) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    if (database.prepare(kHasFiring).bind(firing.schedule, firing.due_at_ms).step()) return std::nullopt;
    Firing queued = firing;
    queued.outcome = kFiringQueued;
    queued.run = insert_job(database, job);
    insert_firing(database, queued);
    transaction.commit();
    return queued.run;
}

std::optional<std::int64_t> Store::last_firing(const std::string& schedule, std::int64_t now_ms) const {
    Statement row = impl_->database().prepare(kLastFiring).bind(schedule, now_ms);
    if (!row.step() || row.is_null(0)) return std::nullopt;
    return row.integer(0);
}

std::vector<Firing> Store::firings(const std::string& schedule, std::size_t limit) const {
    std::vector<Firing> firings;
    Statement rows = impl_->database().prepare(kFirings).bind(schedule, static_cast<std::int64_t>(limit));
    while (rows.step()) {
        firings.push_back(
            {schedule, rows.integer(0), rows.text(1), rows.optional_text(2), rows.optional_text(3), rows.integer(4)});
    }
    return firings;
}

ScheduleState Store::schedule_state(const std::string& schedule, const std::string& times, std::int64_t now_ms) {
    Database& database = impl_->database();
    bool unchanged = false;
    const auto read = [&]() -> std::optional<ScheduleState> {
        Statement row = database.prepare(kScheduleState).bind(schedule, times);
        if (!row.step()) return std::nullopt;
        unchanged = row.integer(2) != 0;
        return ScheduleState{row.integer(0) != 0, row.integer(1)};
    };
    // As a rule, and without a write.
    if (const auto known = read(); known && unchanged && known->known_since_ms <= now_ms) return *known;
    Transaction transaction(database, Kind::write);
    database.prepare(kMeetSchedule).bind(schedule, now_ms, times).run();
    const ScheduleState state = read().value_or(ScheduleState{false, now_ms});
    transaction.commit();
    return state;
}

void Store::forget_schedules_but(const std::vector<std::string>& names) {
    Database& database = impl_->database();
    const std::string list = document::to_text(document::Json(names));
    if (!database.prepare(kHasOtherSchedules).bind(list).step()) return;  // as a rule, and without a write
    Transaction transaction(database, Kind::write);
    database.prepare(kForgetSchedules).bind(list).run();
    transaction.commit();
}

void Store::set_paused(const std::string& schedule, bool paused) {
    Transaction transaction(impl_->database(), Kind::write);
    impl_->database().prepare(kSetPaused).bind(schedule, std::int64_t{paused}, now_ms()).run();
    transaction.commit();
}

}  // namespace foxbench::store
