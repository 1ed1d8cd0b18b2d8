#include "service/store/alerts.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/store_impl.hpp"
#include "service/text/words.hpp"

namespace foxbench::store {
namespace {

using Kind = Transaction::Kind;

#define FOXBENCH_ALERT_COLUMNS                                                                                   \
    "id, series, state, acknowledged, slower, is_step, first_bad, last_good, run, confirmation, created_at_ms, " \
    "notified_at_ms, details FROM alerts "

constexpr Sql kUnjudged{"look for runs to judge",
                        "SELECT id FROM runs WHERE judged = 0 AND taken = 1 ORDER BY listed_at_ms, key LIMIT ?1"};
constexpr Sql kIsJudged{"find the run", "SELECT judged FROM runs WHERE id = ?1"};
constexpr Sql kNoteJudged{"note that the run is judged", "UPDATE runs SET judged = 1 WHERE id = ?1"};
constexpr Sql kInsert{"store the alert",
                      "INSERT INTO alerts (series, state, acknowledged, slower, is_step, first_bad, last_good, run, "
                      "confirmation, created_at_ms, notified_at_ms, details) "
                      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"};
constexpr Sql kUpdate{"change the alert",
                      "UPDATE alerts SET state = ?2, acknowledged = ?3, is_step = ?4, first_bad = ?5, last_good = ?6, "
                      "details = ?7 WHERE id = ?1"};
constexpr Sql kNoteTold{"note that the alert was told", "UPDATE alerts SET notified_at_ms = ?2 WHERE id = ?1"};
constexpr Sql kFind{"find the alert", "SELECT " FOXBENCH_ALERT_COLUMNS "WHERE id = ?1"};
// Suspected and confirmed ones want attention: is_open().
constexpr Sql kList{"read the alerts",
                    "SELECT " FOXBENCH_ALERT_COLUMNS
                    "WHERE (?1 IS NULL OR series = ?1) AND (?2 IS NULL OR state = ?2) AND (?3 IS NULL OR ?3 = "
                    "(acknowledged = 0 AND state IN ('suspected', 'confirmed'))) ORDER BY id DESC LIMIT ?4"};
constexpr Sql kWaitingFor{
    "read the alerts", "SELECT " FOXBENCH_ALERT_COLUMNS "WHERE confirmation = ?1 AND state = 'suspected' ORDER BY id"};
constexpr Sql kUntold{"look for alerts to tell",
                      "SELECT " FOXBENCH_ALERT_COLUMNS
                      "WHERE state = 'confirmed' AND notified_at_ms IS NULL AND run NOT IN ("
                      "SELECT waiting.run FROM alerts AS waiting JOIN runs ON runs.id = waiting.confirmation "
                      "WHERE waiting.state = 'suspected' AND runs.judged = 0) ORDER BY id"};
#undef FOXBENCH_ALERT_COLUMNS
constexpr Sql kKnownSteps{"read the series' steps",
                          "SELECT DISTINCT first_bad FROM alerts WHERE series = ?1 AND (state = 'expected' OR "
                          "(is_step = 1 AND state = 'confirmed')) ORDER BY first_bad"};
constexpr Sql kInvalidNights{"read the series' wrong nights",
                             "SELECT DISTINCT first_bad FROM alerts WHERE series = ?1 AND state = 'invalid' "
                             "ORDER BY first_bad"};
constexpr Sql kOpenCount{"count the open alerts",
                         "SELECT count(*) FROM alerts WHERE acknowledged = 0 AND state IN ('suspected', 'confirmed')"};
constexpr Sql kInsertChange{"store what happened to the alert",
                            "INSERT INTO alert_changes (alert_id, at_ms, action, note, by_whom, before, after) "
                            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)"};
constexpr Sql kTrail{"read what happened to the alert",
                     "SELECT at_ms, action, note, by_whom, before, after FROM alert_changes WHERE alert_id = ?1 "
                     "ORDER BY key"};

constexpr const char* kFoxbench = "foxbench";

struct StateName {
    AlertState state;
    const char* name;
};
constexpr std::array<StateName, 5> kStates = {{{AlertState::suspected, "suspected"},
                                               {AlertState::confirmed, "confirmed"},
                                               {AlertState::not_reproduced, "not_reproduced"},
                                               {AlertState::expected, "expected"},
                                               {AlertState::invalid, "invalid"}}};

Alert alert_from(const Statement& row) {
    Alert alert;
    alert.id = row.integer(0);
    alert.series = row.text(1);
    alert.state = alert_state_from(row.text(2));
    alert.acknowledged = row.integer(3) != 0;
    alert.slower = row.integer(4) != 0;
    alert.is_step = row.integer(5) != 0;
    alert.first_bad = row.text(6);
    alert.last_good = row.text(7);
    alert.run = row.text(8);
    alert.confirmation = row.text(9);
    alert.created_at_ms = row.integer(10);
    if (!row.is_null(11)) alert.notified_at_ms = row.integer(11);
    alert.details = document::parse_json(row.bytes(12), "the store");
    return alert;
}

std::vector<Alert> all_of(Statement rows) {
    std::vector<Alert> all;
    while (rows.step()) all.push_back(alert_from(rows));
    return all;
}

std::vector<std::string> texts_of(Statement rows) {
    std::vector<std::string> all;
    while (rows.step()) all.push_back(rows.text(0));
    return all;
}

Alert find_alert(Database& database, std::int64_t id) {
    Statement row = database.prepare(kFind).bind(id);
    if (!row.step()) {
        throw Error(ErrorCode::not_found,
                    "there is no alert " + std::to_string(id) + "; `foxbench alerts --all` lists them");
    }
    return alert_from(row);
}

std::int64_t insert_alert(Database& database, const Alert& alert) {
    database.prepare(kInsert)
        .bind(alert.series, to_string(alert.state), std::int64_t{alert.acknowledged}, std::int64_t{alert.slower},
              std::int64_t{alert.is_step}, alert.first_bad, alert.last_good, alert.run, alert.confirmation,
              alert.created_at_ms, alert.notified_at_ms, document::to_text(alert.details))
        .run();
    return database.last_insert_key();
}

void insert_change(Database& database, std::int64_t alert, const AlertChange& change) {
    database.prepare(kInsertChange)
        .bind(alert, change.at_ms, change.action, change.note, change.by, to_string(change.before),
              to_string(change.after))
        .run();
}

void update_alert(Database& database, const Alert& alert) {
    database.prepare(kUpdate)
        .bind(alert.id, to_string(alert.state), std::int64_t{alert.acknowledged}, std::int64_t{alert.is_step},
              alert.first_bad, alert.last_good, document::to_text(alert.details))
        .run();
}

AlertChange change_by_foxbench(const Alerts::Changed& changed, AlertState before, std::int64_t now_ms) {
    return {now_ms, changed.action, changed.reason, kFoxbench, before, changed.alert.state};
}

}  // namespace

const char* to_string(AlertState state) noexcept {
    for (const auto& one : kStates) {
        if (one.state == state) return one.name;
    }
    return "suspected";
}

AlertState alert_state_from(const std::string& word) {
    std::vector<std::string> known;
    for (const auto& one : kStates) {
        if (word == one.name) return one.state;
        known.emplace_back(one.name);
    }
    throw Error(ErrorCode::usage, "\"" + word + "\" is no state of an alert." + text::suggestion(word, known));
}

bool is_open(const Alert& alert) noexcept {
    return !alert.acknowledged && (alert.state == AlertState::suspected || alert.state == AlertState::confirmed);
}

std::vector<std::string> Alerts::unjudged(std::size_t limit) const {
    return texts_of(store_.impl_->database().prepare(kUnjudged).bind(static_cast<std::int64_t>(limit)));
}

std::optional<std::string> Alerts::record(const std::string& run, const Judgement& judgement, std::int64_t now_ms) {
    Database& database = store_.impl_->database();
    Transaction transaction(database, Kind::write);
    {
        Statement row = database.prepare(kIsJudged).bind(run);
        if (!row.step() || row.integer(0) != 0) return std::nullopt;
    }
    std::optional<std::string> confirmation;
    if (judgement.confirmation) confirmation = insert_job(database, *judgement.confirmation);
    for (const auto& noticed : judgement.noticed) {
        Alert alert = noticed.alert;
        if (confirmation && alert.state == AlertState::suspected) alert.confirmation = *confirmation;
        const std::int64_t id = insert_alert(database, alert);
        insert_change(database, id, change_by_foxbench(noticed, alert.state, now_ms));
    }
    for (const auto& changed : judgement.changed) {
        const AlertState before = find_alert(database, changed.alert.id).state;
        update_alert(database, changed.alert);
        insert_change(database, changed.alert.id, change_by_foxbench(changed, before, now_ms));
    }
    database.prepare(kNoteJudged).bind(run).run();
    transaction.commit();
    return confirmation;
}

std::vector<Alert> Alerts::list(const AlertFilter& filter) const {
    std::optional<std::string> state;
    if (filter.state) state = to_string(*filter.state);
    std::optional<std::int64_t> open;
    if (filter.open) open = *filter.open ? 1 : 0;
    return all_of(store_.impl_->database().prepare(kList).bind(filter.series, state, open,
                                                               static_cast<std::int64_t>(filter.limit)));
}

Alert Alerts::find(std::int64_t id) const {
    return find_alert(store_.impl_->database(), id);
}

std::vector<AlertChange> Alerts::trail(std::int64_t id) const {
    std::vector<AlertChange> trail;
    Statement rows = store_.impl_->database().prepare(kTrail).bind(id);
    while (rows.step()) {
        trail.push_back({rows.integer(0), rows.text(1), rows.text(2), rows.text(3), alert_state_from(rows.text(4)),
                         alert_state_from(rows.text(5))});
    }
    return trail;
}

void Alerts::change(const Alert& alert, const AlertChange& change) {
    Database& database = store_.impl_->database();
    Transaction transaction(database, Kind::write);
    if (find_alert(database, alert.id).state != change.before) {
        throw Error(ErrorCode::conflict, "the alert " + std::to_string(alert.id) +
                                             " has changed meanwhile; look at it again (foxbench alerts show " +
                                             std::to_string(alert.id) + ")");
    }
    update_alert(database, alert);
    insert_change(database, alert.id, change);
    transaction.commit();
}

std::vector<std::string> Alerts::known_steps(const std::string& series) const {
    return texts_of(store_.impl_->database().prepare(kKnownSteps).bind(series));
}

std::vector<std::string> Alerts::invalid_nights(const std::string& series) const {
    return texts_of(store_.impl_->database().prepare(kInvalidNights).bind(series));
}

std::vector<Alert> Alerts::waiting_for(const std::string& confirmation) const {
    return all_of(store_.impl_->database().prepare(kWaitingFor).bind(confirmation));
}

std::vector<Alert> Alerts::untold() const {
    return all_of(store_.impl_->database().prepare(kUntold));
}

void Alerts::note_told(const std::vector<Alert>& alerts, const std::vector<Delivery>& deliveries, std::int64_t now_ms) {
    Database& database = store_.impl_->database();
    Transaction transaction(database, Kind::write);
    for (const auto& delivery : deliveries) insert_delivery(database, delivery);
    for (const auto& alert : alerts) database.prepare(kNoteTold).bind(alert.id, now_ms).run();
    transaction.commit();
}

std::int64_t Alerts::open_count() const {
    Statement row = store_.impl_->database().prepare(kOpenCount);
    (void)row.step();
    return row.integer(0);
}

}  // namespace foxbench::store
