#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "service/document/run_document.hpp"

/// What else went on on the machine while a launch was measured. Recorded, never judged here: a run is flagged as noisy
/// by those who read it (opfs.md, "Measuring", 6). Everything here may be called from any thread.
namespace foxbench::host {

/// The share of the last ten seconds, in percent, in which some task waited for a resource (the kernel's
/// Documentation/accounting/psi.rst); nothing where the kernel was built or started without it.
struct Pressure {
    std::optional<double> cpu, io, memory;
};

/// The machine at one moment. All processor times are milliseconds since the machine's start.
struct NoiseSnapshot {
    std::optional<double> load_1m;  ///< runnable and waiting tasks, mean of a minute
    Pressure pressure;
    std::optional<std::uint64_t> memory_available_bytes;
    std::optional<std::string> governor;  ///< of the first processor; nothing on most virtual machines
    std::optional<double> busy_cpu_ms;    ///< all processors together, everything that is not idle
    double own_cpu_ms = 0;                ///< of it: foxbench's process and the browser's process group
    double taken_at_ms = 0;               ///< steady clock
};

/// Reads the machine. `browser_group` is the browser's process group while it runs, so that what it uses counts as
/// ours; take the second snapshot before the browser is stopped. Costs a pass over /proc, so never take one while a
/// pass is measured.
[[nodiscard]] NoiseSnapshot take_noise_snapshot(std::optional<pid_t> browser_group = std::nullopt);

/// The launch's `noise` member of the run document:
/// {"before": {"load_1m", "pressure": {"cpu", "io", "memory"}, "memory_available_bytes"}, "after": {the same},
///  "governor", "other_cpu_ms", "other_cpu_percent"}. What is unknown is null. `other_cpu_ms` is the processor time
///  that all
/// other processes used between the snapshots, `other_cpu_percent` its share of one processor's time.
[[nodiscard]] document::Json noise_between(const NoiseSnapshot& before, const NoiseSnapshot& after);

/// The first number of /proc/loadavg.
[[nodiscard]] std::optional<double> parse_load_1m(std::string_view loadavg);
/// The `some avg10` of one file of /proc/pressure.
[[nodiscard]] std::optional<double> parse_pressure(std::string_view text);
/// The busy time of the "cpu" line of /proc/stat, in ticks: user, nice, system, irq, softirq and steal. `guest` is part
/// of `user` already, `iowait` is idle time.
[[nodiscard]] std::optional<std::uint64_t> parse_busy_ticks(std::string_view stat);

}  // namespace foxbench::host
