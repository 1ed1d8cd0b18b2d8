#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// What is kept for how long. Plain values; Store has the operations.
namespace foxbench::store {

/// Ages count from the time that orders the list (RunSummary::listed_at_ms), also of imported runs.
struct RetentionPolicy {
    std::optional<std::chrono::milliseconds> samples;  ///< older runs keep their figures only; empty: for ever
    std::optional<std::chrono::milliseconds> runs;     ///< older runs are removed; empty: kept for ever
    std::size_t keep_last = 0;                         ///< so many newest finished runs stay as they are, however old
};

/// One step of retention, on one run.
struct PruneItem {
    enum class What {
        samples,  ///< summaries take the samples' place
        run       ///< the whole run goes
    };
    std::string run;
    What what = What::samples;
    std::int64_t bytes = 0;  ///< what it holds of the database, without indexes; the run's folder is not counted
};

}  // namespace foxbench::store
