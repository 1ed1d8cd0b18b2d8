// kill -9 at any moment of a run, and a disk that fills up during one: what was announced as stored is there, nothing
// is left behind, and the next run completes.
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "service/document/run_document.hpp"
#include "service/error.hpp"
#include "tests/support/daemon.hpp"
#include "tests/support/small_disk.hpp"
#include "tests/support/stored_run.hpp"

namespace foxbench {
namespace {

using client::Json;
using document::RunDocument;
using testing::AnyOf;
using testing::HasSubstr;
using testing_support::Daemon;
using testing_support::expect_no_process_with;
using testing_support::no_profile_left;
using testing_support::SmallDisk;
using testing_support::TemporaryFolder;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kCalls = 20;
constexpr std::chrono::seconds kHangBound{120};
/// A second or two with the browser's start; each pass has one series, so that passes can be counted.
const Json kShort = {{"calls", kCalls}, {"passes", 3}, {"cases", {"small-append", "small-overwrite", "append+flush"}}};
/// Passes without end, each of some KiB.
const Json kEndless = {{"calls", 2000}, {"passes", 1000}, {"cases", {"small-append"}}};

/// All passes that are stored, warm-ups too; each has to be whole.
std::int64_t whole_passes(const RunDocument& run) {
    std::int64_t passes = 0;
    for (const auto& target : run.targets) {
        for (const auto& launch : target.launches) {
            for (const auto& series : launch.series) {
                if (series.warmup) EXPECT_EQ(series.warmup->latencies_us.size(), kCalls) << series.name;
                for (const auto& pass : series.passes) EXPECT_EQ(pass.latencies_us.size(), kCalls) << series.name;
                passes += static_cast<std::int64_t>(series.passes.size()) + (series.warmup ? 1 : 0);
            }
        }
    }
    return passes;
}

class CrashingDaemon : public testing::Test {
protected:
    std::string write_config() const {
        return folder_.write("foxbench.yaml",
                             "server: {listen: 127.0.0.1:0, shutdown_grace: 0s}\n"
                             "results: results\n"
                             "profiles: profiles\n"
                             "workloads: " FOXBENCH_SOURCE_DIR
                             "/workloads\n"
                             "targets: {firefox: {}}\n"
                             "settle: 0ms\n");
    }
    [[nodiscard]] RunDocument document_of(const Daemon& daemon, const std::string& run) const {
        return document::from_json(daemon.client().get("/v1/runs/" + run + "/document").json());
    }
    /// The run once it has ended, however; fails the test after a bound that only a hang reaches.
    [[nodiscard]] RunDocument ended(const Daemon& daemon, const std::string& run) const {
        const auto give_up_at = Clock::now() + kHangBound;
        for (;;) {
            auto document = document_of(daemon, run);
            if (document::is_final(document.state)) return document;
            if (Clock::now() > give_up_at) throw std::runtime_error("run " + run + " does not end");
            std::this_thread::sleep_for(20ms);
        }
    }
    void expect_nothing_left() const {
        expect_no_process_with(folder_.file("profiles/"));
        EXPECT_TRUE(no_profile_left(folder_.path()));
    }

    TemporaryFolder folder_;
};

/// What a run's events have announced.
class Announced {
public:
    Announced(const Daemon& daemon, const std::string& run)
        : events_(daemon.client().events("/v1/runs/" + run + "/events", "0")) {}

    /// Listens until then, or until the run is finished.
    void listen_until(Clock::time_point end) {
        while (!finished_) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
            if (left <= 0ms || !take(left)) return;
        }
    }
    /// What had been sent by a daemon that is gone.
    void listen_to_the_rest() {
        try {
            while (take(10ms)) {
            }
        } catch (const Error&) {
            // Nobody listens at its address any more.
        }
    }

    [[nodiscard]] std::int64_t passes() const noexcept { return passes_; }
    [[nodiscard]] bool finished() const noexcept { return finished_; }

private:
    bool take(std::chrono::milliseconds at_most) {
        const auto event = events_.next(at_most);
        if (!event) return false;
        if (event->type == "run.progress") passes_ = Json::parse(event->data).at("passes_stored").get<std::int64_t>();
        if (event->type == "run.finished") finished_ = true;
        return true;
    }

    client::EventStream events_;
    std::int64_t passes_ = 0;
    bool finished_ = false;
};

unsigned chosen_seed() {
    const char* given = std::getenv("FOXBENCH_SEED");
    return given != nullptr ? static_cast<unsigned>(std::stoul(given)) : std::random_device()();
}

TEST_F(CrashingDaemon, LosesNothingWheneverItIsKilled) {
    const int kills = std::getenv("FOXBENCH_LONG") != nullptr ? 100 : 5;
    const auto seed = chosen_seed();
    std::cerr << "FOXBENCH_SEED=" << seed << "\n";
    std::mt19937 random(seed);
    const auto config = write_config();
    auto daemon = std::make_unique<Daemon>(config);
    const auto begin = Clock::now();
    daemon->wait_for_state(daemon->start_run({{"overrides", kShort}}), "completed");
    const auto whole = Clock::now() - begin;

    for (int kill = 0; kill < kills && !HasFailure(); ++kill) {
        const auto after = std::chrono::duration_cast<Clock::duration>(whole * (1.1 * (random() % 1000) / 1000));
        SCOPED_TRACE("kill " + std::to_string(kill) + " after " + std::to_string(after / 1ms) + " ms");
        const auto started = Clock::now();
        const auto run = daemon->start_run({{"overrides", kShort}});
        Announced announced(*daemon, run);
        announced.listen_until(started + after);
        daemon->program().signal(SIGKILL);
        EXPECT_EQ(daemon->program().finish().exit_code, 128 + SIGKILL);
        announced.listen_to_the_rest();
        expect_no_process_with(folder_.file("profiles/"));

        daemon = std::make_unique<Daemon>(config);
        // One that had not begun gets its turn; one that had is ended.
        const auto stored = ended(*daemon, run);
        EXPECT_GE(whole_passes(stored), announced.passes());
        if (announced.finished()) EXPECT_EQ(stored.state, document::RunState::completed);
        const auto next = daemon->start_run({{"overrides", kShort}});
        daemon->wait_for_state(next, "completed");
        EXPECT_EQ(whole_passes(document_of(*daemon, next)), 12);
        expect_nothing_left();
    }
}

TEST_F(CrashingDaemon, EndsARunWhoseDiskIsFullAndGoesOnAfterwards) {
    auto disk = SmallDisk::mount_at(folder_.path() / "results", 4);
    if (!disk) GTEST_SKIP() << "this process may not mount filesystems";
    Daemon daemon(write_config());
    const auto run = daemon.start_run({{"overrides", kEndless}});
    auto events = daemon.client().events("/v1/runs/" + run + "/events", "0");
    for (std::int64_t passes = 0; passes < 2;) {
        const auto event = events.next(120s);
        ASSERT_TRUE(event) << "no event in two minutes";
        if (event->type == "run.progress") passes = Json::parse(event->data).at("passes_stored").get<std::int64_t>();
    }
    disk->fill();
    daemon.program().wait_for("queue.fault");
    EXPECT_THAT(daemon.program().err_so_far(), HasSubstr("free space on its disk"));
    expect_no_process_with(folder_.file("profiles/"));
    EXPECT_EQ(daemon.client().get("/livez", "*/*").status, 200U);

    disk->empty();
    const auto next = daemon.start_run({{"overrides", kShort}});
    daemon.wait_for_state(next, "completed");
    const auto lost = daemon.client().get("/v1/runs/" + run).json();
    EXPECT_THAT(lost.at("state").get<std::string>(), AnyOf("partial", "failed"));
    EXPECT_THAT(lost.at("reason").get<std::string>(), HasSubstr("free space on its disk"));
    const auto stored = document_of(daemon, run);
    const auto& series = stored.targets.at(0).launches.at(0).series.at(0);
    EXPECT_GE(series.passes.size(), 1U);
    for (const auto& pass : series.passes) EXPECT_EQ(pass.latencies_us.size(), 2000U);
    expect_nothing_left();
}

}  // namespace
}  // namespace foxbench
