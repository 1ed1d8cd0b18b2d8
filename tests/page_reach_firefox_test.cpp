// The workload's page in a real Firefox reaches its own files and nothing else, least of all the daemon.
#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bidi/modules/browsing_context.hpp"
#include "bidi/testing/run_task.hpp"
#include "service/browser/browser.hpp"
#include "service/browser/find.hpp"
#include "service/browser/preferences.hpp"
#include "service/measure/page_server.hpp"
#include "tests/support/daemon_fixture.hpp"
#include "tests/support/standing.hpp"

namespace foxbench {
namespace {

using bidi::testing::run;
using client::Json;
using testing_support::DaemonTest;
using testing_support::standing_of;

/// Runs in the page and in its worker. Gives for each way out what came of it: `refused`, or what got through.
constexpr const char* kWaysOut = R"js(
const outcome = promise => Promise.race([
    promise.then(() => "went through", () => "refused"),
    new Promise(done => setTimeout(() => done("neither"), 20000)),
]);
const opened = target => new Promise((open, fail) => { target.onopen = open; target.onerror = fail; });
const request = body => ({method: "POST", mode: "no-cors", headers: {"Content-Type": "text/plain"}, body});
async function waysOut(daemon, own) {
    return {
        own: await outcome(fetch(own)),
        read: await outcome(fetch(daemon + "/v1/runs")),
        "read blindly": await outcome(fetch(daemon + "/v1/runs", {mode: "no-cors"})),
        run: await outcome(fetch(daemon + "/v1/runs", request("{}"))),
        "run as JSON": await outcome(fetch(daemon + "/v1/runs",
            {method: "POST", headers: {"Content-Type": "application/json"}, body: "{}"})),
        remove: await outcome(fetch(daemon + "/v1/runs/latest", {method: "DELETE"})),
        events: await outcome(opened(new EventSource(daemon + "/v1/events"))),
        socket: await outcome(new Promise((open, fail) => {
            try { opened(new WebSocket(daemon.replace("http:", "ws:") + "/v1/events")).then(open, fail); }
            catch (error) { fail(error); }
        })),
        script: await outcome(import(daemon + "/assets/dashboard.js")),
    };
}
)js";

/// What only a document has.
constexpr const char* kDocumentsWaysOut = R"js(
const element = (tag, members, place = document.body) => new Promise((load, fail) => {
    const made = Object.assign(document.createElement(tag), members, {onload: load, onerror: fail});
    addEventListener("securitypolicyviolation", fail, {once: true});
    place.append(made);
    if (tag === "form") made.submit();
});
const documentsWaysOut = async daemon => ({
    image: await outcome(element("img", {src: daemon + "/v1/runs"})),
    "script element": await outcome(element("script", {src: daemon + "/assets/dashboard.js"})),
    frame: await outcome(element("iframe", {src: daemon + "/"})),
    form: await outcome(element("form", {method: "post", action: daemon + "/v1/runs"})),
    beacon: navigator.sendBeacon(daemon + "/v1/runs", "{}") ? "not told" : "refused",
});
)js";

class PageReach : public DaemonTest {
protected:
    PageReach() {
        options_.binary = browser::find_binary("");
        options_.profiles_folder = folder_.file("profiles");
        options_.preferences = browser::effective_preferences(nullptr, browser::Timer::standard);
        std::filesystem::create_directory(folder_.file("workload"));
        folder_.write("workload/worker.js", "export const cases = {};\n");
        folder_.write("workload/probe.js",
                      std::string(kWaysOut) +
                          "onmessage = async ({data}) => postMessage(await waysOut(data.daemon, data.own));\n");
    }
    ~PageReach() override {
        if (browser_) run(io_, browser_->stop());
    }

    void open_page() {
        server_ = std::make_unique<measure::PageServer>(io_.get_executor(), folder_.file("workload"), "worker.js");
        browser_ = run(io_, browser::Browser::launch(options_));
        run(io_, browser_->connection().call(
                     "browsingContext.navigate",
                     {{"context", browser_->first_context()}, {"url", server_->url()}, {"wait", "complete"}}));
    }
    /// What the expression, a promise of an object, gives in the page.
    Json evaluate(const std::string& expression) {
        const auto answer = run(io_, browser_->connection().call(
                                         "script.evaluate", {{"expression", "(async () => { " + expression + " })()"},
                                                             {"target", {{"context", browser_->first_context()}}},
                                                             {"awaitPromise", true}}));
        EXPECT_EQ(answer.at("type"), "success") << answer;
        return Json::parse(answer.at("result").at("value").get<std::string>());
    }
    [[nodiscard]] std::string places() const {
        return Json{{"daemon", daemon_->url()}, {"own", server_->url() + "runtime.js"}}.dump();
    }
    static void expect_only_its_own(const Json& outcomes) {
        EXPECT_GT(outcomes.size(), 2U);
        for (const auto& [way, outcome] : outcomes.items())
            EXPECT_EQ(outcome, way == "own" ? "went through" : "refused") << way;
    }

    boost::asio::io_context io_;
    browser::LaunchOptions options_;
    std::unique_ptr<measure::PageServer> server_;
    std::unique_ptr<browser::Browser> browser_;
};

TEST_F(PageReach, IsItsOwnFilesAlone) {
    static_cast<void>(import_seed());
    const auto standing = [&] { return standing_of(daemon_->client(), folder_.file("results")); };
    const auto before = standing();
    open_page();
    EXPECT_EQ(evaluate("return JSON.stringify(crossOriginIsolated)"), true);

    const std::string prelude = std::string(kWaysOut) + kDocumentsWaysOut + "const places = " + places() + ";";
    expect_only_its_own(evaluate(prelude + "return JSON.stringify(await waysOut(places.daemon, places.own))"));
    expect_only_its_own(
        evaluate("const worker = new Worker('probe.js');"
                 "return JSON.stringify(await new Promise((done, fail) => {"
                 "    worker.onmessage = ({data}) => done(data); worker.onerror = fail;"
                 "    worker.postMessage(" +
                 places() + "); }))"));
    auto outcomes = evaluate(prelude + "return JSON.stringify(await documentsWaysOut(places.daemon))");
    // The browser accepts a beacon first and refuses it afterwards; that nothing came of it shows below.
    outcomes.erase("beacon");
    expect_only_its_own(outcomes);
    EXPECT_EQ(standing(), before);
}

TEST_F(PageReach, EndsWithTheLaunch) {
    open_page();
    const auto url = server_->url();
    server_.reset();
    EXPECT_EQ(evaluate("return JSON.stringify(await fetch('" + url + "page.js').then(() => 'served', () => 'gone'))"),
              "gone");
}

}  // namespace
}  // namespace foxbench
