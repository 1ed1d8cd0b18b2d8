// Hundreds of launches in one daemon: nothing may grow.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ostream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/host/procfs.hpp"
#include "tests/support/daemon.hpp"
#include "tests/support/fake_browser.hpp"

namespace foxbench {
namespace {

using testing_support::Daemon;
using testing_support::read_file;

constexpr int kLaunchesOfARun = 10;

/// 20 launches, or 300 where there is time (`./test --long`).
int runs_wanted() {
    return std::getenv("FOXBENCH_LONG") != nullptr ? 30 : 2;
}

/// A daemon has settled within this: connections that were closed are gone, files are written.
constexpr std::chrono::seconds kSettled{30};
constexpr std::chrono::milliseconds kPoll{20};

/// What the last two thirds of the launches may add to the memory: fragments of the allocator, and logs of events that
/// are kept up to a number.
constexpr std::int64_t kNoiseBytes = std::int64_t{4} << 20;

/// What a process holds.
struct Holding {
    std::size_t descriptors = 0, threads = 0, children = 0;

    [[nodiscard]] bool is_within(const Holding& limit) const {
        return descriptors <= limit.descriptors && threads <= limit.threads && children <= limit.children;
    }
};
std::ostream& operator<<(std::ostream& out, const Holding& holding) {
    return out << holding.descriptors << " descriptors, " << holding.threads << " threads, " << holding.children
               << " children";
}

std::size_t entries(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

Holding held_by(pid_t pid) {
    const std::filesystem::path folder = "/proc/" + std::to_string(pid);
    Holding holding{entries(folder / "fd"), entries(folder / "task"), 0};
    for (const auto& process : host::read_all_process_stats()) holding.children += process.parent == pid ? 1 : 0;
    return holding;
}

/// Memory of its own that is resident; files that are mapped come and go as the kernel likes.
std::int64_t resident_bytes(pid_t pid) {
    const std::string status = read_file("/proc/" + std::to_string(pid) + "/status");
    const std::string name = "RssAnon:";
    const auto at = status.find(name);
    if (at == std::string::npos) return 0;
    return std::stoll(status.substr(at + name.size())) * 1024;
}

class ManyLaunches : public testing_support::FakeBrowserTest {
protected:
    void measure(const Daemon& daemon) const {
        const auto run = daemon.start_run(
            {{"overrides", {{"calls", 6}, {"passes", 1}, {"cases", {"small-append"}}}}, {"launches", kLaunchesOfARun}});
        daemon.wait_for_state(run, "completed");
    }
};

TEST_F(ManyLaunches, LeaveNothingBehind) {  // cases.md 3
    Daemon daemon(folder_.file("foxbench.yaml"));
    const pid_t pid = daemon.program().pid();
    const int runs = runs_wanted();
    std::optional<Holding> limit;
    std::int64_t early_bytes = 0;
    for (int run = 1; run <= runs; ++run) {
        measure(daemon);
        // The first run makes the template and starts the threads of the pools.
        if (!limit) limit = held_by(pid);
        const auto give_up_at = std::chrono::steady_clock::now() + kSettled;
        Holding holding = held_by(pid);
        while (!holding.is_within(*limit) && std::chrono::steady_clock::now() < give_up_at) {
            std::this_thread::sleep_for(kPoll);
            holding = held_by(pid);
        }
        ASSERT_TRUE(holding.is_within(*limit))
            << "after " << run * kLaunchesOfARun << " launches: " << holding << "; after the first run: " << *limit;
        ASSERT_EQ(holding.children, 0u);
        if (run == std::max(1, runs / 3)) early_bytes = resident_bytes(pid);
    }
    EXPECT_EQ(read_file(folder_.file("script.json.launches")).size(), static_cast<std::size_t>(runs * kLaunchesOfARun));
    ASSERT_GT(early_bytes, 0);
    const auto grown = resident_bytes(pid) - early_bytes;
    RecordProperty("grown_kib", std::to_string(grown / 1024));
    EXPECT_LT(grown, kNoiseBytes) << "from " << early_bytes << " bytes";
    expect_nothing_left();
}

}  // namespace
}  // namespace foxbench
