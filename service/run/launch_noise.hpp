#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

#include <sys/types.h>

#include "bidi/task.hpp"
#include "service/document/run_document.hpp"
#include "service/host/noise.hpp"

namespace foxbench::run {

/// Looks at the machine before and after one launch, never during it: everything that takes time happens on a thread of
/// its own while the caller waits, so that the event loop goes on. Its calls come in the order below; each but the
/// constructor may be left out.
class LaunchNoise {
public:
    /// `profiles` is the folder whose disk is probed.
    explicit LaunchNoise(std::filesystem::path profiles) : profiles_(std::move(profiles)) {}

    /// Does nothing for host::kStallPause, probes the disk, and looks at the machine. A fifth of a second at most, plus
    /// one sync of the disk.
    bidi::Task<> look_before();
    /// Looks at the machine while the browser still runs and is warm; `browser_group` is its process group.
    bidi::Task<> look_after(pid_t browser_group);
    /// Probes the disk again, once the browser and its profile are gone.
    bidi::Task<> probe_after();

    /// The launch's `noise` member. Nothing unless it was looked before and after.
    [[nodiscard]] std::optional<document::Json> result() const;

private:
    std::filesystem::path profiles_;
    std::optional<host::NoiseSnapshot> before_, after_;
};

}  // namespace foxbench::run
