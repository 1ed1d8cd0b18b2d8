#include "service/host/sensors.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <vector>

#include "service/host/procfs.hpp"

namespace foxbench::host {
namespace {

namespace fs = std::filesystem;

/// Drivers of the sensors inside processors (the kernel's Documentation/hwmon); others sit on boards and disks.
constexpr std::array<std::string_view, 5> kProcessorDrivers{"coretemp", "k10temp", "zenpower", "cpu_thermal",
                                                            "soc_thermal"};
/// The same of thermal zones, by parts of their types: "x86_pkg_temp", "cpu-thermal", "soc_thermal".
constexpr std::array<std::string_view, 3> kProcessorZones{"pkg", "cpu", "soc"};
/// The kernel counts thousandths of a degree.
constexpr double kPerDegree = 1000;

std::optional<std::int64_t> read_number(const fs::path& file) {
    const auto text = read_text(file);
    if (!text) return std::nullopt;
    const auto digits = trimmed(*text);
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (fault != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

/// The entries of a folder whose names begin like that; none where there is no such folder.
std::vector<fs::path> entries(const fs::path& folder, std::string_view start) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (fs::directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
        if (ignored) break;
        if (entry->path().filename().string().starts_with(start)) found.push_back(entry->path());
    }
    return found;
}

/// "cpu0" and so on, without "cpufreq" and "cpuidle".
std::vector<fs::path> processors(const fs::path& sys) {
    auto found = entries(sys / "devices/system/cpu", "cpu");
    std::erase_if(found, [](const fs::path& entry) {
        const std::string name = entry.filename().string();
        return name.size() < 4 ||
               !std::all_of(name.begin() + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    });
    return found;
}

std::optional<bool> read_turbo(const fs::path& cpu) {
    if (const auto off = read_number(cpu / "intel_pstate/no_turbo")) return *off == 0;
    if (const auto on = read_number(cpu / "cpufreq/boost")) return *on != 0;
    return std::nullopt;
}

void keep_hottest(std::optional<double>& hottest, std::optional<std::int64_t> thousandths) {
    if (!thousandths) return;
    const double degrees = static_cast<double>(*thousandths) / kPerDegree;
    if (!hottest || degrees > *hottest) hottest = degrees;
}

std::optional<double> read_temperature(const fs::path& sys) {
    std::optional<double> hottest;
    for (const auto& chip : entries(sys / "class/hwmon", "hwmon")) {
        const auto name = read_text(chip / "name");
        if (!name || std::ranges::find(kProcessorDrivers, trimmed(*name)) == kProcessorDrivers.end()) continue;
        for (const auto& sensor : entries(chip, "temp")) {
            if (sensor.filename().string().ends_with("_input")) keep_hottest(hottest, read_number(sensor));
        }
    }
    if (hottest) return hottest;
    for (const auto& zone : entries(sys / "class/thermal", "thermal_zone")) {
        const auto type = read_text(zone / "type");
        const auto is_part = [&](std::string_view part) { return type->find(part) != std::string::npos; };
        if (type && std::ranges::any_of(kProcessorZones, is_part)) keep_hottest(hottest, read_number(zone / "temp"));
    }
    return hottest;
}

}  // namespace

Sensors read_sensors(const fs::path& sys) {
    Sensors sensors;
    std::set<std::string> governors;
    for (const auto& processor : processors(sys)) {
        if (const auto governor = read_text(processor / "cpufreq/scaling_governor"))
            governors.emplace(trimmed(*governor));
        if (const auto count = read_number(processor / "thermal_throttle/core_throttle_count"); count && *count >= 0)
            sensors.throttle_count = sensors.throttle_count.value_or(0) + static_cast<std::uint64_t>(*count);
    }
    for (const auto& governor : governors)
        sensors.governor = sensors.governor ? *sensors.governor + ", " + governor : governor;
    sensors.turbo = read_turbo(sys / "devices/system/cpu");
    sensors.temperature_c = read_temperature(sys);
    return sensors;
}

}  // namespace foxbench::host
