// The daemon with the fake browser: what happens to a queue when browsers misbehave.
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/host/lock.hpp"
#include "service/store/store.hpp"
#include "tests/support/daemon.hpp"
#include "tests/support/fake_browser.hpp"

namespace foxbench {
namespace {

using client::Json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::Daemon;
using testing_support::Program;
using namespace std::chrono_literals;

const Json kSmall = {{"overrides", {{"calls", 6}, {"passes", 2}, {"cases", {"small-append"}}}}};
constexpr std::chrono::milliseconds kTwoDays = std::chrono::hours(48);

class FakeDaemon : public testing_support::FakeBrowserTest {
protected:
    /// Waits until this run has stored so many passes.
    static void wait_for_passes(const Daemon& daemon, const std::string& run, int passes) {
        auto events = daemon.client().events("/v1/runs/" + run + "/events", "0");
        for (;;) {
            const auto event = events.next(60s);
            if (!event) FAIL() << "no event in a minute";
            if (event->type == "run.progress" && Json::parse(event->data).at("passes_stored") == Json(passes)) return;
        }
    }

    static Json run_of(const Daemon& daemon, const std::string& run) {
        return daemon.client().get("/v1/runs/" + run).json();
    }
};

TEST_F(FakeDaemon, CancelsARunWhoseBrowserStandsStill) {  // cases.md 46
    set_rules(R"([{"at": "pass", "nth": 3, "do": [{"ignore": 15}, {"signal": 19}]}])");
    const Daemon daemon(folder_.file("foxbench.yaml"));
    const auto run = daemon.start_run(kSmall);
    wait_for_passes(daemon, run, 2);
    EXPECT_EQ(daemon.client().post("/v1/runs/" + run + "/cancel").json().at("state"), Json("cancelled"));
    EXPECT_THAT(run_of(daemon, run).at("reason").get<std::string>(), HasSubstr("2 of 3 passes are kept"));
    expect_nothing_left();
}

TEST_F(FakeDaemon, CountsBrowsersThatDidNotStart) {  // cases.md 36
    set_rules(R"([{"at": "start", "launch": 1, "do": [{"exit": 1}]}])");
    const Daemon daemon(folder_.file("foxbench.yaml"));
    daemon.wait_for_state(daemon.start_run(kSmall), "completed");
    EXPECT_THAT(
        daemon.client().get("/metrics", "*/*").body,
        AllOf(HasSubstr("foxbench_browser_starts_total 2\n"), HasSubstr("foxbench_browser_start_failures_total 1\n")));
}

TEST_F(FakeDaemon, GoesOnWithTheNextJobAfterOneThatFailed) {  // cases.md 28, 42
    set_rules(R"([{"at": "session.new", "launch": 1, "do": [{"default": true}, {"signal": 9}]},
                  {"at": "session.new", "launch": 2, "do": [{"reset": true}]}])");
    const Daemon daemon(folder_.file("foxbench.yaml"));
    const auto first = daemon.start_run(kSmall);
    const auto second = daemon.start_run(kSmall);
    daemon.wait_for_state(first, "failed");
    daemon.wait_for_state(second, "completed");
    expect_nothing_left();
}

TEST_F(FakeDaemon, MeasuresTheSameAgain) {  // cases.md 45
    const Daemon daemon(folder_.file("foxbench.yaml"));
    auto request = kSmall;
    request["label"] = "the first";
    request["launches"] = 2;
    const auto first = daemon.start_run(request);
    daemon.wait_for_state(first, "completed");
    const auto again = daemon.client().post("/v1/runs/" + first + "/rerun").json().at("id").get<std::string>();
    daemon.wait_for_state(again, "completed");
    ASSERT_NE(first, again);
    const auto before = run_of(daemon, first), after = run_of(daemon, again);
    EXPECT_EQ(after.at("config"), before.at("config"));
    EXPECT_EQ(after.at("targets"), before.at("targets"));
    EXPECT_THAT(after.at("trigger").dump(), HasSubstr("rerun of " + first));
}

TEST_F(FakeDaemon, SaysThatItsQueueIsStuck) {  // cases.md 47
    const auto held = host::HostLock::try_acquire(folder_.file("lock"));
    ASSERT_TRUE(held);
    Daemon daemon(folder_.file("foxbench.yaml"));
    (void)daemon.start_run(kSmall);
    daemon.program().wait_for("another measurement is going on");
    const std::vector<std::string> ask{"/usr/bin/curl", "-sS", daemon.url() + "/readyz"};
    EXPECT_EQ(Program(ask).finish().out, "ok\n");

    const auto now = std::chrono::system_clock::now().time_since_epoch();
    store::NewJob job;
    job.skeleton.id = "waits";
    job.skeleton.workload = "opfs-sync-write";
    job.skeleton.state = document::RunState::queued;
    job.request = document::Json::object();
    job.queued_at_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now - kTwoDays).count();
    store::Store(results(), store::Store::Mode::existing).enqueue(job);
    EXPECT_THAT(Program(ask).finish().out,
                AllOf(HasSubstr("not ready"), HasSubstr("[-] queue: the oldest job waits since")));
    EXPECT_THAT(daemon.client().get("/metrics", "*/*").body, HasSubstr("foxbench_queue_oldest_age_seconds 1728"));
}

}  // namespace
}  // namespace foxbench
