#include "service/store/retention.hpp"

#include <limits>

#include "service/store/run_rows.hpp"
#include "service/store/statements.hpp"
#include "service/store/store_impl.hpp"
#include "service/store/summaries.hpp"

namespace foxbench::store {
namespace {

using Kind = Transaction::Kind;

/// Baselines and runs that alerts speak of are not retention's to take.
#define FOXBENCH_NOT_PROTECTED                        \
    "AND key NOT IN (SELECT run_key FROM baselines) " \
    "AND id NOT IN (SELECT run FROM alerts) AND id NOT IN (SELECT confirmation FROM alerts) "

constexpr Sql kOldestKept{"look for the runs that are kept",
                          "SELECT listed_at_ms, key FROM runs WHERE state NOT IN ('queued', 'running') "
                          "ORDER BY listed_at_ms DESC, key DESC LIMIT 1 OFFSET ?1"};
/// Older than ?1 and before the place (?2, ?3) in the list.
constexpr Sql kOldRuns{"look for old runs",
                       "SELECT key, id FROM runs WHERE listed_at_ms < ?1 AND (listed_at_ms, key) < (?2, ?3) "
                       "AND state NOT IN ('queued', 'running') " FOXBENCH_NOT_PROTECTED
                       "ORDER BY listed_at_ms, key LIMIT ?4"};
/// The same, and not older than ?5.
constexpr Sql kOldSamples{"look for old samples",
                          "SELECT key, id FROM runs WHERE has_samples = 1 AND listed_at_ms < ?1 "
                          "AND (listed_at_ms, key) < (?2, ?3) AND listed_at_ms >= ?5 "
                          "AND state NOT IN ('queued', 'running') " FOXBENCH_NOT_PROTECTED
                          "ORDER BY listed_at_ms, key LIMIT ?4"};
constexpr Sql kBytesOfSamples{"add up the samples",
                              "SELECT coalesce(sum(length(samples) + length(passes.document)), 0) FROM targets "
                              "JOIN launches ON launches.target_key = targets.key "
                              "JOIN series ON series.launch_key = launches.key "
                              "JOIN passes ON passes.series_key = series.key WHERE targets.run_key = ?1"};
constexpr Sql kBytesOfLevels{
    "add up the run",
    "SELECT length(document) + coalesce((SELECT length(request) FROM jobs WHERE run_key = runs.key), 0) "
    "+ coalesce((SELECT sum(length(document)) FROM targets WHERE run_key = runs.key), 0) "
    "+ coalesce((SELECT sum(length(launches.document)) FROM targets JOIN launches ON launches.target_key = targets.key "
    "WHERE run_key = runs.key), 0) "
    "+ coalesce((SELECT sum(length(series.document)) FROM targets JOIN launches ON launches.target_key = targets.key "
    "JOIN series ON series.launch_key = launches.key WHERE run_key = runs.key), 0) FROM runs WHERE key = ?1"};
constexpr Sql kIsPrunable{
    "find the run",
    "SELECT key, has_samples FROM runs WHERE id = ?1 AND state NOT IN ('queued', 'running') " FOXBENCH_NOT_PROTECTED};

#undef FOXBENCH_NOT_PROTECTED

constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::min();

/// A place in the list, which is ordered by time and then by key.
struct Place {
    std::int64_t listed_at_ms = std::numeric_limits<std::int64_t>::max();
    std::int64_t key = std::numeric_limits<std::int64_t>::max();
};

/// What stands before this place is not protected by keep_last. Empty: everything is protected.
std::optional<Place> first_kept(Database& database, std::size_t keep_last) {
    if (keep_last == 0) return Place{};
    Statement row = database.prepare(kOldestKept).bind(static_cast<std::int64_t>(keep_last) - 1);
    if (!row.step()) return std::nullopt;
    return Place{row.integer(0), row.integer(1)};
}

std::int64_t bytes_in(Database& database, const Sql& sql, std::int64_t run_key) {
    Statement row = database.prepare(sql).bind(run_key);
    return row.step() ? row.integer(0) : 0;
}

std::int64_t moment_before(std::int64_t now_ms, const std::optional<std::chrono::milliseconds>& age) {
    return age ? now_ms - age->count() : kForever;
}

}  // namespace

std::vector<PruneItem> Store::prune_plan(const RetentionPolicy& policy, std::int64_t at_ms, std::size_t limit) const {
    Database& database = impl_->database();
    const Transaction snapshot(database, Kind::read);
    std::vector<PruneItem> items;
    const auto kept = first_kept(database, policy.keep_last);
    if (!kept) return items;
    const auto add_all = [&](PruneItem::What what, Statement rows) {
        while (rows.step()) {
            const std::int64_t key = rows.integer(0);
            std::int64_t bytes = bytes_in(database, kBytesOfSamples, key);
            if (what == PruneItem::What::run) bytes += bytes_in(database, kBytesOfLevels, key);
            items.push_back({rows.text(1), what, bytes});
        }
    };
    // Runs that go altogether are older than those that only lose their samples, so that this is in order of age.
    const std::int64_t runs_before = moment_before(at_ms, policy.runs);
    if (policy.runs) {
        add_all(PruneItem::What::run, database.prepare(kOldRuns).bind(runs_before, kept->listed_at_ms, kept->key,
                                                                      static_cast<std::int64_t>(limit)));
    }
    if (policy.samples && items.size() < limit) {
        add_all(PruneItem::What::samples, database.prepare(kOldSamples)
                                              .bind(moment_before(at_ms, policy.samples), kept->listed_at_ms, kept->key,
                                                    static_cast<std::int64_t>(limit - items.size()), runs_before));
    }
    return items;
}

bool Store::prune_one(const PruneItem& item) {
    Database& database = impl_->database();
    {
        Transaction transaction(database, Kind::write);
        std::int64_t key = 0;
        {
            Statement row = database.prepare(kIsPrunable).bind(item.run);
            if (!row.step()) return false;
            if (item.what == PruneItem::What::samples && row.integer(1) == 0) return false;
            key = row.integer(0);
        }
        if (item.what == PruneItem::What::samples)
            replace_samples(database, key);
        else
            database.prepare(sql::kDeleteRun).bind(key).run();
        transaction.commit();
    }
    give_space_back(database);
    return true;
}

}  // namespace foxbench::store
