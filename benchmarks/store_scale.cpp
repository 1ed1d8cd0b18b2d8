// How the store answers with 100, 10,000 and 100,000 runs in it: the newest 50, the newest 50 of a target within a
// month, one report as Markdown, one table.
//
// The runs are made up: 12 series each, of one target or the other in turn, one every 10 minutes. They are inserted in
// transactions of a thousand and have a handful of samples a pass, which is what lets a hundred thousand be there
// within minutes; nothing that is measured reads the samples of more than one run. The run whose report is measured has
// as many as the quick preset gives. One store grows from each size to the next, and everything is asked for through
// Store.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/arguments.hpp"
#include "service/document/run_document.hpp"
#include "service/document/utc_time.hpp"
#include "service/report/render.hpp"
#include "service/store/run_rows.hpp"
#include "service/store/schema.hpp"
#include "service/store/store.hpp"

namespace foxbench::benchmarks {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::array<std::size_t, 3> kSizes = {100, 10'000, 100'000};
constexpr std::size_t kRunsInATransaction = 1000;
constexpr std::int64_t kFirstStart_ms = 1'700'000'000'000;
constexpr std::int64_t kBetweenStarts_ms = 10 * 60 * 1000;
constexpr std::size_t kCallsOfBulk = 8;
/// The quick preset's (workloads/opfs-sync-write/workload.yaml).
constexpr std::size_t kQuickCalls = 2000;
constexpr std::size_t kQuickPasses = 3;
/// The newest-50 list with the most runs may take so many times what it takes with the fewest.
constexpr double kMostGrowth = 1.5;
/// One question takes a fraction of a millisecond to a few: a round asks often enough to be told from the clock's step.
constexpr int kAsksARound = 20;

constexpr std::array<const char*, 12> kSeries = {"small-append",
                                                 "small-overwrite",
                                                 "chunked-append (64 KiB)",
                                                 "chunked-append (256 KiB)",
                                                 "chunked-append (1 MiB)",
                                                 "chunked-append (4 MiB)",
                                                 "append+flush",
                                                 "new-file: create+open",
                                                 "new-file: first write",
                                                 "new-file: close",
                                                 "new-file: delete",
                                                 "new-file: full cycle"};
constexpr std::array<const char*, 2> kTargets = {"firefox", "wal-full"};

document::Pass make_pass(std::mt19937& random, std::size_t calls) {
    std::lognormal_distribution<double> usual_us(4, 0.4);
    document::Pass pass;
    for (std::size_t i = 0; i < calls; ++i) {
        pass.latencies_us.push_back(std::round(usual_us(random) / 20) * 20);
        pass.total_ms += pass.latencies_us.back() / 1000;
    }
    return pass;
}

/// The `number`-th run of the store.
document::RunDocument make_run(std::mt19937& random, std::size_t number, std::size_t calls, std::size_t passes) {
    const std::int64_t start_ms = kFirstStart_ms + static_cast<std::int64_t>(number) * kBetweenStarts_ms;
    document::RunDocument run;
    run.id = "scale-" + std::to_string(number);
    run.workload = "opfs-sync-write";
    run.label = number % 10 == 0 ? "weekly" : "nightly";
    run.trigger = document::Json::object({{"kind", "schedule"}, {"name", "nightly"}});
    run.started_at = document::utc_text(start_ms);
    run.finished_at = document::utc_text(start_ms + 60'000);
    auto& host = run.host.emplace();
    host.name = "lab-3";
    host.cpu = "AMD Ryzen 7 7700 8-Core Processor";
    host.threads = 16;
    host.os = "linux";
    host.kernel = "7.0.0-31-generic";
    run.config = document::Json::object({{"preset", "quick"},
                                         {"calls", kQuickCalls},
                                         {"bytes", 4096},
                                         {"chunks", {65536, 262144, 1048576, 4194304}},
                                         {"passes", passes},
                                         {"files", 200},
                                         {"launches", 1}});
    document::Target target;
    target.name = kTargets[number % kTargets.size()];
    target.browser.version = "158.0a1";
    target.browser.build_id = "20260915093000";
    target.browser.sha256 = std::string(64, 'a');
    document::Launch launch;
    launch.environment.emplace().timer_resolution_us = 20;
    launch.noise = document::Json::object({{"other_cpu_percent", 1.5}, {"governor", "performance"}});
    for (const char* name : kSeries) {
        document::Series series;
        series.name = name;
        if (series.name.starts_with("new-file")) series.table = document::kPerFile;
        series.bytes_per_call = 4096;
        series.bytes_total = 4096 * static_cast<std::int64_t>(calls);
        if (passes > 1) series.warmup = make_pass(random, calls);
        for (std::size_t pass = 0; pass < passes; ++pass) series.passes.push_back(make_pass(random, calls));
        launch.series.push_back(std::move(series));
    }
    target.launches.push_back(std::move(launch));
    run.targets.push_back(std::move(target));
    return run;
}

/// Lets a store grow to `size` runs; the last of them is as large as a real one.
class Filler {
public:
    explicit Filler(const fs::path& results) : database_(store::open_database(results / "foxbench.db", true)) {
        // What is measured is reading; how the runs came in is not.
        database_->execute({"do not wait for the disk", "PRAGMA synchronous = OFF"});
    }

    void grow_to(std::size_t size) {
        while (stored_ < size) {
            store::Transaction transaction(*database_, store::Transaction::Kind::write);
            const std::size_t end = std::min(size, stored_ + kRunsInATransaction);
            for (; stored_ < end; ++stored_) {
                const bool real = stored_ + 1 == size;
                const auto run = make_run(random_, stored_, real ? kQuickCalls : kCallsOfBulk, real ? kQuickPasses : 1);
                store::insert_run(*database_, run, run.id, std::nullopt, kFirstStart_ms);
            }
            transaction.commit();
        }
        database_->execute({"empty the log", "PRAGMA wal_checkpoint(TRUNCATE)"});
    }

private:
    std::unique_ptr<store::Database> database_;
    std::mt19937 random_{20260915};
    std::size_t stored_ = 0;
};

struct Question {
    const char* name;
    std::function<void(const store::Store&, std::size_t size)> ask;
};

void expect(bool right, const char* what) {
    if (!right) throw std::runtime_error(std::string("wrong answer: ") + what);
}

std::string newest_id(std::size_t size) {
    return "scale-" + std::to_string(size - 1);
}

const std::array<Question, 4> kQuestions = {{
    {"list of the newest 50",
     [](const store::Store& store, std::size_t size) {
         const auto page = store.list();
         expect(page.runs.size() == 50 && page.runs.front().id == newest_id(size), "the newest 50");
     }},
    {"newest 50 of a target within a month",
     [](const store::Store& store, std::size_t size) {
         store::RunFilter filter;
         filter.target = kTargets[0];
         filter.until_ms = kFirstStart_ms + static_cast<std::int64_t>(size) * kBetweenStarts_ms;
         filter.since_ms = *filter.until_ms - 30LL * 24 * 60 * 60 * 1000;
         expect(store.list(filter).runs.size() == 50, "runs of a target");
     }},
    {"a report as Markdown",
     [](const store::Store& store, std::size_t size) {
         const auto report = report::render(store.load(newest_id(size)), report::Format::md);
         expect(report.find("append+flush") != report.npos, "the report");
     }},
    {"one table (per call, JSON)",
     [](const store::Store& store, std::size_t size) {
         const auto table =
             report::render_table(store.load(newest_id(size)), report::Table::per_call, report::Format::json);
         expect(table.find("append+flush") != table.npos, "the table");
     }},
}};

/// The median over the rounds of the time that one question takes.
double median_ms(const store::Store& store, std::size_t size, const Question& question, int rounds) {
    question.ask(store, size);  // reads what is not in memory yet
    std::vector<double> times;
    for (int round = 0; round < rounds; ++round) {
        const auto before = Clock::now();
        for (int i = 0; i < kAsksARound; ++i) question.ask(store, size);
        times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count() / kAsksARound);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/// A question's median for each of the sizes.
using Medians = std::array<double, kSizes.size()>;

void print(const std::array<Medians, kQuestions.size()>& medians) {
    std::cout << "\nMedian in ms with so many runs stored\n\n" << std::left << std::setw(40) << "" << std::right;
    for (const std::size_t size : kSizes) std::cout << std::setw(10) << size;
    std::cout << std::setw(10) << "growth"
              << "\n"
              << std::fixed;
    for (std::size_t i = 0; i < kQuestions.size(); ++i) {
        std::cout << std::left << std::setw(40) << kQuestions[i].name << std::right << std::setprecision(3);
        for (const double median : medians[i]) std::cout << std::setw(10) << median;
        std::cout << std::setprecision(2) << std::setw(10) << medians[i].back() / medians[i].front() << "\n";
    }
}

bidi::Task<> measure(Arguments arguments) {
    const fs::path results = arguments.scratch / "results";
    fs::create_directories(results);
    Filler filler(results);
    std::array<Medians, kQuestions.size()> medians{};
    for (std::size_t i = 0; i < kSizes.size(); ++i) {
        const auto before = Clock::now();
        filler.grow_to(kSizes[i]);
        const store::Store store(results, store::Store::Mode::existing);
        std::cout << kSizes[i] << " runs: stored in " << std::fixed << std::setprecision(1)
                  << std::chrono::duration<double>(Clock::now() - before).count() << " s, "
                  << static_cast<double>(store.database_bytes()) / (1 << 20) << " MiB" << std::endl;
        for (std::size_t question = 0; question < kQuestions.size(); ++question)
            medians[question][i] = median_ms(store, kSizes[i], kQuestions[question], arguments.rounds);
    }
    print(medians);
    const double growth = medians[0].back() / medians[0].front();
    if (growth > kMostGrowth) {
        throw std::runtime_error("the newest-50 list takes " + std::to_string(growth) + " times as long with " +
                                 std::to_string(kSizes.back()) + " runs as with " + std::to_string(kSizes.front()));
    }
    co_return;
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(argc, argv, "How the store answers as runs become many",
                                               foxbench::benchmarks::measure);
}
