#include "service/client/daemon_client.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/client/scripted_daemon.hpp"
#include "service/error.hpp"

namespace foxbench::client {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing_support::ScriptedDaemon;
using namespace std::chrono_literals;

ClientOptions options_for(const std::string& url) {
    ClientOptions options;
    options.url = url;
    return options;
}

/// The failure of `action`; its message is empty where there was none.
template <class Action>
Error failure_of(Action action) {
    try {
        action();
    } catch (const Error& error) {
        return error;
    }
    return {ErrorCode::internal, ""};
}

/// An address where nobody listens any more.
std::string dead_url() {
    return ScriptedDaemon({}).url();
}

TEST(DaemonClientTest, Gets) {
    const ScriptedDaemon daemon(
        {ScriptedDaemon::answer("200 OK", "application/json", R"({"runs":[]})", "ETag: \"a\"\r\n")});
    auto options = options_for(daemon.url());
    options.token = "s3cret";
    const auto answer = DaemonClient(options).get("/v1/runs?limit=5");
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.content_type, "application/json");
    EXPECT_EQ(answer.headers.at("etag"), "\"a\"");
    EXPECT_EQ(answer.json()["runs"], Json::array());
    const auto request = daemon.requests().at(0);
    EXPECT_THAT(request, StartsWith("GET /v1/runs?limit=5 HTTP/1.1\r\n"));
    EXPECT_THAT(request, HasSubstr("\r\nHost: " + daemon.url().substr(7) + "\r\n"));
    EXPECT_THAT(request, HasSubstr("\r\nAccept: application/json\r\n"));
    EXPECT_THAT(request, HasSubstr("\r\nAuthorization: Bearer s3cret\r\n"));
}

TEST(DaemonClientTest, SendsJson) {
    const auto done = ScriptedDaemon::answer("202 Accepted", "application/json", R"({"id":"a"})");
    const ScriptedDaemon daemon({done, done, done, done, done});
    const DaemonClient client(options_for(daemon.url() + "/"));
    EXPECT_EQ(client.post("/v1/runs", {{"preset", "quick"}}, "key-1").json()["id"], "a");
    client.put("/v1/baselines/x", {{"run", "a"}});
    client.patch("/v1/alerts/1", {{"note", "x"}});
    client.del("/v1/runs/a");
    client.post_text("/v1/imports", "text/markdown", "# Report");
    const auto requests = daemon.requests();
    EXPECT_THAT(requests.at(0), StartsWith("POST /v1/runs HTTP/1.1\r\n"));
    EXPECT_THAT(requests.at(0), HasSubstr("\r\nContent-Type: application/json\r\n"));
    EXPECT_THAT(requests.at(0), HasSubstr("\r\nIdempotency-Key: key-1\r\n"));
    EXPECT_THAT(requests.at(0), EndsWith("\r\n\r\n{\"preset\":\"quick\"}"));
    EXPECT_THAT(requests.at(0), Not(HasSubstr("Authorization")));
    EXPECT_THAT(requests.at(1), StartsWith("PUT /v1/baselines/x HTTP/1.1\r\n"));
    EXPECT_THAT(requests.at(2), StartsWith("PATCH /v1/alerts/1 HTTP/1.1\r\n"));
    EXPECT_THAT(requests.at(3), StartsWith("DELETE /v1/runs/a HTTP/1.1\r\n"));
    EXPECT_THAT(requests.at(4), HasSubstr("\r\nContent-Type: text/markdown\r\n"));
}

TEST(DaemonClientTest, APathInTheUrlComesFirst) {
    const ScriptedDaemon daemon({ScriptedDaemon::answer("200 OK", "application/json", "{}")});
    (void)DaemonClient(options_for(daemon.url() + "/lab/")).get("/version");
    EXPECT_THAT(daemon.requests().at(0), StartsWith("GET /lab/version HTTP/1.1\r\n"));
}

TEST(DaemonClientTest, ProblemsAreErrorsWithTheirKind) {
    const ScriptedDaemon daemon(
        {ScriptedDaemon::answer("404 Not Found", "application/problem+json", R"({"detail":"there is no run 'x'"})")});
    const auto error = failure_of([&] { (void)DaemonClient(options_for(daemon.url())).get("/v1/runs/x"); });
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_THAT(error.what(), HasSubstr("there is no run 'x' (GET /v1/runs/x at " + daemon.url()));
}

TEST(DaemonClientTest, NobodyListens) {
    const auto url = dead_url();
    const auto error = failure_of([&] { (void)DaemonClient(options_for(url)).get("/version"); });
    EXPECT_EQ(error.code(), ErrorCode::environment);
    EXPECT_EQ(std::string(error.what()),
              "no foxbench daemon can be reached at " + url +
                  ": Connection refused. Nothing listens there; `foxbench serve` starts a daemon");
}

TEST(DaemonClientTest, ADaemonThatDoesNotAnswerIsLeftAtTheDeadline) {
    const ScriptedDaemon daemon({ScriptedDaemon::kSilence});
    auto options = options_for(daemon.url());
    options.deadline = 100ms;
    const auto error = failure_of([&] { (void)DaemonClient(options).get("/version"); });
    EXPECT_EQ(error.code(), ErrorCode::environment);
    EXPECT_THAT(error.what(), HasSubstr("no answer within 100 ms"));
}

TEST(DaemonClientTest, WhatIsCutOffOrNoHttpIsSaidSo) {
    const ScriptedDaemon daemon({"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "SSH-2.0-OpenSSH_9.2\r\n\r\n"});
    const DaemonClient client(options_for(daemon.url()));
    EXPECT_THAT(failure_of([&] { (void)client.get("/a"); }).what(), HasSubstr("closed before the answer was complete"));
    EXPECT_THAT(failure_of([&] { (void)client.get("/b"); }).what(), HasSubstr("no foxbench daemon"));
}

TEST(DaemonClientTest, UrlsThatCannotBeAreRefused) {
    for (const char* url : {"", "127.0.0.1:8177", "https://a", "http://a/?x=1", "http://user:pw@a"})
        EXPECT_EQ(failure_of([&] { (void)DaemonClient(options_for(url)); }).code(), ErrorCode::usage) << url;
    const DaemonClient client(options_for("http://127.0.0.1:1"));
    EXPECT_EQ(failure_of([&] { (void)client.get("/a b"); }).code(), ErrorCode::internal);
}

TEST(FindDaemon, IsOneThatAnswersVersion) {
    const auto version = ScriptedDaemon::answer("200 OK", "application/json", R"({"version":"0.1.0"})");
    const ScriptedDaemon option({version}), environment({version}), configured({version});
    EXPECT_EQ(find_daemon({option.url(), environment.url(), configured.url(), ""}).value().url(), option.url());
    EXPECT_EQ(find_daemon({"", environment.url(), configured.url(), ""}).value().url(), environment.url());
    EXPECT_EQ(find_daemon({"", "", configured.url(), ""}).value().url(), configured.url());
    EXPECT_FALSE(find_daemon({"", "", "", ""}));
}

TEST(FindDaemon, MayBeAbsentWhereOnlyTheConfigurationNamesIt) {
    EXPECT_FALSE(find_daemon({"", "", dead_url(), ""}));
    const ScriptedDaemon other({ScriptedDaemon::answer("200 OK", "text/html", "<html>"),
                                ScriptedDaemon::answer("404 Not Found", "text/html", "")});
    EXPECT_FALSE(find_daemon({"", "", other.url(), ""}));
    EXPECT_FALSE(find_daemon({"", "", other.url(), ""}));
}

TEST(FindDaemon, HasToBeThereWhereAPersonNamesIt) {
    const auto url = dead_url();
    EXPECT_EQ(failure_of([&] { (void)find_daemon({url, "", "", ""}); }).code(), ErrorCode::environment);
    EXPECT_EQ(failure_of([&] { (void)find_daemon({"", url, "", ""}); }).code(), ErrorCode::environment);
    const ScriptedDaemon other({ScriptedDaemon::answer("404 Not Found", "text/html", "")});
    const auto error = failure_of([&] { (void)find_daemon({other.url(), "", "", ""}); });
    EXPECT_EQ(error.code(), ErrorCode::environment);
    EXPECT_THAT(error.what(), HasSubstr("is no foxbench daemon"));
}

}  // namespace
}  // namespace foxbench::client
