#pragma once

#include <chrono>
#include <filesystem>
#include <optional>

namespace foxbench::host {

/// What a write and its sync cost without a browser: taken before and after a launch it tells a disk that drifts from a
/// browser that changed (docs/opfs.md).
struct FsyncProbe {
    double median_us = 0;  ///< of appending kFsyncProbeBytes and fsync(2), microseconds
    int writes = 0;
};

inline constexpr std::size_t kFsyncProbeBytes = 4096;
/// Enough for a median, unless time is over before.
inline constexpr int kFsyncProbeWrites = 100;
/// Every launch waits for two of these: no more than the median needs.
inline constexpr std::chrono::milliseconds kFsyncProbeTime{60};

/// Appends to a file of its own in `folder`, which is removed afterwards, at least once and then as long as it may.
/// Nothing where the folder cannot be written. Never throws; blocks for `at_most` or for one sync, whichever is longer;
/// callable from any thread, but never while a pass is measured.
[[nodiscard]] std::optional<FsyncProbe> probe_fsync(const std::filesystem::path& folder,
                                                    std::chrono::milliseconds at_most = kFsyncProbeTime);

}  // namespace foxbench::host
