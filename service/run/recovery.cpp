#include "service/run/recovery.hpp"

#include "service/run/run_files.hpp"

namespace foxbench::run {

std::vector<RecoveredRun> recover_runs(store::Store& store) {
    std::vector<RecoveredRun> recovered;
    for (const auto& id : store.recover()) {
        const auto summary = store.load_summary(id);
        recovered.push_back({{id, summary.state, summary.reason.value_or("")}, try_write_run_files(store, id)});
    }
    return recovered;
}

}  // namespace foxbench::run
