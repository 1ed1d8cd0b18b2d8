#pragma once

#include <cstdint>

#include "service/store/sqlite.hpp"

namespace foxbench::store {

/// Puts summaries in the place of a run's samples, within the caller's transaction.
///
/// The `summary` of a series says what a report says of it: the figures over all launches of its target, in every
/// launch alike, since the median pass of several launches cannot be told from each one's own. Its members `warmup` and
/// `passes` have the launch's own passes with everything but their latencies, and with the figures of each.
void replace_samples(Database& database, std::int64_t run_key);

}  // namespace foxbench::store
