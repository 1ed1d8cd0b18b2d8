#pragma once

#include <string>
#include <string_view>

#include "service/store/sqlite.hpp"
#include "service/store/store.hpp"

/// Finding runs: the list and what a user types. Only the tables of runs and targets are read.
namespace foxbench::store {

[[nodiscard]] RunPage list_runs(Database& database, const RunFilter& filter);
[[nodiscard]] RunSummary summary_of(Database& database, const std::string& run);
[[nodiscard]] std::string resolve_run(Database& database, std::string_view text);

}  // namespace foxbench::store
