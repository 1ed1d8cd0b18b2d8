// What becomes of schedules' firings, by the daemon as a process. Its store says that the schedules have been known for
// a while, so that there are firings of the past when it starts and nothing has to be waited for.
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/daemon/scheduler.hpp"
#include "service/host/clock.hpp"
#include "service/host/lock.hpp"
#include "tests/support/daemon.hpp"

namespace foxbench {
namespace {

using client::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing_support::Daemon;
using namespace std::chrono_literals;

std::chrono::sys_seconds ago(std::chrono::minutes span) {
    return std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now()) - span;
}
std::int64_t ms_ago(std::chrono::minutes span) {
    return std::chrono::milliseconds(ago(span).time_since_epoch()).count();
}
/// "07:05", UTC.
std::string clock(std::chrono::sys_seconds at) {
    const std::chrono::hh_mm_ss time(at - std::chrono::floor<std::chrono::days>(at));
    const auto two = [](auto number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    return two(time.hours().count()) + ":" + two(time.minutes().count());
}
std::string minute(std::chrono::sys_seconds at) {
    return std::to_string(std::stoi(clock(at).substr(3)));
}

class SchedulesTest : public testing::Test {
protected:
    /// Writes the configuration; `schedules` is the YAML map. Jobs have a command before them, and so they wait for the
    /// lock of the host before their missing browser fails them.
    void configure(const std::string& schedules) {
        config_file_ = folder_.write("foxbench.yaml",
                                     "server: {listen: 127.0.0.1:0}\n"
                                     "results: results\n"
                                     "workloads: " FOXBENCH_SOURCE_DIR
                                     "/workloads\n"
                                     "targets: {gone: {binary: /no/such/firefox}}\n"
                                     "lock: lock\n"
                                     "schedules:\n" +
                                         schedules);
        config_ = config::load_config(config_file_);
    }
    [[nodiscard]] store::Store store() const { return store::Store(config_->results); }
    [[nodiscard]] const config::Schedule& schedule(const std::string& name) const {
        return *std::ranges::find(config_->schedules, name, &config::Schedule::name);
    }
    /// All of them have been known since before anything that is due here.
    void know_schedules() const {
        for (const auto& one : config_->schedules)
            static_cast<void>(store().schedule_state(one.name, daemon::times_of(one), ms_ago(20min)));
    }
    [[nodiscard]] store::NewJob job_of(const std::string& name) const {
        return daemon::make_scheduled_job(schedule(name), *config_, host::now_ms(), host::now_ms());
    }

    void start() { daemon_ = std::make_unique<Daemon>(config_file_); }
    /// When the daemon looked at its schedules last; waits until it has, after `before`.
    [[nodiscard]] std::string next_look(const std::string& before = {}) const {
        constexpr std::string_view kBegin = "scheduler: looked at the clock at ";
        std::string look;
        wait_until([&] {
            const auto ready = daemon_->client().get("/readyz?verbose", "text/plain").body;
            const auto at = ready.find(kBegin);
            if (at == std::string::npos) return false;
            look = ready.substr(at + kBegin.size(), ready.find('\n', at) - at - kBegin.size());
            return look != before;
        });
        return look;
    }
    /// The newest firings of a schedule, once there are `count`.
    [[nodiscard]] Json firings(const std::string& name, std::size_t count) const {
        Json last;
        wait_until([&] {
            const Json schedules = daemon_->client().get("/v1/schedules").json().at("schedules");
            for (const auto& one : schedules) {
                if (Json(name) == one.at("name")) last = one.at("last");
            }
            return last.size() >= count;
        });
        return last;
    }
    template <class Condition>
    static void wait_until(Condition condition) {
        const auto hang = std::chrono::steady_clock::now() + 120s;
        while (!condition() && std::chrono::steady_clock::now() < hang) std::this_thread::sleep_for(20ms);
        EXPECT_TRUE(condition());
    }

    testing_support::TemporaryFolder folder_;
    std::string config_file_;
    std::optional<config::Config> config_;
    std::unique_ptr<Daemon> daemon_;
};

std::string text(const Json& firing, const char* member) {
    return firing.at(member).is_string() ? firing.at(member).get<std::string>() : "null";
}

TEST_F(SchedulesTest, WhatWasMissedRunsOnceOrIsSkipped) {
    const std::string times = "cron: '" + minute(ago(10min)) + "," + minute(ago(5min)) + " * * * *', time_zone: UTC";
    configure("  once: {" + times + ", missed: run-once}\n  skipping: {" + times + ", missed: skip}\n");
    know_schedules();
    start();

    const auto once = firings("once", 2);
    ASSERT_EQ(once.size(), 2U);
    EXPECT_EQ(text(once[0], "outcome"), "queued");
    EXPECT_THAT(text(once[0], "reason"), StartsWith("late: noticed "));
    EXPECT_THAT(text(once[0], "due_at"), HasSubstr(clock(ago(5min))));
    EXPECT_EQ(text(once[1], "outcome"), "skipped");
    EXPECT_THAT(text(once[1], "reason"), HasSubstr("a newer one stands for it"));
    daemon_->wait_for_state(text(once[0], "run"), "failed");

    const auto skipping = firings("skipping", 2);
    ASSERT_EQ(skipping.size(), 2U);
    for (const auto& firing : skipping) {
        EXPECT_EQ(text(firing, "outcome"), "skipped");
        EXPECT_THAT(text(firing, "reason"), HasSubstr("the schedule skips what it missed"));
    }
    const auto runs = daemon_->client().get("/v1/runs?trigger=schedule").json().at("runs");
    EXPECT_EQ(runs.size(), 1U) << "one for all that was missed";
}

TEST_F(SchedulesTest, AFiringBesideItsOwnJobIsSkippedOrQueued) {
    const std::string times = "cron: '" + minute(ago(10min)) + " * * * *', time_zone: UTC, before: ['true']";
    configure("  lone: {" + times + ", overlap: skip}\n  stacking: {" + times + ", overlap: queue}\n");
    know_schedules();
    for (const char* name : {"lone", "stacking"}) store().enqueue(job_of(name));
    // The first job waits for the machine, and the second one for the first.
    const auto held = host::HostLock::try_acquire(config_->lock);
    ASSERT_TRUE(held);
    start();

    const auto lone = firings("lone", 1);
    ASSERT_EQ(lone.size(), 1U);
    EXPECT_EQ(text(lone[0], "outcome"), "skipped");
    EXPECT_EQ(text(lone[0], "reason"), "overlap: the schedule's previous job is still waiting or running");
    const auto stacking = firings("stacking", 1);
    ASSERT_EQ(stacking.size(), 1U);
    EXPECT_EQ(text(stacking[0], "outcome"), "queued");
    EXPECT_EQ(store().queue().size(), 2U) << "both of the stacking one; the lone one's is being worked on";
}

TEST_F(SchedulesTest, AFiringThatCouldNotEndInTimeIsSkippedAndAJobEndsInTime) {
    configure("  nightly: {cron: '" + minute(ago(10min)) + " * * * *', time_zone: UTC, before: ['true'], finish_by: '" +
              clock(ago(5min)) + "'}\n");
    know_schedules();
    auto job = job_of("nightly");
    job.request["terms"]["finish_by_ms"] = host::now_ms() + 1000;
    job.schedule.reset();
    const auto run = store().enqueue(job);
    const auto held = host::HostLock::try_acquire(config_->lock);
    ASSERT_TRUE(held);
    start();

    const auto firing = firings("nightly", 1);
    ASSERT_EQ(firing.size(), 1U);
    EXPECT_EQ(text(firing[0], "outcome"), "skipped");
    EXPECT_EQ(text(firing[0], "reason"), "missed: it would have had to end by " + clock(ago(5min)));

    daemon_->wait_for_state(run, "failed");
    EXPECT_EQ(daemon_->client().get("/v1/runs/" + run).json().at("reason"),
              "Its time was over before anything was measured");
}

TEST_F(SchedulesTest, AnEditedScheduleOwesNothing) {
    configure("  nightly: {cron: '" + minute(ago(-30min)) + " * * * *', time_zone: UTC}\n");
    know_schedules();
    configure("  nightly: {cron: '" + minute(ago(10min)) + " * * * *', time_zone: UTC}\n");
    start();
    static_cast<void>(next_look());
    EXPECT_THAT(firings("nightly", 0), IsEmpty());
}

TEST_F(SchedulesTest, AScheduleThatCameBackOwesNothing) {
    const std::string nightly = "  nightly: {cron: '" + minute(ago(10min)) + " * * * *', time_zone: UTC}\n";
    configure(nightly);
    know_schedules();
    configure("  other: {cron: '@yearly', time_zone: UTC}\n");
    start();
    const auto first = next_look();
    configure(nightly);
    static_cast<void>(daemon_->client().post("/v1/reload"));
    static_cast<void>(next_look(first));
    EXPECT_THAT(firings("nightly", 0), IsEmpty());
    const auto known = daemon_->client().get("/v1/schedules").json().at("schedules");
    ASSERT_EQ(known.size(), 1U);
    EXPECT_EQ(known[0].at("next").size(), 5U);
}

}  // namespace
}  // namespace foxbench
