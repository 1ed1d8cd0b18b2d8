#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "service/browser/browser.hpp"
#include "service/browser/build.hpp"
#include "service/config/config.hpp"
#include "service/document/run_document.hpp"
#include "service/run/request.hpp"

/// What has to be known, and has to hold, before anything is stored or started.
namespace foxbench::run {

/// A target with its build found: what a launch of it needs.
struct PreparedTarget {
    config::Target config;
    browser::Installation installation;
    document::Target document;      ///< what the run document says of it, without launches
    browser::LaunchOptions launch;  ///< without the template
};

/// Finds each target's build and identifies it. Takes a second for a build that is not known yet; any thread. Throws
/// Error (usage, environment) for a binary that is not there or no Firefox.
[[nodiscard]] std::vector<PreparedTarget> prepare_targets(const std::vector<config::Target>& targets,
                                                          const std::filesystem::path& profiles,
                                                          browser::HashCache& cache);

/// Throws Error (usage) where the profiles' filesystem cannot give what the run needs: syncs are free there and that is
/// not allowed, a pass does not fit with a third to spare, or the folder cannot be written.
void check_disk(const config::Config& config, const workload::Plan& plan);

/// The run document of a run that waits in the queue: what is known without looking at a browser or the machine.
/// `now_ms` (since 1970) and the machine's time zone give its id, which the store may change.
[[nodiscard]] document::RunDocument make_queued_document(const RunRequest& request, const config::Config& config,
                                                         std::int64_t now_ms);

/// The run document as it is before the first launch. Its id is free to be changed by the store.
[[nodiscard]] document::RunDocument make_skeleton(const RunRequest& request, const config::Config& config,
                                                  const std::vector<PreparedTarget>& targets);

}  // namespace foxbench::run
