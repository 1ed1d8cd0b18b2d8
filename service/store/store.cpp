#include "service/store/store.hpp"

#include <system_error>
#include <utility>

#include "service/document/ids.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/store/durable_file.hpp"
#include "service/store/process_identity.hpp"
#include "service/store/run_list.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/same_document.hpp"
#include "service/store/schema.hpp"
#include "service/store/statements.hpp"
#include "service/store/store_impl.hpp"

namespace foxbench::store {
namespace {

using document::RunState;
using Kind = Transaction::Kind;

constexpr const char* kDatabaseName = "foxbench.db";

/// Gives a run its final state, lets go of it and stores the messages about it.
void end_run(Database& database, const Outbox& outbox, RunRow row, RunState state,
             const std::optional<std::string>& reason, const std::optional<std::string>& finished_at) {
    row.own.state = state;
    row.own.reason = reason;
    if (finished_at) row.own.finished_at = finished_at;
    store::update_run(database, row);
    database.prepare(sql::kReleaseRun).bind(row.key).run();
    if (!outbox) return;
    {
        Statement names = database.prepare(sql::kTargetNames).bind(row.key);
        while (names.step()) row.own.targets.emplace_back().name = names.text(0);
    }
    for (const auto& delivery : outbox(row.own)) insert_delivery(database, delivery);
}

/// When the last of the run's passes ended, if one of them says so.
std::optional<std::string> last_pass_end(Database& database, std::int64_t run_key) {
    Statement row = database.prepare(sql::kLastPassEnd).bind(run_key);
    if (!row.step() || row.is_null(0)) return std::nullopt;
    return document::utc_text(row.integer(0));
}

/// Runs that are `running` and whose process is gone, with that process.
std::vector<std::pair<std::string, std::string>> abandoned_runs(Database& database) {
    std::vector<std::pair<std::string, std::string>> abandoned;
    Statement rows = database.prepare(sql::kOwnedRuns);
    while (rows.step()) {
        if (is_gone(rows.bytes(1))) abandoned.emplace_back(rows.text(0), rows.text(1));
    }
    return abandoned;
}

}  // namespace

std::string free_id_for(Database& database, const std::string& wanted) {
    if (!document::is_run_id(wanted))
        throw Error(ErrorCode::usage, std::string("a run's id is ") + document::kRunIdRule);
    return document::free_id(wanted, [&](const std::string& id) { return has_run(database, id); });
}

Store::Impl::Impl(const std::filesystem::path& results_dir, Mode mode) : dir_(results_dir) {
    const std::filesystem::path path = results_dir / kDatabaseName;
    std::error_code error;
    const bool is_new = !std::filesystem::exists(path, error);
    if (is_new && mode == Mode::existing) {
        throw Error(ErrorCode::not_found, "there is no store in " + results_dir.string() + " (no " + kDatabaseName +
                                              "); `foxbench run` and `foxbench import` make one");
    }
    if (is_new) make_directories(results_dir);
    database_ = open_database(path, mode == Mode::create);
    if (is_new) sync_directory(results_dir);
}

Store::Store(const std::filesystem::path& results_dir, Mode mode) : impl_(std::make_unique<Impl>(results_dir, mode)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

const std::filesystem::path& Store::results_dir() const noexcept {
    return impl_->dir();
}

// ---- a run that is being measured ----

std::string Store::begin_run(const document::RunDocument& skeleton) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    document::RunDocument document = skeleton;
    document.id = free_id_for(database, skeleton.id);
    document.state = RunState::running;
    insert_run(database, document, document.id, identify_self(), now_ms());
    transaction.commit();
    return document.id;
}

void Store::update_run(const document::RunDocument& document) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    RunRow row = find_run(database, document.id);
    const RunState state = row.own.state;
    std::optional<std::string> reason = std::move(row.own.reason);
    row.own = document;
    row.own.state = state;
    row.own.reason = std::move(reason);
    store::update_run(database, row);
    transaction.commit();
}

void Store::update_target(const std::string& run, std::size_t target, const document::Target& facts) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    const std::int64_t key = find_target(database, find_open_run_key(database, run), target);
    database.prepare(sql::kUpdateTarget).bind(key, facts.name, own_text(facts)).run();
    transaction.commit();
}

void Store::update_launch(const std::string& run, LaunchKey launch, const document::Launch& facts) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    const std::int64_t key = find_or_insert_launch(database, find_open_run_key(database, run), launch);
    database.prepare(sql::kUpdateLaunch).bind(key, own_text(facts)).run();
    transaction.commit();
}

void Store::update_series(const std::string& run, LaunchKey launch, std::size_t position,
                          const document::Series& facts) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    const std::int64_t launch_key = find_or_insert_launch(database, find_open_run_key(database, run), launch);
    const std::int64_t key = find_or_insert_series(database, launch_key, position, facts);
    database.prepare(sql::kUpdateSeries).bind(key, facts.name, own_text(facts)).run();
    transaction.commit();
}

void Store::add_passes(const std::string& run, LaunchKey launch, std::span<const PassRecord> records) {
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    const std::int64_t run_key = find_open_run_key(database, run);
    const std::int64_t launch_key = find_or_insert_launch(database, run_key, launch);
    if (!records.empty()) database.prepare(sql::kNoteSamples).bind(run_key).run();
    for (const PassRecord& record : records) {
        const std::int64_t series_key = find_or_insert_series(database, launch_key, record.position, record.series);
        insert_pass(database, series_key, record.index, record.pass);
    }
    transaction.commit();
}

void Store::finish_run(const std::string& run, RunState state, const std::optional<std::string>& reason,
                       const std::optional<std::string>& finished_at) {
    if (!is_final(state))
        throw Error(ErrorCode::internal, "a run cannot end as " + std::string(document::to_string(state)));
    Database& database = impl_->database();
    Transaction transaction(database, Kind::write);
    RunRow row = find_run(database, run);
    if (is_final(row.own.state)) {
        throw Error(ErrorCode::conflict, "the run " + run + " is already " + document::to_string(row.own.state));
    }
    if (state == RunState::completed && measured_passes(database, row.key) == 0) {
        throw Error(ErrorCode::internal, "the run " + run + " has no measured pass and cannot be completed");
    }
    end_run(database, impl_->outbox(), std::move(row), state, reason, finished_at);
    transaction.commit();
}

std::vector<std::string> Store::recover() {
    Database& database = impl_->database();
    if (abandoned_runs(database).empty()) return {};  // as a rule, and without a write
    Transaction transaction(database, Kind::write);
    std::vector<std::string> ids;
    for (auto& [id, owner] : abandoned_runs(database)) {
        RunRow row = find_run(database, id);
        const std::int64_t passes = measured_passes(database, row.key);
        const std::string reason =
            "foxbench (process " + pid_of(owner) + ") was gone before the run was finished; " +
            (passes == 0 ? "no measured pass" : std::to_string(passes) + " measured pass" + (passes == 1 ? "" : "es")) +
            " had been stored";
        const auto finished_at = last_pass_end(database, row.key);
        end_run(database, impl_->outbox(), std::move(row), passes == 0 ? RunState::failed : RunState::partial, reason,
                finished_at);
        ids.push_back(std::move(id));
    }
    transaction.commit();
    return ids;
}

// ---- reading ----

document::RunDocument Store::load(const std::string& run) const {
    const Transaction snapshot(impl_->database(), Kind::read);
    return load_run(impl_->database(), run);
}

RunSummary Store::load_summary(const std::string& run) const {
    const Transaction snapshot(impl_->database(), Kind::read);
    return summary_of(impl_->database(), run);
}

std::int64_t Store::revision(const std::string& run) const {
    return run_revision(impl_->database(), run);
}

RunPage Store::list(const RunFilter& filter) const {
    const Transaction snapshot(impl_->database(), Kind::read);
    return list_runs(impl_->database(), filter);
}

std::size_t Store::stored_passes(const std::string& run) const {
    const Transaction snapshot(impl_->database(), Kind::read);
    return static_cast<std::size_t>(measured_passes(impl_->database(), find_run_key(impl_->database(), run)));
}

std::string Store::resolve(std::string_view text) const {
    const Transaction snapshot(impl_->database(), Kind::read);
    return resolve_run(impl_->database(), text);
}

std::map<RunState, std::int64_t> Store::count_by_state() const {
    std::map<RunState, std::int64_t> counts;
    Statement rows = impl_->database().prepare(sql::kCountByState);
    while (rows.step()) counts[document::run_state_from(rows.text(0))] = rows.integer(1);
    return counts;
}

// ---- whole runs ----

Imported Store::import_document(const document::RunDocument& document) {
    Database& database = impl_->database();
    const std::string hash = content_hash(document);
    Transaction transaction(database, Kind::write);
    Imported imported;
    if (auto same = find_same_run(database, document, hash)) {
        imported = {std::move(*same), true};
    } else {
        document::RunDocument stored = document;
        stored.id = free_id_for(database, document.id);
        insert_run(database, stored, document.id, std::nullopt, now_ms());
        if (is_final(stored.state)) note_content_hash(database, stored.id, hash);
        imported.id = stored.id;
    }
    transaction.commit();
    return imported;
}

void Store::remove(const std::string& run) {
    Database& database = impl_->database();
    {
        Transaction transaction(database, Kind::write);
        const RunRow row = find_run(database, run);
        if (row.owner && !is_gone(*row.owner)) {
            throw Error(ErrorCode::conflict,
                        "the run " + run + " is being measured by process " + pid_of(*row.owner) + "; cancel it first");
        }
        if (is_queued_job(database, row.key))
            throw Error(ErrorCode::conflict, "the run " + run + " waits in the queue; cancel it first");
        if (const auto baseline = baseline_of(database, row.key)) {
            throw Error(ErrorCode::conflict, "the run " + run + " is the baseline '" + *baseline +
                                                 "'; remove that first (foxbench baseline remove " + *baseline + ")");
        }
        database.prepare(sql::kDeleteRun).bind(row.key).run();
        transaction.commit();
    }
    give_space_back(database);
}

}  // namespace foxbench::store
