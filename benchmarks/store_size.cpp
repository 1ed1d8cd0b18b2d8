// Storing a run of the full preset pass by pass, as a run does, and reading it back: the size on the disk, and the
// time.
//
// The samples are made up, from a fixed seed, in the shape that real ones have: log-normal around each step's usual
// cost with rare long ones, in steps of the browser's clock. The coarse clock of an isolated page compresses well; with
// `timer: precise` nearly every digit is noise.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/arguments.hpp"
#include "benchmarks/comparison.hpp"
#include "service/document/run_document.hpp"
#include "service/store/store.hpp"
#include "service/workload/manifest.hpp"
#include "service/workload/plan.hpp"

namespace foxbench::benchmarks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr double kStandardStepUs = 20;
constexpr double kPreciseStepUs = 0.1;
/// The full preset, warm-ups included.
constexpr std::int64_t kSamples = 427'974;

/// Makes latencies of one series.
class SampleMaker {
public:
    explicit SampleMaker(double step_us) : step_us_(step_us) {}

    std::vector<double> latencies(std::int64_t calls, double usual_us) {
        std::lognormal_distribution<double> usual(std::log(usual_us), 0.35);
        std::bernoulli_distribution is_long(0.005);
        std::vector<double> result;
        result.reserve(static_cast<std::size_t>(calls));
        for (std::int64_t call = 0; call < calls; ++call) {
            double latency_us = usual(random_);
            if (is_long(random_)) latency_us *= 20;
            // Three decimals, as the worker rounds.
            result.push_back(std::round(std::round(latency_us / step_us_) * step_us_ * 1000) / 1000);
        }
        return result;
    }

private:
    double step_us_;
    std::mt19937_64 random_{20260915};
};

/// What one call of a series costs on a desktop's disk, very roughly (docs/opfs.md).
double usual_latency_us(const std::string& series) {
    if (series.starts_with("append+flush")) return 1500;
    if (series == "chunked-append (1 MiB)") return 700;
    if (series == "new-file: first write") return 150;
    if (series.starts_with("new-file")) return 12'000;
    return 60;
}

document::RunDocument make_run(const workload::Plan& plan, double step_us) {
    SampleMaker maker(step_us);
    double clock_ms = 1'789'535'582'000;
    document::Launch launch;
    for (const auto& sequence : plan.sequences) {
        for (const auto& planned : sequence.series) {
            document::Series series;
            series.name = planned.name;
            series.table = planned.table;
            series.bytes_per_call = planned.bytes_per_call;
            series.bytes_total = planned.bytes_total;
            for (std::int64_t index = 0; index <= plan.passes; ++index) {
                document::Pass pass;
                pass.latencies_us = maker.latencies(planned.calls, usual_latency_us(planned.name));
                for (const double latency_us : pass.latencies_us) pass.total_ms += latency_us / 1000;
                pass.started_at_ms = clock_ms;
                pass.finished_at_ms = clock_ms += pass.total_ms;
                if (index == 0) {
                    series.warmup = std::move(pass);
                } else {
                    series.passes.push_back(std::move(pass));
                }
            }
            launch.series.push_back(std::move(series));
        }
    }
    document::RunDocument run;
    run.id = "full-preset";
    run.workload = plan.workload;
    run.config = plan.config();
    run.started_at = "2026-09-15T22:13:00.000Z";
    document::Target target;
    target.name = "firefox";
    target.browser.version = "153.0";
    target.launches.push_back(std::move(launch));
    run.targets.push_back(std::move(target));
    return run;
}

/// Stores as a run does: the run, then each pass in a transaction of its own, then the end.
std::string store_run(store::Store& store, const document::RunDocument& run) {
    document::RunDocument skeleton = run;
    skeleton.targets.front().launches.clear();
    skeleton.state = document::RunState::running;
    const std::string id = store.begin_run(skeleton);
    const store::LaunchKey key{0, 0};
    document::Launch facts;
    store.update_launch(id, key, facts);
    std::size_t position = 0;
    for (const auto& series : run.targets.front().launches.front().series) {
        store.add_pass(id, key, {position, series, std::nullopt, *series.warmup});
        for (std::size_t index = 0; index < series.passes.size(); ++index)
            store.add_pass(id, key, {position, series, index, series.passes[index]});
        ++position;
    }
    store.finish_run(id, document::RunState::completed, std::nullopt, "2026-09-15T22:23:00.000Z");
    return id;
}

std::int64_t count_samples(const document::RunDocument& run) {
    std::size_t count = 0;
    for (const auto& series : run.targets.front().launches.front().series) {
        count += series.warmup->latencies_us.size();
        for (const auto& pass : series.passes) count += pass.latencies_us.size();
    }
    return static_cast<std::int64_t>(count);
}

bool same_samples(const document::RunDocument& a, const document::RunDocument& b) {
    const auto& these = a.targets.front().launches.front().series;
    const auto& those = b.targets.front().launches.front().series;
    return std::equal(these.begin(), these.end(), those.begin(), those.end(),
                      [](const document::Series& x, const document::Series& y) {
                          return x.warmup->latencies_us == y.warmup->latencies_us &&
                                 std::equal(x.passes.begin(), x.passes.end(), y.passes.begin(), y.passes.end(),
                                            [](const document::Pass& p, const document::Pass& q) {
                                                return p.latencies_us == q.latencies_us;
                                            });
                      });
}

std::uintmax_t size_of_folder(const fs::path& folder) {
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) bytes += entry.file_size();
    }
    return bytes;
}

void measure_clock(const Arguments& arguments, const std::string& title, const document::RunDocument& run) {
    std::vector<Contestant> storing{{"foxbench", {}}}, reading{{"foxbench", {}}}, size{{"foxbench", {}}};
    for (int round = 0; round < arguments.rounds; ++round) {
        const fs::path results = arguments.scratch / "results";
        fs::remove_all(results);
        { const store::Store empty(results); }
        const auto empty_bytes = size_of_folder(results);
        std::string id;
        const auto before_storing = Clock::now();
        {
            store::Store store(results);
            id = store_run(store, run);
        }
        storing[0].values.push_back(Milliseconds(Clock::now() - before_storing).count());
        size[0].values.push_back(static_cast<double>(size_of_folder(results) - empty_bytes) / 1024);

        const store::Store store(results, store::Store::Mode::existing);
        const auto before_reading = Clock::now();
        const auto read = store.load(id);
        reading[0].values.push_back(Milliseconds(Clock::now() - before_reading).count());
        if (!same_samples(read, run)) throw std::runtime_error("what was read is not what was stored");
    }
    print_comparison(std::cout, title + ": size on the disk (the limit is 1024)", "KiB", size);
    print_comparison(std::cout, title + ": storing, a transaction a pass", "ms", storing);
    print_comparison(std::cout, title + ": reading back", "ms", reading);
}

bidi::Task<> measure(Arguments arguments) {
    const auto plan =
        workload::make_plan(workload::load_manifest(arguments.workload), "full", workload::Json::object());
    const auto standard = make_run(plan, kStandardStepUs);
    if (count_samples(standard) != kSamples)
        throw std::runtime_error("the full preset has changed: " + std::to_string(count_samples(standard)) +
                                 " samples");
    measure_clock(arguments, "Full preset, clock of 20 us", standard);
    measure_clock(arguments, "Full preset, clock of 0.1 us", make_run(plan, kPreciseStepUs));
    co_return;
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(argc, argv, "How large and how fast a stored full-preset run is",
                                               foxbench::benchmarks::measure);
}
