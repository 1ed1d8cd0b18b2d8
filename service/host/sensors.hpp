#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace foxbench::host {

/// How fast the processors may run, and how hot they are: what Linux tells in /sys. What a machine does not tell is
/// empty, as most of it on virtual machines.
struct Sensors {
    std::optional<std::string> governor;  ///< of all processors, each once: "performance", "performance, powersave"
    std::optional<bool> turbo;            ///< whether clock speeds above the nominal one are allowed
    std::optional<double> temperature_c;  ///< of the hottest sensor of a processor, degrees Celsius
    /// How often the processors slowed themselves down for heat since the machine's start, all of them added up.
    std::optional<std::uint64_t> throttle_count;
};

/// Reads some files for each processor. Never throws; callable from any thread. `sys` is where /sys is.
[[nodiscard]] Sensors read_sensors(const std::filesystem::path& sys = "/sys");

}  // namespace foxbench::host
