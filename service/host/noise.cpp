#include "service/host/noise.hpp"

#include <algorithm>
#include <charconv>
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

double steady_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string pressure_text(const char* resource) {
    return read_text(std::string("/proc/pressure/") + resource).value_or("");
}

template <class T>
Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// Three decimals are what the document keeps, and more than these figures are worth.
double rounded(double value) {
    return std::round(value * 1000) / 1000;
}

template <class T>
void put_if_known(Json& object, const char* name, const std::optional<T>& value) {
    if (value) object[name] = *value;
}

Json moment(const NoiseSnapshot& snapshot) {
    Json json = {{"load_1m", or_null(snapshot.load_1m)},
                 {"pressure",
                  {{"cpu", or_null(snapshot.pressure.cpu)},
                   {"io", or_null(snapshot.pressure.io)},
                   {"memory", or_null(snapshot.pressure.memory)}}},
                 {"memory_available_bytes", or_null(snapshot.memory_available_bytes)}};
    Json stalled = Json::object();
    put_if_known(stalled, "cpu", snapshot.stalled.cpu);
    put_if_known(stalled, "io", snapshot.stalled.io);
    put_if_known(stalled, "memory", snapshot.stalled.memory);
    if (!stalled.empty()) json["stalled_percent"] = std::move(stalled);
    put_if_known(json, "governor", snapshot.sensors.governor);
    put_if_known(json, "turbo", snapshot.sensors.turbo);
    put_if_known(json, "temperature_c", snapshot.sensors.temperature_c);
    put_if_known(json, "throttle_count", snapshot.sensors.throttle_count);
    if (snapshot.probe)
        json["fsync_probe"] = {{"median_us", rounded(snapshot.probe->median_us)}, {"writes", snapshot.probe->writes}};
    return json;
}

/// The share of `elapsed_ms` in percent; the kernel's counters and our clock may differ by a little.
std::optional<double> share(std::optional<std::uint64_t> begin_us, std::optional<std::uint64_t> end_us,
                            double elapsed_ms) {
    if (!begin_us || !end_us || *end_us < *begin_us || elapsed_ms <= 0) return std::nullopt;
    return rounded(std::min(100.0, static_cast<double>(*end_us - *begin_us) / 10 / elapsed_ms));
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

std::optional<std::uint64_t> parse_stalled_us(std::string_view text) {
    constexpr std::string_view kTotal = "total=";
    text = text.substr(0, text.find('\n'));
    const auto start = text.find(kTotal);
    if (!text.starts_with("some ") || start == std::string_view::npos) return std::nullopt;
    const auto digits = text.substr(start + kTotal.size());
    std::uint64_t total_us = 0;
    const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), total_us);
    if (fault != std::errc{}) return std::nullopt;
    return total_us;
}

std::optional<std::uint64_t> parse_busy_ticks(std::string_view stat) {
    if (!stat.starts_with("cpu ")) return std::nullopt;
    std::istringstream stream{std::string(stat.substr(4))};
    std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
    if (!(stream >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal)) return std::nullopt;
    return user + nice + system + irq + softirq + steal;
}

StallTimes read_stall_times() {
    StallTimes times;
    times.cpu_us = parse_stalled_us(pressure_text("cpu"));
    times.io_us = parse_stalled_us(pressure_text("io"));
    times.memory_us = parse_stalled_us(pressure_text("memory"));
    times.taken_at_ms = steady_ms();
    return times;
}

Pressure stalled_between(const StallTimes& begin, const StallTimes& end) {
    const double elapsed_ms = end.taken_at_ms - begin.taken_at_ms;
    return {share(begin.cpu_us, end.cpu_us, elapsed_ms), share(begin.io_us, end.io_us, elapsed_ms),
            share(begin.memory_us, end.memory_us, elapsed_ms)};
}

NoiseSnapshot take_noise_snapshot(std::optional<pid_t> browser_group) {
    NoiseSnapshot snapshot;
    if (const auto text = read_text("/proc/loadavg")) snapshot.load_1m = parse_load_1m(*text);
    snapshot.pressure = {parse_pressure(pressure_text("cpu")), parse_pressure(pressure_text("io")),
                         parse_pressure(pressure_text("memory"))};
    if (const auto text = read_text("/proc/meminfo")) {
        snapshot.memory_available_bytes = parse_meminfo_bytes(*text, "MemAvailable");
    }
    snapshot.sensors = read_sensors();

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
    snapshot.taken_at_ms = steady_ms();
    return snapshot;
}

Json noise_between(const NoiseSnapshot& before, const NoiseSnapshot& after) {
    Json noise = {{"before", moment(before)}, {"after", moment(after)}, {"governor", or_null(after.sensors.governor)}};
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
