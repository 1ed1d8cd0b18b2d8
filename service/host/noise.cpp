#include "service/host/noise.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <sstream>

#include <unistd.h>

#include "service/host/facts.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::host {

namespace {

using document::Json;

double milliseconds(std::uint64_t ticks) {
    static const double per_tick = 1000.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    return static_cast<double>(ticks) * per_tick;
}

/// Includes children that were waited for: Firefox waits for its content processes.
std::uint64_t ticks_of(const ProcessStat& stat) {
    return stat.user_ticks + stat.system_ticks + stat.children_user_ticks + stat.children_system_ticks;
}

std::optional<double> read_pressure(const char* resource) {
    const auto text = read_text(std::string("/proc/pressure/") + resource);
    return text ? parse_pressure(*text) : std::nullopt;
}

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Three decimals are what the document keeps, and more than these figures are worth.
double rounded(double value) {
    return std::round(value * 1000) / 1000;
}

Json moment(const NoiseSnapshot& snapshot) {
    return {{"load_1m", or_null(snapshot.load_1m)},
            {"pressure",
             {{"cpu", or_null(snapshot.pressure.cpu)},
              {"io", or_null(snapshot.pressure.io)},
              {"memory", or_null(snapshot.pressure.memory)}}},
            {"memory_available_bytes", or_null(snapshot.memory_available_bytes)}};
}

}  // namespace

std::optional<double> parse_load_1m(std::string_view loadavg) {
    std::istringstream stream{std::string(loadavg)};
    double value = 0;
    if (!(stream >> value)) return std::nullopt;
    return value;
}

std::optional<double> parse_pressure(std::string_view text) {
    constexpr std::string_view kStart = "some avg10=";
    const auto start = text.find(kStart);
    if (start == std::string_view::npos) return std::nullopt;
    return parse_load_1m(text.substr(start + kStart.size()));
}

std::optional<std::uint64_t> parse_busy_ticks(std::string_view stat) {
    if (!stat.starts_with("cpu ")) return std::nullopt;
    std::istringstream stream{std::string(stat.substr(4))};
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
    if (!(stream >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal)) return std::nullopt;
    return user + nice + system + irq + softirq + steal;
}

NoiseSnapshot take_noise_snapshot(std::optional<pid_t> browser_group) {
    NoiseSnapshot snapshot;
    if (const auto text = read_text("/proc/loadavg")) snapshot.load_1m = parse_load_1m(*text);
    snapshot.pressure = {read_pressure("cpu"), read_pressure("io"), read_pressure("memory")};
    if (const auto text = read_text("/proc/meminfo")) {
        snapshot.memory_available_bytes = parse_meminfo_bytes(*text, "MemAvailable");
    }
    if (const auto text = read_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")) {
        snapshot.governor = std::string(trimmed(*text));
    }

    // Our own time is read first: what passes between the two reads then counts as the others', a little too much.
    std::uint64_t own = 0;
    if (const auto self = read_process_stat(::getpid())) own += ticks_of(*self);
    if (browser_group) {
        for (const ProcessStat& stat : read_all_process_stats()) {
            if (stat.group == *browser_group) own += ticks_of(stat);
        }
    }
    snapshot.own_cpu_ms = milliseconds(own);
    if (const auto text = read_text("/proc/stat")) {
        if (const auto busy = parse_busy_ticks(*text)) snapshot.busy_cpu_ms = milliseconds(*busy);
    }
    snapshot.taken_at_ms =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
    return snapshot;
}

Json noise_between(const NoiseSnapshot& before, const NoiseSnapshot& after) {
    Json noise = {{"before", moment(before)}, {"after", moment(after)}, {"governor", or_null(after.governor)}};
    noise["other_cpu_ms"] = nullptr;
    noise["other_cpu_percent"] = nullptr;
    if (before.busy_cpu_ms && after.busy_cpu_ms) {
        const double busy_ms = *after.busy_cpu_ms - *before.busy_cpu_ms;
        const double own_ms = after.own_cpu_ms - before.own_cpu_ms;
        // Ticks are rounded in both terms, so that a quiet machine may come out a little below nothing.
        const double other_ms = std::max(0.0, busy_ms - own_ms);
        const double elapsed_ms = after.taken_at_ms - before.taken_at_ms;
        noise["other_cpu_ms"] = rounded(other_ms);
        if (elapsed_ms > 0) noise["other_cpu_percent"] = rounded(100 * other_ms / elapsed_ms);
    }
    return noise;
}

}  // namespace foxbench::host
