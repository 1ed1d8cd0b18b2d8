// Requests that mean harm against the daemon's own routes: each gets the status that docs/http-api.md says, and nothing
// changes.
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/http/hostile_requests.hpp"
#include "service/http/openapi.hpp"
#include "service/http/test_client.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/standing.hpp"

namespace foxbench {
namespace {

using client::Json;
using http::testing::Answer;
using http::testing::Hostile;
using http::testing::TestClient;
using http::testing::with_host;
using testing_support::Daemon;
using testing_support::DaemonTest;
using testing_support::standing_of;

const std::string kJson = "Content-Type: application/json\r\n";
const std::string kReadToken = "0123456789abcdef";
const std::string kRunToken = "fedcba9876543210";

std::string request(const std::string& method, const std::string& target, const std::string& fields = "",
                    const std::string& body = "") {
    const std::string length = body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n";
    return method + " " + target + " HTTP/1.1\r\nHost: @\r\n" + fields + length + "\r\n" + body;
}

std::string get(const std::string& target) {
    return request("GET", target);
}

std::string run(const std::string& body) {
    return request("POST", "/v1/runs", kJson, body);
}

std::string import(const std::string& body) {
    return request("POST", "/v1/imports", kJson, body);
}

std::string document(const std::string& members) {
    return import(R"({"format":"foxbench-run","version":1,"workload":"w","state":"completed","config":{},)" + members +
                  "}");
}

std::string markdown(const std::string& text) {
    return request("POST", "/v1/imports", "Content-Type: text/markdown\r\n", text);
}

/// What lies behind a path: ids and names of every kind.
std::vector<Hostile> paths() {
    return {
        {"path in a run's id", 404, get("/v1/runs/..%2f..%2fetc%2fpasswd/report")},
        {"hidden file as a run's id", 404, get("/v1/runs/.hidden/report")},
        {"two dots in a run's id", 404, get("/v1/runs/a..b/document")},
        {"blank in a run's id", 404, get("/v1/runs/a%20b/log")},
        {"wildcard as a run's id", 404, get("/v1/runs/*/log")},
        {"SQL in a run's id", 404, get("/v1/runs/'%20OR%201=1--")},
        {"endless run's id", 404, get("/v1/runs/" + std::string(129, 'a') + "/report")},
        {"deletion of a path", 404, request("DELETE", "/v1/runs/a..b")},
        {"deletion of several", 404, request("DELETE", "/v1/runs/")},
        {"table that is a path", 404, get("/v1/runs/latest/tables/..%2freport")},
        {"table that is none", 404, get("/v1/runs/latest/tables/users")},
        {"format that is none", 422, get("/v1/runs/latest/report?format=exe")},
        {"pass below zero", 422, get("/v1/runs/latest/samples?series=small-append&pass=-1")},
        {"pass beyond 64 bits", 422, get("/v1/runs/latest/samples?series=small-append&pass=99999999999999999999")},
        {"series that is none", 404, get("/v1/runs/latest/samples?series=%3Cscript%3E")},
        {"limit of zero", 422, get("/v1/runs?limit=0")},
        {"limit beyond the limit", 422, get("/v1/runs?limit=1001")},
        {"limit as hexadecimal", 422, get("/v1/runs?limit=0x10")},
        {"limit twice", 422, get("/v1/runs?limit=1&limit=2")},
        {"cursor that is none", 422, get("/v1/runs?cursor=%27%3B%20DROP%20TABLE%20runs")},
        {"time that is none", 422, get("/v1/runs?since=yesterday")},
        {"state that is none", 422, get("/v1/runs?state=root")},
        {"file above the assets", 404, get("/assets/..%2f..%2fetc%2fpasswd")},
        {"hidden asset", 404, get("/assets/.git")},
        {"comparison with a path", 422, get("/v1/compare?base=..%2fx&new=latest")},
        {"series' plot of a path", 404, get("/v1/series/..%2fx/plot.svg")},
        {"alert by SQL", 404, get("/v1/alerts/1%20OR%201=1")},
        {"alert below zero", 404, request("PATCH", "/v1/alerts/-1", kJson, R"({"action":"acknowledge"})")},
        {"schedule of nothing", 404, request("POST", "/v1/schedules/nightly/trigger", kJson)},
        {"pause of a path", 404, request("POST", "/v1/schedules/..%2fx/pause", kJson)},
        {"baseline with a path", 404, request("PUT", "/v1/baselines/..%2fx", kJson, R"({"run":"latest"})")},
        {"baseline with a dot first", 422, request("PUT", "/v1/baselines/.x", kJson, R"({"run":"latest"})")},
        {"endless baseline", 422,
         request("PUT", "/v1/baselines/" + std::string(65, 'a'), kJson, R"({"run":"latest"})")},
    };
}

/// What stands in a body.
std::vector<Hostile> bodies() {
    const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
    return {
        {"target that is a program", 422, run(R"({"targets":["/bin/sh"]})")},
        {"workload that is a path", 422, run(R"({"workload":"../../etc"})")},
        {"preset that is a command", 422, run(R"x({"preset":"$(id)"})x")},
        {"preferences", 422, run(R"({"overrides":{"prefs":{"a":true}}})")},
        {"environment", 422, run(R"({"env":{"LD_PRELOAD":"/tmp/x.so"}})")},
        {"results folder", 422, run(R"({"results":"/tmp"})")},
        {"launches without end", 422, run(R"({"launches":1000000000})")},
        {"no launches", 422, run(R"({"launches":0})")},
        {"launches as a fraction", 422, run(R"({"launches":1.5})")},
        {"calls beyond 2^53", 422, run(R"({"overrides":{"calls":1e300}})")},
        {"calls below zero", 422, run(R"({"overrides":{"calls":-1}})")},
        {"priority beyond an integer", 422, run(R"({"priority":1e300})")},
        {"terminal escape in a label", 422, run(R"({"label":"\u001b]0;x\u0007"})")},
        {"second set of controls in a label", 422, run(R"({"label":"\u009b31m"})")},
        {"deletion in a label", 422, run(R"({"label":"a\u007f"})")},
        {"NUL in a note", 422, run(R"({"note":"a\u0000b"})")},
        {"endless note", 422, run("{\"note\":\"" + std::string(2001, 'n') + "\"}")},
        {"terminal escape in a member's name", 422, run(R"({"\u001b[31m":1})")},
        {"terminal escape in a baseline's note", 422,
         request("PUT", "/v1/baselines/esr", kJson, R"({"run":"latest","note":"\u001b[2J"})")},
        {"baseline of a path", 404, request("PUT", "/v1/baselines/esr", kJson, R"({"run":"../x"})")},
        {"log level that is an escape", 422, request("PUT", "/v1/log-level", kJson, R"({"level":"\u001b[31m"})")},
        {"body for a reload", 422, request("POST", "/v1/reload", kJson, R"({"config":"/etc/passwd"})")},
        {"import of no JSON", 400, import("x")},
        {"import of something else", 422, import("{}")},
        {"import of NaN", 400, document(R"("id":"a","targets":[],"x":NaN)")},
        {"import of 10,000 levels", 400, document(R"("id":"a","targets":[],"x":)" + deep)},
        {"import of a member twice", 400, document(R"("id":"a","id":"b","targets":[])")},
        {"import of wrong UTF-8", 400, document("\"id\":\"a\",\"targets\":[],\"label\":\"\xc3\x28\"")},
        {"import of a newer version", 422, import(R"({"format":"foxbench-run","version":2})")},
        {"import with a path as its id", 422, document(R"("id":"../../etc","targets":[])")},
        {"import with an empty id", 422, document(R"("id":"","targets":[])")},
        {"import of a run that goes on", 422,
         import(R"({"format":"foxbench-run","version":1,"id":"a","workload":"w","state":"running","config":{},)"
                R"("targets":[]})")},
        {"import of one target twice", 422,
         document(R"("id":"a","targets":[{"name":"t","browser":{"name":"F","version":"1"},"launches":[]},)"
                  R"({"name":"t","browser":{"name":"F","version":"1"},"launches":[]}])")},
        {"import of Markdown that is no report", 422, markdown("# Something else\n")},
        {"import of wrong UTF-8 as Markdown", 422, markdown("# OPFS sync write benchmark: a\n\xff")},
        {"import of a terminal's escapes as Markdown", 422,
         markdown("# OPFS sync write benchmark: a\n\nState: failed. x  \n\x1b]0;y\x07\n")},
        {"import of a terminal's escapes as a report's text", 422,
         document(R"("id":"a","targets":[],"report_markdown":"\u001b[2J")")},
        {"import as a form", 415, request("POST", "/v1/imports", "Content-Type: multipart/form-data\r\n", "--x--")},
        {"import in gzip", 415, request("POST", "/v1/imports", kJson + "Content-Encoding: gzip\r\n", "\x1f\x8b")},
    };
}

/// A method and a path of every route that changes something, from the API's own description.
std::vector<std::pair<std::string, std::string>> changing_routes() {
    std::vector<std::pair<std::string, std::string>> routes;
    const auto description = Json::parse(http::openapi_text());
    for (const auto& [pattern, methods] : description.at("paths").items()) {
        std::string path = pattern;
        for (std::size_t open; (open = path.find('{')) != std::string::npos;)
            path.replace(open, path.find('}', open) - open + 1, "1");
        for (const auto& [method, operation] : methods.items()) {
            if (method == "post" || method == "put" || method == "patch" || method == "delete") {
                std::string upper = method;
                for (char& letter : upper) letter = static_cast<char>(std::toupper(letter));
                routes.emplace_back(upper, path);
            }
        }
    }
    return routes;
}

class HostileDaemon : public DaemonTest {
protected:
    HostileDaemon() {
        static_cast<void>(import_seed());
        read_port();
    }

    void read_port() {
        port_ = static_cast<std::uint16_t>(std::stoul(daemon_->url().substr(daemon_->url().rfind(':') + 1)));
    }
    [[nodiscard]] std::string standing() const { return standing_of(daemon_->client(), folder_.file("results")); }
    /// Sends the bytes and nothing more; the answer, after which the connection has to end.
    Answer ask(const std::string& bytes) const {
        TestClient client(port_);
        client.send_if_open(with_host(bytes, "localhost:" + std::to_string(port_)));
        client.end_sending();
        auto answer = client.receive();
        EXPECT_TRUE(client.is_closed()) << "a second answer: something was smuggled";
        return answer;
    }
    void expect_refused(const Hostile& hostile) const {
        SCOPED_TRACE(hostile.name);
        const auto answer = ask(hostile.bytes);
        EXPECT_EQ(answer.status, hostile.status) << answer.body;
        EXPECT_EQ(answer.field("Content-Type"), "application/problem+json");
        EXPECT_EQ(answer.field("Access-Control-Allow-Origin"), "");
        EXPECT_EQ(answer.body.find_first_of(std::string("\x1b\x7f\0", 3)), std::string::npos) << answer.body;
        EXPECT_EQ(answer.body.find("\xc2\x9b"), std::string::npos) << answer.body;
    }

    std::uint16_t port_ = 0;
};

TEST_F(HostileDaemon, RefusesWhatAnyServerHasTo) {
    const auto before = standing();
    for (const auto& hostile : http::testing::hostile_requests("/v1/runs")) expect_refused(hostile);
    EXPECT_EQ(standing(), before);
}

TEST_F(HostileDaemon, RefusesPathsAndBodies) {
    const auto before = standing();
    for (const auto& hostile : paths()) expect_refused(hostile);
    for (const auto& hostile : bodies()) expect_refused(hostile);
    EXPECT_EQ(standing(), before);
    EXPECT_EQ(daemon_->program().err_so_far().find('\x1b'), std::string::npos) << "nor does the log steer a terminal";
}

TEST_F(HostileDaemon, RefusesForeignPagesAtEveryRouteThatChangesSomething) {
    const auto before = standing();
    const auto routes = changing_routes();
    EXPECT_GE(routes.size(), 12U);
    for (const auto& [method, path] : routes) {
        SCOPED_TRACE(method + " " + path);
        const auto of = [&](const std::string& fields, const std::string& body = "{}") {
            return request(method, path, fields, body);
        };
        expect_refused({"a foreign origin", 403, of(kJson + "Origin: https://evil.example\r\n")});
        expect_refused({"a sandboxed page", 403, of(kJson + "Origin: null\r\n")});
        expect_refused({"another site's fetch", 403, of(kJson + "Sec-Fetch-Site: cross-site\r\n")});
        expect_refused({"a form", 415, of("Content-Type: application/x-www-form-urlencoded\r\n", "a=b")});
        expect_refused({"a form of text", 415, of("Content-Type: text/plain\r\n")});
        auto foreign = of(kJson);
        foreign.replace(foreign.find('@'), 1, "rebound.example");
        expect_refused({"a rebound name", 421, foreign});
    }
    EXPECT_EQ(standing(), before);
}

class GuardedDaemon : public HostileDaemon {
protected:
    GuardedDaemon() {
        const auto tokens = folder_.write("tokens", "read " + kReadToken + "\nrun " + kRunToken + "\n");
        std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
        daemon_.reset();
        daemon_ = std::make_unique<Daemon>(folder_.write("guarded.yaml",
                                                         "server: {listen: 127.0.0.1:0, token_file: tokens}\n"
                                                         "results: results\n"
                                                         "workloads: " FOXBENCH_SOURCE_DIR "/workloads\n"
                                                         "targets: {gone: {binary: /no/such/firefox}}\n"
                                                         "lock: lock\n"));
        read_port();
    }

    [[nodiscard]] std::string guarded_standing() const {
        client::ClientOptions options;
        options.url = daemon_->url();
        options.token = kReadToken;
        return standing_of(client::DaemonClient(options), folder_.file("results"));
    }
};

TEST_F(GuardedDaemon, RefusesWrongTokensAndTooSmallOnes) {
    const auto before = guarded_standing();
    const auto as = [](const std::string& authorization) { return "Authorization: " + authorization + "\r\n"; };
    const std::vector<std::pair<const char*, std::string>> wrong{
        {"none", ""},
        {"an empty one", as("Bearer ")},
        {"another", as("Bearer 00112233445566778899")},
        {"the beginning of one", as("Bearer " + kRunToken.substr(0, 15))},
        {"one and more", as("Bearer " + kRunToken + "0")},
        {"in capitals", as("Bearer FEDCBA9876543210")},
        {"without a scheme", as(kRunToken)},
        {"of another scheme", as("Basic " + kRunToken)},
        {"two", as("Bearer " + kRunToken) + as("Bearer " + kReadToken)},
        {"two in one field", as("Bearer " + kRunToken + ", Bearer " + kRunToken)},
        {"as a cookie", "Cookie: foxbench_session=" + kRunToken + "\r\n"},
        {"an empty cookie", "Cookie: foxbench_session=\r\n"},
        {"as a field of its own", "X-Token: " + kRunToken + "\r\n"},
    };
    for (const auto& [name, fields] : wrong) {
        SCOPED_TRACE(name);
        expect_refused({"reading", 401, request("GET", "/v1/runs", fields)});
        expect_refused({"events", 401, request("GET", "/v1/events", fields)});
        expect_refused({"figures", 401, request("GET", "/metrics", fields)});
        expect_refused({"changing", 401, request("POST", "/v1/runs", kJson + fields, "{}")});
        EXPECT_THAT(ask(request("GET", "/v1/runs", fields)).field("WWW-Authenticate"),
                    testing::StartsWith("Bearer realm="));
    }
    expect_refused({"a token in the address", 401, get("/v1/runs?token=" + kRunToken)});
    expect_refused({"a session for a wrong token", 401,
                    request("POST", "/v1/session", kJson, R"({"token":"00112233445566778899"})")});
    for (const auto& [method, path] : changing_routes()) {
        if (path == "/v1/session") continue;
        SCOPED_TRACE(method + " " + path);
        expect_refused({"without a token", 401, request(method, path, kJson, "{}")});
        expect_refused({"to who may read", 403, request(method, path, kJson + as("Bearer " + kReadToken), "{}")});
    }
    EXPECT_EQ(guarded_standing(), before);
    EXPECT_EQ(ask(request("GET", "/v1/runs", as("bearer " + kReadToken))).status, 200U) << "schemes have no case";
    EXPECT_EQ(daemon_->program().err_so_far().find(kRunToken), std::string::npos) << "no token is in the log";
}

}  // namespace
}  // namespace foxbench
