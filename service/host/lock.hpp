#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include <sys/types.h>

#include "bidi/task.hpp"

namespace foxbench::host {

/// The host-wide permission to measure: one browser is measured at a time, across daemons and command lines (design.md,
/// "One measurement at a time"). An advisory flock(2) on a file that is never removed; the kernel gives it back when
/// the holder ends, however it ends. Move-only; the destructor releases.
class HostLock {
public:
    /// Holds nothing.
    HostLock() noexcept = default;
    HostLock(HostLock&& other) noexcept;
    HostLock& operator=(HostLock&& other) noexcept;
    ~HostLock();

    /// Takes the lock if it is free; nothing when somebody holds it. Throws foxbench::Error (environment) when the file
    /// cannot be opened or made.
    [[nodiscard]] static std::optional<HostLock> try_acquire(const std::filesystem::path& file);

    [[nodiscard]] const std::filesystem::path& file() const noexcept { return file_; }

private:
    HostLock(int descriptor, std::filesystem::path file) noexcept;
    void release() noexcept;

    int descriptor_ = -1;
    std::filesystem::path file_;
};

/// Waits for the lock, on the calling coroutine's executor. `on_wait` is called once with the holder's pid when the
/// lock is not free at once, and again whenever another holder takes it; the pid is absent when the holder left none.
/// Throws as HostLock::try_acquire; cancellation ends the wait.
[[nodiscard]] bidi::Task<HostLock> acquire_host_lock(std::filesystem::path file,
                                                     std::function<void(std::optional<pid_t> holder)> on_wait = {});

/// Where the lock is unless the configuration says otherwise: /run/lock/foxbench.lock where that can be opened or made,
/// else foxbench.lock in $XDG_RUNTIME_DIR, else in /tmp with the user's number in its name.
[[nodiscard]] std::filesystem::path default_lock_path();

}  // namespace foxbench::host
