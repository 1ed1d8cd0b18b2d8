// How long a history of 10,000 nights takes, from the request to the last byte: as JSON, as CSV, and as a picture. The
// nights are made up, of one series; the daemon is a process of its own.

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>
#include <stdexcept>
#include <vector>

#include "benchmarks/arguments.hpp"
#include "benchmarks/running_daemon.hpp"
#include "service/client/daemon_client.hpp"
#include "service/document/utc_time.hpp"
#include "service/history/sample_runs.hpp"
#include "service/store/alerts.hpp"
#include "service/store/history_store.hpp"
#include "service/store/store.hpp"

namespace foxbench::benchmarks {
namespace {

constexpr int kNights = 10'000;
constexpr std::int64_t kFirstNight_ms = 915'148'800'000;  // 1999-01-01
constexpr std::int64_t kDay_ms = 24 * 60 * 60 * 1000;
/// From the request to the last byte of the nights as JSON.
constexpr double kMost_ms = 50;

void fill(store::Store& store) {
    std::mt19937 random(7);
    std::normal_distribution<double> spread(0, 0.02);
    store::HistoryStore histories(store);
    store::Alerts alerts(store);
    for (int i = 0; i < kNights; ++i) {
        const auto night = document::utc_text(kFirstNight_ms + i * kDay_ms).substr(0, 10);
        const auto run = history::sample_night(
            night, {{.means_us = {{"small-append", {40 * (1 + spread(random)), 40 * (1 + spread(random))}}}}});
        const auto id = store.import_document(run).id;
        histories.take(id);
        (void)alerts.record(id, {}, 0);
    }
}

bidi::Task<> benchmark(Arguments arguments) {
    std::cout << "Making " << kNights << " nights\n" << std::flush;
    {
        store::Store store(arguments.scratch / "results");
        fill(store);
    }
    const RunningDaemon daemon(arguments.scratch);
    client::ClientOptions options;
    options.url = daemon.url();
    const client::DaemonClient client(options);
    const std::string series = client.get("/v1/series").json().at("series").at(0).at("id");
    std::cout.setf(std::ios::fixed);
    std::cout.precision(1);
    bool slow = false;
    for (const std::string what : {"points", "points?format=csv", "plot.svg"}) {
        std::vector<double> times_ms;
        std::size_t bytes = 0;
        for (int round = 0; round < arguments.rounds; ++round) {
            const auto begin = std::chrono::steady_clock::now();
            bytes = client.get("/v1/series/" + series + "/" + what, "*/*").body.size();
            times_ms.push_back(
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        }
        std::ranges::sort(times_ms);
        const double median_ms = times_ms[times_ms.size() / 2];
        std::cout << "  " << what << ": median " << median_ms << " ms (" << times_ms.front() << " to "
                  << times_ms.back() << "), " << bytes / 1024 << " KiB\n";
        slow = slow || (what == "points" && median_ms > kMost_ms);
    }
    if (slow) throw std::runtime_error("the nights took longer than the limit of 50 ms");
    co_return;
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(argc, argv, "How long a history of 10,000 nights takes",
                                               foxbench::benchmarks::benchmark);
}
