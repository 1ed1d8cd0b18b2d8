#pragma once

#include <string>

#include "service/cli/progress_printer.hpp"
#include "service/client/daemon_client.hpp"
#include "service/document/run_document.hpp"

namespace foxbench::cli {

/// Follows a run of a daemon until it has its final state, which is returned; progress goes to the printer. Reconnects
/// when the daemon is started again.
document::RunState follow_run(const client::DaemonClient& daemon, const std::string& run, ProgressPrinter& printer);

/// The exit code that a run's final state means.
[[nodiscard]] int exit_code_of(document::RunState state);

}  // namespace foxbench::cli
