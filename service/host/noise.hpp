#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "service/document/run_document.hpp"
#include "service/host/fsync_probe.hpp"
#include "service/host/sensors.hpp"

/// What else went on on the machine while a launch was measured. Recorded, never judged here: noise_rules.hpp says what
/// is noisy, to those who read the run. Everything here may be called from any thread.
namespace foxbench::host {

/// The share of the last ten seconds, in percent, in which some task waited for a resource (the kernel's
/// Documentation/accounting/psi.rst); nothing where the kernel was built or started without it.
struct Pressure {
    std::optional<double> cpu, io, memory;
};

/// How long tasks have waited for each resource since the machine's start, microseconds: the kernel's mean over ten
/// seconds would hold what foxbench itself did before.
struct StallTimes {
    std::optional<std::uint64_t> cpu_us, io_us, memory_us;
    double taken_at_ms = 0;  ///< steady clock
};
[[nodiscard]] StallTimes read_stall_times();

/// How long foxbench does nothing before a launch, so that what is stalled then is stalled by others. Long enough to
/// tell a twentieth of the time from nothing, too short to be felt.
inline constexpr std::chrono::milliseconds kStallPause{80};
/// The share of the time between two readings in which some task waited, in percent.
[[nodiscard]] Pressure stalled_between(const StallTimes& begin, const StallTimes& end);

/// The machine at one moment. All processor times are milliseconds since the machine's start.
struct NoiseSnapshot {
    std::optional<double> load_1m;  ///< runnable and waiting tasks, mean of a minute
    Pressure pressure;
    std::optional<std::uint64_t> memory_available_bytes;
    Sensors sensors;
    std::optional<double> busy_cpu_ms;  ///< all processors together, everything that is not idle
    double own_cpu_ms = 0;              ///< of it: foxbench's process and the browser's process group
    double taken_at_ms = 0;             ///< steady clock

    // Not read with the rest: they take their time.
    Pressure stalled;                 ///< within the pause before
    std::optional<FsyncProbe> probe;  ///< of the profiles' disk
};

/// Reads the machine. `browser_group` is the browser's process group while it runs, so that what it uses counts as
/// ours; take the second snapshot before the browser is stopped. Costs a pass over /proc, so never take one while a
/// pass is measured.
[[nodiscard]] NoiseSnapshot take_noise_snapshot(std::optional<pid_t> browser_group = std::nullopt);

/// The launch's `noise` member of the run document (docs/noise.md): {"before": {"load_1m", "pressure": {"cpu", "io",
/// "memory"}, "memory_available_bytes", "stalled_percent"?: {"cpu"?, "io"?, "memory"?}, "governor"?, "turbo"?,
/// "temperature_c"?, "throttle_count"?, "fsync_probe"?: {"median_us", "writes"}}, "after": {the same}, "governor",
/// "other_cpu_ms", "other_cpu_percent"}. Of the members with a question mark those that are unknown are left out, of
/// the others they are null. `other_cpu_ms` is the processor time that all other processes used between the snapshots,
/// `other_cpu_percent` its share of one processor's time.
[[nodiscard]] document::Json noise_between(const NoiseSnapshot& before, const NoiseSnapshot& after);

/// The first number of /proc/loadavg.
[[nodiscard]] std::optional<double> parse_load_1m(std::string_view loadavg);
/// The `some avg10` of one file of /proc/pressure.
[[nodiscard]] std::optional<double> parse_pressure(std::string_view text);
/// The `some ... total` of the same, microseconds.
[[nodiscard]] std::optional<std::uint64_t> parse_stalled_us(std::string_view text);
/// The busy time of the "cpu" line of /proc/stat, in ticks: user, nice, system, irq, softirq and steal. `guest` is part
/// of `user` already, `iowait` is idle time.
[[nodiscard]] std::optional<std::uint64_t> parse_busy_ticks(std::string_view stat);

}  // namespace foxbench::host
