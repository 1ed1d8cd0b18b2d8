#pragma once

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <stdlib.h>

#include "service/document/json_text.hpp"
#include "service/document/run_document.hpp"

/// What the store's tests share.
namespace foxbench::store {

/// A folder of its own under the working directory (which is on a real disk), removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = (std::filesystem::current_path() / "store-test-XXXXXX").string();
        path_ = mkdtemp(name.data());
    }
    ~TemporaryFolder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

/// JSON text with its members sorted: equal text is equal JSON.
inline std::string sorted_text(const document::RunDocument& document) {
    return nlohmann::json::parse(document::to_text(document::to_json(document))).dump();
}

/// A run without results: one target, no launches.
inline document::RunDocument skeleton(const std::string& id = "2026-09-15_22-13-00",
                                      const std::string& target = "firefox") {
    document::RunDocument document;
    document.id = id;
    document.workload = "opfs-sync-write";
    document.state = document::RunState::running;
    document.trigger = document::Json::object({{"kind", "cli"}});
    document.config = document::Json::object({{"preset", "quick"}});
    document.targets.emplace_back();
    document.targets[0].name = target;
    document.targets[0].browser.version = "153.0";
    return document;
}

inline document::Series series_named(const std::string& name) {
    document::Series series;
    series.name = name;
    series.bytes_per_call = 4096;
    series.bytes_total = 8192000;
    return series;
}

inline document::Pass pass_of(std::vector<double> latencies_us, double total_ms = 80.06) {
    document::Pass pass;
    pass.total_ms = total_ms;
    pass.latencies_us = std::move(latencies_us);
    return pass;
}

/// Latencies as a browser gives them: log-normal around `mean_us` with rare outliers, seen by a clock with steps of
/// `step_us`.
inline std::vector<double> clocked_latencies(std::mt19937& random, std::size_t count, double mean_us, double step_us) {
    std::lognormal_distribution<double> spread(0, 0.25);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<double> latencies;
    double now = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double latency = mean_us * spread(random);
        if (uniform(random) < 0.01) latency *= 10 + 100 * uniform(random);
        const double seen = (std::floor((now + latency) / step_us) - std::floor(now / step_us)) * step_us;
        latencies.push_back(std::round(seen * 1000) / 1000);
        now += latency + 3 * uniform(random);
    }
    return latencies;
}

/// A run of the full preset (docs/report-format.md): 427,974 samples with the warm-ups.
inline document::RunDocument full_preset_run(double step_us, const std::string& id = "2026-09-15_22-13-00-full") {
    struct Shape {
        const char* name;
        std::size_t calls;
        double mean_us;
    };
    const Shape shapes[] = {{"small-append", 20000, 40},           {"small-overwrite", 20000, 37},
                            {"chunked-append (64 KiB)", 1250, 60}, {"chunked-append (1 MiB)", 79, 170},
                            {"append+flush", 20000, 5200},         {"new-file: create+open", 2000, 8000},
                            {"new-file: first write", 2000, 50},   {"new-file: close", 2000, 5000},
                            {"new-file: delete", 2000, 5000},      {"new-file: full cycle", 2000, 18000}};
    std::mt19937 random(7);
    document::RunDocument document = skeleton(id);
    document.state = document::RunState::completed;
    document::Launch launch;
    for (const Shape& shape : shapes) {
        document::Series series = series_named(shape.name);
        series.warmup = pass_of(clocked_latencies(random, shape.calls, shape.mean_us, step_us));
        for (int i = 0; i < 5; ++i)
            series.passes.push_back(pass_of(clocked_latencies(random, shape.calls, shape.mean_us, step_us)));
        launch.series.push_back(std::move(series));
    }
    document.targets[0].launches.push_back(std::move(launch));
    return document;
}

/// What the folder's files occupy.
inline std::uintmax_t bytes_in(const std::filesystem::path& folder) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) bytes += entry.file_size();
    }
    return bytes;
}

}  // namespace foxbench::store
