// The daemon with a real Firefox: a schedule and a request at the same time, events, cancellation, kill -9.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "service/document/run_document.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "tests/support/daemon.hpp"
#include "tests/support/stored_run.hpp"

namespace foxbench {
namespace {

using client::Json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::Daemon;
using testing_support::expect_no_process_with;
using testing_support::no_profile_left;
using testing_support::processes_with;
using testing_support::TemporaryFolder;
using namespace std::chrono_literals;

/// Small enough for a few seconds, large enough to have every kind of series.
const Json kSmall = {{"calls", 100}, {"files", 10}, {"passes", 2}};
/// Minutes, so that there is time to disturb it.
const Json kLong = {{"calls", 50}, {"files", 5000}, {"passes", 1}, {"cases", {"small-append", "new-file"}}};

class DaemonWithFirefox : public testing::Test {
protected:
    std::string write_config(const std::string& more = {}) const {
        return folder_.write("foxbench.yaml",
                             "server: {listen: 127.0.0.1:0, shutdown_grace: 0s}\n"
                             "results: results\n"
                             "workloads: " FOXBENCH_SOURCE_DIR
                             "/workloads\n"
                             "targets: {firefox: {}}\n"
                             "settle: 0ms\n" +
                                 more);
    }

    [[nodiscard]] std::string results() const { return folder_.file("results"); }

    /// A run that is in its second case, so that it has a finished pass.
    static void wait_for_a_stored_pass(const Daemon& daemon, const std::string& run) {
        auto events = daemon.client().events("/v1/runs/" + run + "/events");
        for (;;) {
            const auto event = events.next(120s);
            if (!event) FAIL() << "no event in two minutes";
            if (event->type != "run.progress") continue;
            if (Json::parse(event->data).at("passes_stored") >= 2) return;
        }
    }

    void expect_nothing_left() const {
        expect_no_process_with(results() + "/profiles/");
        EXPECT_TRUE(no_profile_left(results()));
    }

    TemporaryFolder folder_;
};

std::int64_t ms(const Json& time) {
    return document::utc_milliseconds(time.get<std::string>()).value();
}

/// The events of a stream until one of this type for this run.
std::vector<client::ServerEvent> events_until(client::EventStream& stream, const std::string& type,
                                              const std::string& run) {
    std::vector<client::ServerEvent> events;
    for (;;) {
        auto event = stream.next(180s);
        if (!event) {
            ADD_FAILURE() << "no event in three minutes";
            return events;
        }
        events.push_back(*event);
        if (event->type == type && event->data.find("\"" + run + "\"") != std::string::npos) return events;
    }
}

/// A schedule that is due at the next full minute which is at least `ahead` away.
struct Due {
    std::string cron;
    std::chrono::system_clock::time_point at;
};
Due due_soon(std::chrono::seconds ahead) {
    const auto at = std::chrono::ceil<std::chrono::minutes>(std::chrono::system_clock::now() + ahead);
    const std::time_t time = std::chrono::system_clock::to_time_t(at);
    std::tm utc{};
    gmtime_r(&time, &utc);
    return {std::to_string(utc.tm_min) + " " + std::to_string(utc.tm_hour) + " * * *", at};
}

TEST_F(DaemonWithFirefox, MeasuresAScheduleAndARequestOneAfterTheOther) {
    const auto due = due_soon(3s);
    const Daemon daemon(
        write_config("schedules:\n"
                     "  soon:\n"
                     "    cron: '" +
                     due.cron +
                     "'\n"
                     "    time_zone: UTC\n"
                     "    overrides: {calls: 100, files: 10, passes: 2}\n"));
    const auto client = daemon.client();
    auto all = client.events("/v1/events");
    ASSERT_FALSE(all.next(1ms));  // connected before anything happens

    // Asked for just before the schedule is due, so that both want the machine at the same time.
    std::this_thread::sleep_until(due.at - 1s);
    const auto asked = daemon.start_run({{"overrides", kSmall}, {"label", "asked"}});

    // A second listener is cut in the middle and comes back with the last id it has seen.
    auto first_half = client.events("/v1/events", "0");
    auto seen = events_until(first_half, "run.started", asked);
    auto second_half = client.events("/v1/events", seen.back().id);
    const auto whole = events_until(all, "run.finished", asked);
    const auto rest = events_until(second_half, "run.finished", asked);
    seen.insert(seen.end(), rest.begin(), rest.end());

    std::set<std::int64_t> ids_of_whole, ids_of_parts;
    std::int64_t last = 0;
    for (const auto& event : whole) {
        const auto id = std::stoll(event.id);
        EXPECT_GT(id, last);
        last = id;
        ids_of_whole.insert(id);
    }
    for (const auto& event : seen) {
        if (event.type != "gap") EXPECT_TRUE(ids_of_parts.insert(std::stoll(event.id)).second) << event.id << " twice";
    }
    for (const auto id : ids_of_whole) EXPECT_TRUE(ids_of_parts.count(id) == 1) << "event " << id << " was missed";
    EXPECT_TRUE(std::ranges::any_of(whole, [](const auto& event) { return event.type == "run.series"; }));

    std::string scheduled;
    const Json of_schedules = client.get("/v1/runs?trigger=schedule").json();
    for (const auto& run : of_schedules.at("runs")) scheduled = run.at("id").get<std::string>();
    ASSERT_FALSE(scheduled.empty()) << daemon.client().get("/v1/schedules").body;
    daemon.wait_for_state(scheduled, "completed");
    const Json first = client.get("/v1/runs/" + asked).json();
    const Json second = client.get("/v1/runs/" + scheduled).json();
    EXPECT_EQ(first.at("state"), "completed");
    EXPECT_LE(ms(first.at("finished_at")), ms(second.at("started_at"))) << "one at a time, in the order of the queue";
    EXPECT_EQ(second.at("trigger").at("name"), "soon");

    for (const char* format : {"md", "json", "csv", "html"}) {
        for (const char* what : {"report", "tables/per-call", "tables/per-file", "tables/latency", "tables/derived"}) {
            const auto path = "/v1/runs/" + scheduled + "/" + what + "?format=" + format;
            const auto answer = client.get(path, "*/*");
            EXPECT_EQ(answer.status, 200U) << path;
            EXPECT_FALSE(answer.body.empty()) << path;
        }
    }
    const auto samples = client.get("/v1/runs/" + scheduled + "/samples?series=small-append&pass=2", "text/csv");
    EXPECT_EQ(std::ranges::count(samples.body, '\n'), 101) << "a line a call, and the header";
    const auto schedules = client.get("/v1/schedules").json().at("schedules");
    EXPECT_EQ(schedules.at(0).at("next").size(), 5U);
    EXPECT_EQ(schedules.at(0).at("last").at(0).at("run"), scheduled);
    EXPECT_EQ(schedules.at(0).at("last").at(0).at("state"), "completed");
    expect_nothing_left();
}

TEST_F(DaemonWithFirefox, CancelsARunningRun) {  // cases.md 46
    const Daemon daemon(write_config());
    const auto run = daemon.start_run({{"overrides", kLong}});
    wait_for_a_stored_pass(daemon, run);
    ASSERT_FALSE(processes_with(results() + "/profiles/").empty());
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = daemon.client().post("/v1/runs/" + run + "/cancel").json();
    expect_no_process_with(results() + "/profiles/");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
    EXPECT_EQ(answer.at("state"), "cancelled");
    const auto document = document::from_json(daemon.client().get("/v1/runs/" + run + "/document").json());
    EXPECT_EQ(document.targets.at(0).launches.at(0).series.at(0).passes.size(), 1U) << "finished passes stay";
    try {
        daemon.client().post("/v1/runs/" + run + "/cancel");
        ADD_FAILURE() << "it was cancelled twice";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::conflict);
        EXPECT_THAT(error.what(), HasSubstr("cancelled"));
    }
    expect_nothing_left();
}

TEST_F(DaemonWithFirefox, ThatIsKilledLosesNothing) {
    const auto config = write_config();
    std::string disturbed, waiting;
    {
        Daemon daemon(config);
        disturbed = daemon.start_run({{"overrides", kLong}});
        waiting = daemon.start_run({{"overrides", kSmall}, {"label", "waits"}});
        wait_for_a_stored_pass(daemon, disturbed);
        daemon.program().signal(SIGKILL);
        EXPECT_EQ(daemon.program().finish().exit_code, 128 + SIGKILL);
    }
    expect_no_process_with(results() + "/profiles/");
    const Daemon daemon(config);
    daemon.wait_for_state(disturbed, "partial");
    const auto lost = daemon.client().get("/v1/runs/" + disturbed).json();
    EXPECT_THAT(lost.at("reason").get<std::string>(), HasSubstr("was gone before the run was finished"));
    const auto document = document::from_json(daemon.client().get("/v1/runs/" + disturbed + "/document").json());
    EXPECT_EQ(document.targets.at(0).launches.at(0).series.at(0).passes.at(0).latencies_us.size(), 50U);
    daemon.wait_for_state(waiting, "completed");
    expect_nothing_left();
}

TEST_F(DaemonWithFirefox, ThatIsToldToEndKeepsWhatIsFinishedAndTheQueue) {
    const auto config = write_config();
    std::string disturbed, waiting;
    {
        Daemon daemon(config);
        disturbed = daemon.start_run({{"overrides", kLong}});
        waiting = daemon.start_run({{"overrides", kSmall}});
        wait_for_a_stored_pass(daemon, disturbed);
        daemon.program().signal(SIGTERM);
        EXPECT_EQ(daemon.program().finish(60s).exit_code, 0);
    }
    expect_nothing_left();
    EXPECT_EQ(testing_support::foxbench({"list", "--results", results(), "--state", "queued"}).exit_code, 0);
    const Daemon daemon(config);
    EXPECT_EQ(daemon.client().get("/v1/runs/" + disturbed).json().at("state"), "partial");
    daemon.wait_for_state(waiting, "completed");
}

}  // namespace
}  // namespace foxbench
