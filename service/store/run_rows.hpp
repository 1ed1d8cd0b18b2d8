#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "service/document/json_text.hpp"
#include "service/document/levels.hpp"
#include "service/store/sqlite.hpp"
#include "service/store/store.hpp"

/// A run document's levels as rows of their tables (schema.cpp) and back. No transaction is begun here: the caller's
/// holds them together.
namespace foxbench::store {

/// A level's own members as they are stored.
template <class Level>
[[nodiscard]] std::string own_text(const Level& level) {
    return document::to_text(document::own_members(level));
}

/// The row of a run without what is below it.
struct RunRow {
    std::int64_t key = 0;
    std::optional<std::string> owner;
    std::int64_t listed_at_ms = 0;
    document::RunDocument own;  ///< without targets
};

/// Throws `not_found`.
[[nodiscard]] RunRow find_run(Database& database, const std::string& run);
[[nodiscard]] std::int64_t find_run_key(Database& database, const std::string& run);
[[nodiscard]] std::int64_t run_revision(Database& database, const std::string& run);
/// Throws also `conflict` where the run has ended: nothing is added to it any more.
[[nodiscard]] std::int64_t find_open_run_key(Database& database, const std::string& run);
[[nodiscard]] bool has_run(Database& database, const std::string& run);

/// Inserts the whole document under its id. `source_id`: the id it came with. `now_ms` is when it is listed if it does
/// not know its start.
void insert_run(Database& database, const document::RunDocument& document, const std::string& source_id,
                const std::optional<std::string>& owner, std::int64_t now_ms);
/// Writes `row.own` and the columns that are copies of it.
void update_run(Database& database, const RunRow& row);

/// Keys of rows below a run. The first throws `not_found`; the others insert an empty row where there is none.
[[nodiscard]] std::int64_t find_target(Database& database, std::int64_t run_key, std::size_t position);
[[nodiscard]] std::int64_t find_or_insert_launch(Database& database, std::int64_t run_key, LaunchKey launch);
/// Throws `conflict` where another series stands at the position.
[[nodiscard]] std::int64_t find_or_insert_series(Database& database, std::int64_t launch_key, std::size_t position,
                                                 const document::Series& series);

/// `index` is empty for the warm-up. Throws `conflict` where the pass is already there.
void insert_pass(Database& database, std::int64_t series_key, const std::optional<std::size_t>& index,
                 const document::Pass& pass);

/// Reads the warm-up and the measured passes of a series, samples included, into `series`. Throws `environment` where
/// what is stored is damaged.
void load_passes(Database& database, std::int64_t series_key, document::Series& series);
/// How many measured passes of a run are stored.
[[nodiscard]] std::int64_t measured_passes(Database& database, std::int64_t run_key);
/// Everything of a run. Throws `not_found`, and `environment` where what is stored is damaged.
[[nodiscard]] document::RunDocument load_run(Database& database, const std::string& run);

}  // namespace foxbench::store
