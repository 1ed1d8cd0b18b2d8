// The daemon as a whole, without a browser: HTTP as curl speaks it, reload, webhooks, the command line beside it.
#include <fstream>
#include <thread>

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "service/error.hpp"
#include "service/notify/signature.hpp"
#include "service/notify/test_receiver.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace foxbench {
namespace {

namespace asio = boost::asio;
using client::Json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_support::Daemon;
using testing_support::DaemonTest;
using testing_support::foxbench;
using testing_support::foxbench_command;
using testing_support::Program;
using testing_support::read_file;
using testing_support::TemporaryFolder;
using namespace std::chrono_literals;

TEST_F(DaemonTest, SpeaksHttpAsCurlDoes) {
    const auto seed = import_seed();
    const std::string report = "/v1/runs/" + seed + "/report";

    // HEAD has the fields of GET and no body; one connection serves both.
    const auto head = curl({"-I", report});
    EXPECT_THAT(head, AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("Content-Type: text/markdown"),
                            HasSubstr("Content-Length: "), HasSubstr("ETag: \"")));
    const auto twice = Program({"/usr/bin/curl", "-s", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{num_connects} ",
                                daemon_->url() + report, daemon_->url() + "/livez"})
                           .finish();
    EXPECT_EQ(twice.out, "1 0 ") << "connections made for each";

    // The report, byte for byte, and compressed.
    EXPECT_EQ(curl({report}), read_file(FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/summary.md") + "\n");
    EXPECT_THAT(curl({"-I", "-H", "Accept-Encoding: gzip", report}), HasSubstr("Content-Encoding: gzip"));
    EXPECT_EQ(curl({"--compressed", report}), curl({report}));

    // ETag.
    const auto begin = head.find("ETag: ") + 6;
    const auto etag = head.substr(begin, head.find("\r\n", begin) - begin);
    EXPECT_EQ(status({"-H", "If-None-Match: " + etag, report}), "304");
    EXPECT_EQ(status({"-H", "If-None-Match: \"other\"", report}), "200");
    EXPECT_EQ(status({"-H", "If-Match: \"other\"", report}), "412");

    // Bodies: chunked, and 100 KiB behind Expect: 100-continue.
    const std::string json = "Content-Type: application/json";
    EXPECT_EQ(status({"-H", json, "-H", "Transfer-Encoding: chunked", "-d", R"({"label":"chunked"})", "/v1/runs"}),
              "202");
    const auto large = folder_.write("large.json", "{\"note\":\"" + std::string(100 * 1024, 'n') + "\"}");
    const auto expecting = Program({"/usr/bin/curl", "-sv", "-H", json, "-H", "Expect: 100-continue", "--data-binary",
                                    "@" + large, daemon_->url() + "/v1/runs"})
                               .finish();
    EXPECT_THAT(expecting.err, HasSubstr("HTTP/1.1 100 Continue"));
    EXPECT_THAT(expecting.out, AllOf(HasSubstr("\"status\":422"), HasSubstr("/note")));

    // Refusals, each as problem details.
    EXPECT_EQ(status({"/v1/nothing"}), "404");
    EXPECT_EQ(status({"/v1/runs/no-such-run"}), "404");
    EXPECT_THAT(curl({"-i", "-X", "DELETE", "/v1/runs"}),
                AllOf(StartsWith("HTTP/1.1 405"), HasSubstr("Allow: GET, HEAD, POST")));
    const auto huge = folder_.write("huge.json", "{\"note\":\"" + std::string(2 << 20, 'n') + "\"}");
    EXPECT_EQ(status({"-H", json, "--data-binary", "@" + huge, "/v1/runs"}), "413");
    EXPECT_EQ(status({"-H", "Content-Type: text/plain", "-d", "{}", "/v1/runs"}), "415");
    EXPECT_EQ(status({"-H", json, "-d", R"({"launches":0})", "/v1/runs"}), "422");
    EXPECT_EQ(status({"-H", json, "-d", "{", "/v1/runs"}), "400");
    EXPECT_EQ(status({"-H", "Accept: image/png", report}), "406");
    EXPECT_EQ(status({"-H", "Host: rebound.example", report}), "421");
    EXPECT_EQ(status({"-H", "Origin: http://evil.example", report}), "403");
    const auto problem = curl({"-i", "-H", json, "-d", R"({"lable":"x"})", "/v1/runs"});
    EXPECT_THAT(problem, AllOf(HasSubstr("Content-Type: application/problem+json"), HasSubstr("\"pointer\":\"/lable\""),
                               HasSubstr("Did you mean 'label'?")));
}

TEST_F(DaemonTest, AnswersTheSameKeyTheSameAlsoAfterARestart) {
    const std::vector<std::string> ask{
        "-H", "Content-Type: application/json", "-H", "Idempotency-Key: one", "-d", R"({"label":"once"})", "/v1/runs"};
    const auto first = Json::parse(curl(ask));
    EXPECT_EQ(Json::parse(curl(ask)).at("id"), first.at("id"));
    daemon_->program().signal(SIGTERM);
    EXPECT_EQ(daemon_->program().finish(60s).exit_code, 0);
    daemon_ = std::make_unique<Daemon>(config_);
    EXPECT_EQ(Json::parse(curl(ask)).at("id"), first.at("id"));
    auto other = ask;
    other[5] = R"({"label":"another"})";
    EXPECT_EQ(status(other), "422");
    const auto runs = daemon_->client().get("/v1/runs?label=once").json().at("runs");
    EXPECT_EQ(runs.size(), 1U);
}

TEST_F(DaemonTest, ReloadsAllOrNothing) {
    write_config("schedules: {nightly: {cron: '0 2 * * *', time_zone: UTC}}\n");
    const auto changes = daemon_->client().post("/v1/reload").json().at("changes");
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_THAT(changes.at(0).get<std::string>(), StartsWith("schedules.nightly: added"));
    EXPECT_EQ(daemon_->client().get("/v1/schedules").json().at("schedules").size(), 1U);

    write_config("schedules: {nightly: {cron: '0 3 * * *', time_zone: UTC, presett: full}}\n");
    try {
        daemon_->client().post("/v1/reload");
        ADD_FAILURE() << "it was taken";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("foxbench.yaml:"), HasSubstr("Did you mean 'preset'?")));
    }
    daemon_->program().signal(SIGHUP);
    daemon_->program().wait_for("config.refused");
    EXPECT_EQ(daemon_->client().get("/v1/schedules").json().at("schedules").at(0).at("cron"), "0 2 * * *");

    write_config("schedules: {nightly: {cron: '0 4 * * *', time_zone: UTC}}\n");
    daemon_->program().signal(SIGHUP);
    daemon_->program().wait_for("schedules.nightly.cron: 0 2 * * * -> 0 4 * * *");

    folder_.write("foxbench.yaml", "server: {listen: 127.0.0.1:9}\nresults: results\n");
    EXPECT_THAT(curl({"-X", "POST", "-H", "Content-Type: application/json", "/v1/reload"}), HasSubstr("server.listen"));
}

TEST_F(DaemonTest, IsAskedByTheCommandLine) {
    const std::string url = daemon_->url();
    const auto ran = foxbench({"run", "--url", url, "--label", "from afar", "--config", config_});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("Queued at " + url), HasSubstr("/no/such/firefox")));
    const auto refused = foxbench({"run", "--url", url, "--config", config_, "--targets", "nothing"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("there is no target 'nothing'"));
    EXPECT_THAT(foxbench({"watch", "latest", "--url", url}).out, HasSubstr("failed: target gone"));
    EXPECT_THAT(foxbench({"queue", "--url", url}).err, HasSubstr("nothing waits"));
    EXPECT_EQ(foxbench({"queue", "--url", url, "--json"}).out, "{\n  \"running\": null,\n  \"waiting\": []\n}\n");
    EXPECT_EQ(foxbench({"cancel", "latest", "--url", url}).exit_code, 2);
    EXPECT_EQ(foxbench({"schedules", "trigger", "nightly", "--url", url}).exit_code, 2);
    const auto nobody = foxbench({"queue", "--url", "http://127.0.0.1:9"});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_THAT(nobody.err, HasSubstr("127.0.0.1:9"));
}

TEST_F(DaemonTest, SecondOneOnThePortSaysSo) {
    const auto port = daemon_->url().substr(daemon_->url().rfind(':') + 1);
    const auto config = folder_.write("second.yaml", "server: {listen: 127.0.0.1:" + port +
                                                         "}\nresults: results-2\n"
                                                         "workloads: " FOXBENCH_SOURCE_DIR "/workloads\n");
    const auto second = foxbench({"serve", "--config", config});
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_THAT(second.err, AllOf(HasSubstr(port), HasSubstr("in use")));
}

TEST_F(DaemonTest, KeepsQueuedRunsFromBeingDeletedAndDeletesFinishedOnes) {
    const auto seed = import_seed();
    EXPECT_EQ(status({"-X", "DELETE", "/v1/runs/" + seed}), "204");
    EXPECT_EQ(status({"/v1/runs/" + seed}), "404");
    EXPECT_EQ(status({"/v1/runs/" + seed + "/report"}), "404") << "not from a cache either";
}

TEST_F(DaemonTest, ShowsItsDashboardAndItself) {
    EXPECT_THAT(curl({"-i", "/"}),
                AllOf(HasSubstr("text/html"), HasSubstr("Content-Security-Policy: default-src 'self'"),
                      HasSubstr("/assets/dashboard.js")));
    EXPECT_THAT(curl({"/assets/dashboard.js"}), HasSubstr("EventSource"));
    EXPECT_EQ(status({"/assets/index.html"}), "404");
    EXPECT_THAT(curl({"/metrics"}),
                AllOf(HasSubstr("foxbench_queue_oldest_age_seconds"), HasSubstr("foxbench_database_bytes")));
    EXPECT_THAT(curl({"/readyz?verbose"}),
                AllOf(StartsWith("ok\n"), HasSubstr("[+] database: writable"), HasSubstr("[+] runner: idle")));
    EXPECT_EQ(Json::parse(curl({"/v1/openapi.json"})).at("openapi"), "3.1.0");
    EXPECT_EQ(
        status({"-X", "PUT", "-H", "Content-Type: application/json", "-d", R"({"level":"debug"})", "/v1/log-level"}),
        "200");
    EXPECT_EQ(
        status({"-X", "PUT", "-H", "Content-Type: application/json", "-d", R"({"level":"loud"})", "/v1/log-level"}),
        "422");
}

TEST_F(DaemonTest, IsBackedUpWhileItRuns) {
    static_cast<void>(import_seed());
    const auto copy = folder_.file("copy/foxbench.db");
    std::filesystem::create_directory(folder_.path() / "copy");
    EXPECT_EQ(foxbench({"backup", copy, "--results", folder_.file("results")}).exit_code, 0);
    EXPECT_THAT(foxbench({"list", "--results", folder_.file("copy")}).out, HasSubstr("completed"));
    EXPECT_EQ(foxbench({"backup", copy, "--results", folder_.file("results")}).exit_code, 2) << "not over another file";
}

TEST_F(DaemonTest, ListensToOthersOnlyWithTokens) {
    const std::string rest = "\nresults: results-3\nworkloads: " FOXBENCH_SOURCE_DIR "/workloads\n";
    const auto open = folder_.write("open.yaml", "server: {listen: '0.0.0.0:0'}" + rest);
    EXPECT_EQ(foxbench({"serve", "--config", open}).exit_code, 2);
    const auto tokens = folder_.write("tokens", "read 0123456789abcdef\nrun fedcba9876543210\n");
    std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
    const auto guarded = folder_.write("guarded.yaml", "server: {listen: 127.0.0.1:0, token_file: tokens}" + rest);
    daemon_ = std::make_unique<Daemon>(guarded);
    EXPECT_EQ(status({"/livez"}), "200");
    EXPECT_EQ(status({"/v1/runs"}), "401");
    EXPECT_EQ(status({"-H", "Authorization: Bearer 0123456789abcdef", "/v1/runs"}), "200");
    const std::vector<std::string> ask{
        "-H", "Content-Type: application/json", "-H", "Authorization: Bearer 0123456789abcdef", "-d", "{}", "/v1/runs"};
    EXPECT_EQ(status(ask), "403");
    auto may = ask;
    may[3] = "Authorization: Bearer fedcba9876543210";
    EXPECT_EQ(status(may), "202");

    // A token is rotated: the file is read again with the configuration.
    const auto rewrite = [&](const std::string& text) {
        std::filesystem::remove(tokens);
        folder_.write("tokens", text);
        std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
        daemon_->program().signal(SIGHUP);
    };
    const std::vector<std::string> as_new{"-H", "Authorization: Bearer 00112233445566778899", "/v1/runs"};
    rewrite("run 00112233445566778899\n");
    daemon_->program().wait_for("server.token_file: its tokens are others than before");
    EXPECT_EQ(status(as_new), "200");
    EXPECT_EQ(status(may), "401");
    rewrite("run short\n");
    daemon_->program().wait_for("config.refused");
    EXPECT_EQ(status(as_new), "200") << "the tokens stay as they were";
}

TEST_F(DaemonTest, TellsWebhooksOfFailedRuns) {
    asio::io_context io;
    const auto guard = asio::make_work_guard(io);
    notify::testing_support::Receiver receiver(io.get_executor(),
                                               [](const auto&) { return notify::testing_support::Reply(); });
    const auto secret = folder_.write("hook.secret", "the key\n");
    std::filesystem::permissions(secret, std::filesystem::perms::owner_read);
    write_config("notify: [{webhook: '" + receiver.url() + "/hook', secret_file: hook.secret, on: [failed]}]\n");
    static_cast<void>(daemon_->client().post("/v1/reload"));
    std::thread thread([&io] { io.run(); });
    const auto run = daemon_->start_run({{"label", "in vain"}});
    daemon_->wait_for_state(run, "failed");
    Json deliveries;
    for (int i = 0; i < 1200; ++i) {
        deliveries = daemon_->client().get("/v1/deliveries").json().at("deliveries");
        if (!deliveries.empty() && deliveries.at(0).at("state") == "delivered") break;
        std::this_thread::sleep_for(50ms);
    }
    io.stop();
    thread.join();
    ASSERT_EQ(deliveries.size(), 1U);
    EXPECT_EQ(deliveries.at(0).at("state"), "delivered");
    EXPECT_EQ(deliveries.at(0).at("last_status"), 204);
    ASSERT_EQ(receiver.received().size(), 1U);
    const auto& message = receiver.received().front();
    EXPECT_EQ(Json::parse(message.body).at("id"), run);
    EXPECT_EQ(Json::parse(message.body).at("links").at("self"), daemon_->url() + "/v1/runs/" + run);
    EXPECT_EQ(message.headers.at("x-foxbench-signature"), notify::signature_header("the key", message.body));
}

TEST_F(DaemonTest, PrunesWhatIsOlderThanTheConfigurationKeeps) {
    const auto seed = import_seed();
    const auto report = curl({"/v1/runs/" + seed + "/report"});
    write_config("retention: {samples: 1s}\n");
    const auto would = foxbench({"prune", "--dry-run", "--config", config_});
    EXPECT_EQ(would.exit_code, 0) << would.err;
    EXPECT_THAT(would.out, HasSubstr(seed + ": samples"));
    EXPECT_THAT(would.err, HasSubstr("1 would go"));
    EXPECT_THAT(curl({"/v1/runs/" + seed + "/samples"}), HasSubstr("small-append"));
    EXPECT_THAT(foxbench({"prune", "--config", config_}).err, HasSubstr("1 gone"));
    EXPECT_EQ(curl({"/v1/runs/" + seed + "/report"}), report) << "its report never changes";
    EXPECT_THAT(foxbench({"prune", "--config", config_}).err, HasSubstr("0 gone"));
    write_config("retention: {runs: 1s}\n");
    EXPECT_THAT(foxbench({"prune", "--config", config_}).out, HasSubstr(seed + ": run"));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("results/" + seed)));
}

TEST(ConfigCommand, ChecksAndShows) {
    const TemporaryFolder folder;
    const auto good = foxbench({"config", "check", FOXBENCH_SOURCE_DIR "/configs/nightly-lab.yaml"});
    EXPECT_EQ(good.exit_code, 0) << good.err;
    EXPECT_THAT(good.out, HasSubstr("in order (2 targets, 2 schedules)"));
    const auto shown = foxbench({"config", "show", FOXBENCH_SOURCE_DIR "/configs/nightly-lab.yaml", "--json"});
    EXPECT_EQ(Json::parse(shown.out).at("schedules").at("nightly").at("max_duration"), "4h");
    const auto bad = foxbench({"config", "check", folder.write("bad.yaml", "schedules: {n: {cron: '0 25 * * *'}}\n")});
    EXPECT_EQ(bad.exit_code, 2);
    EXPECT_THAT(bad.err, HasSubstr("bad.yaml:1:"));
}

}  // namespace
}  // namespace foxbench
