// Histories, comparisons and alerts as somebody uses them: through the daemon and the command line, over generated
// nights.
#include <thread>

#include <boost/asio.hpp>
#include <gmock/gmock.h>

#include "service/document/json_text.hpp"
#include "service/history/sample_runs.hpp"
#include "service/notify/test_receiver.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace foxbench {
namespace {

using client::Json;
using history::sample_date;
using history::sample_night;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::DaemonTest;
using testing_support::foxbench;

constexpr int kNights = 60;
constexpr int kStep = 41;

double usual(int night) {
    constexpr double kWobble[] = {0, 0.6, -0.4, 1, -1, 0.3, -0.7};
    return 40 * (1 + kWobble[night % 7] / 100);
}

document::RunDocument night(int i) {
    const bool old = i < kStep;
    return sample_night(sample_date(i), {{.build_id = old ? "20261010000000" : "20261012000000",
                                          .source_stamp = old ? "8d76a2ba4c00" : "ffeeddccbbaa",
                                          .means_us = {{"small-append", {usual(i) * (old ? 1 : 1.1)}}}}});
}

class Histories : public DaemonTest {
protected:
    void import_nights(int from, int to) {
        const auto client = daemon_->client();
        for (int i = from; i < to; ++i) (void)client.post("/v1/imports", document::to_json(night(i)));
    }
    /// Polls; fails the test after a bound that only a hang reaches.
    template <class Condition>
    static void wait_until(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
        while (!condition()) {
            ASSERT_LT(std::chrono::steady_clock::now(), deadline) << "it never came";
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    Json wait_for_alerts(std::size_t count) {
        const auto client = daemon_->client();
        Json alerts;
        wait_until([&] {
            alerts = client.get("/v1/alerts?limit=1000").json().at("alerts");
            return alerts.size() >= count;
        });
        return alerts;
    }
    std::string series_id() { return daemon_->client().get("/v1/series").json().at("series").at(0).at("id"); }
};

TEST_F(Histories, OfSixtyNightsGiveOneAlertThatIsToldOnceAndQuietOnceExpected) {
    boost::asio::io_context io;
    const auto guard = boost::asio::make_work_guard(io);
    notify::testing_support::Receiver receiver(io.get_executor(),
                                               [](const auto&) { return notify::testing_support::Reply(); });
    std::thread thread([&io] { io.run(); });
    write_config("notify: [{webhook: '" + receiver.url() + "/hook', on: [alerts]}]\n");
    const auto client = daemon_->client();
    (void)client.post("/v1/reload");
    import_nights(0, kNights);
    const Json alerts = wait_for_alerts(1);
    ASSERT_EQ(alerts.size(), 1u);
    const Json& alert = alerts[0];
    EXPECT_EQ(alert.at("state"), "confirmed");
    EXPECT_EQ(alert.at("direction"), "slower");
    EXPECT_EQ(alert.at("first_bad"), sample_date(kStep));
    EXPECT_EQ(alert.at("last_good"), sample_date(kStep - 1));
    EXPECT_EQ(alert.at("build_before").at("build_id"), "20261010000000");
    EXPECT_EQ(alert.at("build_after").at("build_id"), "20261012000000");
    EXPECT_NEAR(alert.at("change").get<double>(), 0.1, 0.02);
    EXPECT_THAT(alert.at("source_range").at("address").get<std::string>(),
                HasSubstr("pushloghtml?fromchange=8d76a2ba4c00"));

    const auto delivered = [&] {
        std::size_t count = 0;
        const Json list = client.get("/v1/deliveries").json().at("deliveries");
        for (const auto& one : list) count += one.at("state") == Json("delivered");
        return count;
    };
    wait_until([&] { return delivered() == 1; });
    (void)client.patch("/v1/alerts/1", {{"action", "expected"}, {"note", "WAL went in"}, {"by", "me"}});
    import_nights(kNights, kNights + 10);
    wait_until([&] { return client.get("/v1/series").json().at("series").at(0).at("points") == Json(kNights + 10); });
    // Runs are judged in their order: nothing of these nights can come after a later one's.
    EXPECT_EQ(wait_for_alerts(1).size(), 1u);
    EXPECT_EQ(delivered(), 1u);
    io.stop();
    thread.join();
    ASSERT_EQ(receiver.received().size(), 1u) << "told once";
    const Json message = Json::parse(receiver.received().front().body);
    EXPECT_EQ(message.at("event"), "alerts");
    ASSERT_EQ(message.at("alerts").size(), 1u);
    EXPECT_EQ(message.at("alerts").at(0).at("id"), alert.at("id"));
    const Json one = client.get("/v1/alerts/1").json();
    EXPECT_EQ(one.at("state"), "expected");
    EXPECT_EQ(one.at("open"), false);
    ASSERT_EQ(one.at("trail").size(), 2u);
    EXPECT_EQ(one.at("trail").at(1).at("by"), "me");
    EXPECT_EQ(one.at("trail").at(1).at("note"), "WAL went in");
}

TEST_F(Histories, GiveTheSameBytesForTheSameQuestion) {
    import_nights(0, kNights);
    (void)wait_for_alerts(1);
    const auto client = daemon_->client();
    wait_until([&] { return client.get("/v1/series").json().at("series").at(0).at("points") == Json(kNights); });
    for (const std::string what : {"/points", "/points?format=csv", "/plot.svg"}) {
        const auto target = "/v1/series/" + series_id() + what;
        const auto once = client.get(target, "*/*");
        EXPECT_EQ(once.body, client.get(target, "*/*").body) << what;
        EXPECT_GT(once.body.size(), 100u) << what;
    }
    EXPECT_THAT(curl({"-i", "/v1/series/" + series_id() + "/plot.svg"}), HasSubstr("image/svg+xml"));
    EXPECT_EQ(status({"/v1/series/0000000000000000/points"}), "404");
}

TEST_F(Histories, CanBeReadAndDecidedAboutFromTheCommandLine) {
    import_nights(0, kNights);
    (void)wait_for_alerts(1);
    const std::string url = daemon_->url();
    const auto open = foxbench({"alerts", "--url", url});
    EXPECT_EQ(open.exit_code, 4) << open.err;
    EXPECT_THAT(open.out, HasSubstr("small-append"));
    const auto shown = foxbench({"alerts", "show", "1", "--url", url});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("pushloghtml"));
    EXPECT_THAT(shown.out, HasSubstr("What happened:"));
    EXPECT_EQ(foxbench({"alerts", "acknowledge", "1", "--note", "bug 1", "--url", url}).exit_code, 0);
    EXPECT_EQ(foxbench({"alerts", "--url", url}).exit_code, 0) << "nothing open any more";
    EXPECT_EQ(foxbench({"alerts", "acknowledge", "1", "--url", url}).exit_code, 2) << "it is already";
    EXPECT_EQ(foxbench({"alerts", "show", "2", "--url", url}).exit_code, 2);
    EXPECT_EQ(
        status({"-X", "PATCH", "-H", "Content-Type: application/json", "-d", "{\"action\":\"burn\"}", "/v1/alerts/1"}),
        "422");

    const auto results = folder_.file("results");
    const auto history = foxbench({"history", "small-append", "--results", results});
    EXPECT_EQ(history.exit_code, 0) << history.err;
    EXPECT_THAT(history.out, HasSubstr(sample_date(kStep)));
    EXPECT_EQ(foxbench({"history", "small-apend", "--results", results}).exit_code, 2);
    const auto list = foxbench({"history", "--json", "--results", results});
    EXPECT_EQ(Json::parse(list.out).at("series").size(), 1u);
}

class Comparisons : public DaemonTest {
protected:
    void import(const std::string& id, double factor, int calls = 1) {
        auto run = history::sample_run(
            id, {{.means_us = {
                      {"small-append", {40 * factor, 40.4 * factor, 39.8 * factor, 40.2 * factor, 40.1 * factor}}}}});
        run.config["calls"] = calls;
        (void)daemon_->client().post("/v1/imports", document::to_json(run));
    }
};

TEST_F(Comparisons, AreTheSameOverHttpAndFromTheStore) {
    import("base", 1);
    import("next", 1.5);
    const auto over_http = foxbench({"compare", "base", "next", "--url", daemon_->url()});
    const auto from_store = foxbench({"compare", "base", "next", "--results", folder_.file("results")});
    EXPECT_EQ(over_http.exit_code, 4) << over_http.err;
    EXPECT_EQ(from_store.exit_code, 4) << from_store.err;
    EXPECT_EQ(over_http.out, from_store.out);
    EXPECT_THAT(over_http.out, HasSubstr("slower"));
}

TEST_F(Comparisons, HaveExitCodesForScripts) {
    import("base", 1);
    import("faster", 0.5);
    import("same", 1.001);
    import("other-work", 1, 7);
    const auto compare = [&](const std::string& next) {
        return foxbench({"compare", "base", next, "--url", daemon_->url(), "--json"}).exit_code;
    };
    EXPECT_EQ(compare("faster"), 0);
    EXPECT_EQ(compare("same"), 0);
    EXPECT_EQ(compare("other-work"), 2) << "refused";
    EXPECT_EQ(compare("nowhere"), 2);
    (void)daemon_->client().post("/v1/imports", document::to_json(history::sample_run(
                                                    "short", {{.means_us = {{"small-append", {40, 41, 42}}}}})));
    EXPECT_EQ(compare("short"), 5) << "three launches cannot tell";
}

TEST_F(Comparisons, ComeInEveryFormatWithTheVerdictInTheHeader) {
    import("base", 1);
    import("next", 1.5);
    for (const std::string format : {"md", "json", "csv", "html"}) {
        const auto answer = curl({"-i", "/v1/compare?base=base&new=next&explain=1&format=" + format});
        EXPECT_THAT(answer, HasSubstr("200 OK")) << format;
        EXPECT_THAT(answer, HasSubstr("Foxbench-Verdict: slower")) << format;
        EXPECT_THAT(answer, HasSubstr("small-append")) << format;
    }
    EXPECT_EQ(status({"/v1/compare?base=base"}), "422");
    EXPECT_EQ(status({"/v1/compare?base=base&new=nowhere"}), "404");
    import("other-work", 1, 7);
    EXPECT_EQ(status({"/v1/compare?base=base&new=other-work"}), "409");
    EXPECT_EQ(status({"/v1/compare?base=base&new=other-work&force=1"}), "200");
}

TEST_F(Comparisons, KnowBaselinesWhichNobodyCanDelete) {
    import("base", 1);
    import("next", 1);
    const std::string url = daemon_->url();
    EXPECT_EQ(foxbench({"baseline", "set", "release", "base", "--note", "shipped", "--url", url}).exit_code, 0);
    EXPECT_THAT(foxbench({"baseline", "list", "--url", url}).out, HasSubstr("shipped"));
    EXPECT_EQ(foxbench({"compare", "baseline:release", "next", "--url", url}).exit_code, 0);
    const auto deleted = foxbench({"delete", "base", "--url", url});
    EXPECT_EQ(deleted.exit_code, 2);
    EXPECT_THAT(deleted.err, HasSubstr("is the baseline 'release'"));
    EXPECT_EQ(status({"-X", "DELETE", "-H", "Content-Type: application/json", "/v1/runs/base"}), "409");
    EXPECT_EQ(foxbench({"baseline", "remove", "release", "--url", url}).exit_code, 0);
    EXPECT_EQ(foxbench({"delete", "base", "--url", url}).exit_code, 0);
    EXPECT_EQ(foxbench({"baseline", "remove", "release", "--url", url}).exit_code, 2);
}

}  // namespace
}  // namespace foxbench
