#include "service/store/baselines.hpp"

#include "service/document/ids.hpp"
#include "service/error.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/store_impl.hpp"
#include "service/text/words.hpp"

namespace foxbench::store {
namespace {

using Kind = Transaction::Kind;

constexpr Sql kSet{"set the baseline",
                   "INSERT INTO baselines (name, run_key, note, set_at_ms) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (name) "
                   "DO UPDATE SET run_key = excluded.run_key, note = excluded.note, set_at_ms = excluded.set_at_ms"};
constexpr Sql kRemove{"remove the baseline", "DELETE FROM baselines WHERE name = ?1"};
constexpr Sql kList{"read the baselines",
                    "SELECT name, runs.id, note, set_at_ms FROM baselines JOIN runs ON runs.key = baselines.run_key "
                    "ORDER BY name"};
constexpr Sql kOfRun{"look for the run's baselines", "SELECT name FROM baselines WHERE run_key = ?1 ORDER BY name"};

std::vector<Baseline> read_all(Database& database) {
    std::vector<Baseline> all;
    Statement rows = database.prepare(kList);
    while (rows.step()) all.push_back({rows.text(0), rows.text(1), rows.optional_text(2), rows.integer(3)});
    return all;
}

[[noreturn]] void throw_unknown(Database& database, const std::string& name) {
    std::string message = "there is no baseline \"" + name + "\"";
    std::vector<std::string> names;
    for (auto& one : read_all(database)) names.push_back(std::move(one.name));
    if (const auto near = text::nearest(name, names))
        message += "; the nearest is " + *near;
    else if (names.empty())
        message += "; there are none yet (foxbench baseline set NAME RUN)";
    else
        message += "; there are " + text::join(names);
    throw Error(ErrorCode::not_found, message);
}

}  // namespace

std::optional<std::string> baseline_of(Database& database, std::int64_t run_key) {
    Statement row = database.prepare(kOfRun).bind(run_key);
    if (!row.step()) return std::nullopt;
    return row.text(0);
}

void Baselines::set(const Baseline& baseline) {
    if (!document::is_run_id(baseline.name) || baseline.name.size() > kMaxBaselineName ||
        baseline.name == document::kLatest) {
        throw Error(
            ErrorCode::usage,
            "a baseline's name is up to " + std::to_string(kMaxBaselineName) +
                " letters, digits, '.', '_' and '-', a letter or digit first, without \"..\", and not \"latest\"");
    }
    Database& database = store_.impl_->database();
    Transaction transaction(database, Kind::write);
    const RunRow row = find_run(database, baseline.run);
    if (row.own.state != document::RunState::completed) {
        throw Error(ErrorCode::conflict, "the run " + baseline.run + " is " + document::to_string(row.own.state) +
                                             ": only a completed run can be a baseline");
    }
    database.prepare(kSet).bind(baseline.name, row.key, baseline.note, baseline.set_at_ms).run();
    transaction.commit();
}

void Baselines::remove(const std::string& name) {
    Database& database = store_.impl_->database();
    Transaction transaction(database, Kind::write);
    database.prepare(kRemove).bind(name).run();
    if (database.changes() == 0) throw_unknown(database, name);
    transaction.commit();
}

Baseline Baselines::find(const std::string& name) const {
    Database& database = store_.impl_->database();
    const Transaction snapshot(database, Kind::read);
    for (auto& one : read_all(database)) {
        if (one.name == name) return one;
    }
    throw_unknown(database, name);
}

std::vector<Baseline> Baselines::list() const {
    const Transaction snapshot(store_.impl_->database(), Kind::read);
    return read_all(store_.impl_->database());
}

}  // namespace foxbench::store
