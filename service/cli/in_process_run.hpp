#pragma once

#include <string>

#include "service/run/frozen_request.hpp"
#include "service/run/runner.hpp"

namespace foxbench::cli {

/// How a run without a daemon ended.
struct RunHere {
    run::RunOutcome outcome;
    bool interrupted = false;  ///< by Ctrl-C or SIGTERM; what was finished is kept
};

/// Carries out a run in this process, to its end. `claimed` is the id of a run that was taken from the store's queue;
/// empty: a new one. The first Ctrl-C ends the run with what it has, the second ends this program at once, and the
/// browser with it. Throws as run::Runner::execute().
[[nodiscard]] RunHere run_here(const config::Config& config, store::Store& store, run::Job job,
                               const std::string& claimed, run::RunListener& listener);

}  // namespace foxbench::cli
