#pragma once

#include <optional>
#include <string>
#include <vector>

#include "service/run/request.hpp"
#include "service/store/store.hpp"

/// Runs whose process was killed, or went down with the machine.
namespace foxbench::run {

struct RecoveredRun {
    RunOutcome outcome;
    std::optional<std::string> file_fault;  ///< why its files could not be written
};

/// Gives the runs whose process is gone their final state (store::Store::recover()) and their files. Where there are
/// none, as a rule, nothing is written. On the store's pool.
[[nodiscard]] std::vector<RecoveredRun> recover_runs(store::Store& store);

}  // namespace foxbench::run
