// Free text that came from outside (labels, notes, names, reasons), everywhere it comes out again: Markdown, HTML, CSV,
// JSON, the terminal, the log. It is shown, and does nothing.
#include <optional>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/text/words.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace foxbench {
namespace {

using client::Json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_support::DaemonTest;
using testing_support::foxbench;

/// What a request may have in its label: nothing here is a control character.
const std::string kLabel = "=1+2 <img src=x onerror=alert(1)> a\\|b `c` \"d\" & 'e'";
const std::string kNote = "@SUM(A1)\n| x | <script>alert(1)</script>\n# heading";

/// What only an import can bring: sequences that steer terminals, in every kind of text.
constexpr const char* kSteering = "\x1b[31m\x1b]0;title\x07\u009b2J\x7f\x08\r\n<b>|";

/// A run document that has hostile text wherever there is text.
Json hostile_document() {
    const std::string text = std::string("=cmd ") + kSteering;
    const auto series = [&](const std::string& name) {
        return Json{{"name", name},
                    {"table", "per-call"},
                    {"bytes_per_call", 1},
                    {"bytes_total", 3},
                    {"passes", {{{"total_ms", 1}, {"latencies_us", {100, 200, 300}}}}}};
    };
    const Json launch = {{"environment", {{"user_agent", text}, {"platform", text}, {"timestamp", text}}},
                         {"failure", text},
                         {"anomalies", {text}},
                         {"browser_log", text},
                         {"series", {series("small-append"), series(text)}}};
    return {{"format", "foxbench-run"},
            {"version", 1},
            {"id", "hostile"},
            {"workload", "opfs-sync-write"},
            {"label", text},
            {"note", text},
            {"state", "partial"},
            {"reason", text},
            {"host", {{"name", text}, {"cpu", text}, {"os", text}, {"kernel", text}}},
            {"profiles", {{"filesystem", text}, {"mount", text}}},
            {"config", {{"preset", text}, {"launches", 1}}},
            {"log", {{{"at", text}, {"text", text}}}},
            {"targets",
             {{{"name", text},
               {"browser", {{"name", text}, {"version", text}, {"binary", text}, {"local_build", true}}},
               {"note", text},
               {"launches", {launch}}},
              {{"name", "other"}, {"browser", {{"name", "Firefox"}, {"version", "1"}}}, {"launches", Json::array()}}}}};
}

/// Without the start of an element that a browser would act upon.
testing::Matcher<const std::string&> has_no_element() {
    return AllOf(Not(HasSubstr("<img")), Not(HasSubstr("<b>")), Not(HasSubstr("<script>alert")));
}

class Escaping : public DaemonTest {
protected:
    [[nodiscard]] std::string report(const std::string& run, const std::string& format,
                                     const std::string& part = "report") const {
        return daemon_->client().get("/v1/runs/" + run + "/" + part + "?format=" + format, "*/*").body;
    }
};

TEST_F(Escaping, OfALabelAndANoteOfARequest) {
    const auto run = daemon_->start_run({{"label", kLabel}, {"note", kNote}});
    EXPECT_EQ(run.find_first_of("=<>|`\"&' \\"), std::string::npos) << "the id is for file names";
    daemon_->wait_for_state(run, "failed");

    EXPECT_THAT(report(run, "md"), AllOf(HasSubstr("Note: @SUM(A1) | x | &lt;script&gt;alert(1)"), has_no_element()));
    EXPECT_THAT(report(run, "html"),
                AllOf(HasSubstr("&lt;img src=x onerror=alert(1)&gt;"), HasSubstr("&quot;d&quot; &amp; &#39;e&#39;"),
                      HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"), has_no_element()));
    const auto json = Json::parse(report(run, "json"));
    EXPECT_THAT(json.dump(), AllOf(HasSubstr(Json(kLabel).dump()), HasSubstr(Json(kNote).dump())));
    EXPECT_EQ(daemon_->client().get("/v1/runs/" + run).json().at("label"), Json(kLabel));

    const auto listed = foxbench({"list", "--results", folder_.file("results")});
    EXPECT_THAT(listed.out, HasSubstr(run));
    EXPECT_FALSE(text::has_control_characters(listed.out, true)) << listed.out;
}

TEST_F(Escaping, OfEveryTextOfAnImportedRun) {
    const auto file = folder_.write("hostile.json", hostile_document().dump());
    const auto imported = foxbench({"import", file, "--url", daemon_->url()});
    ASSERT_EQ(imported.out, "hostile\n") << imported.err;

    for (const char* format : {"md", "html", "csv", "json"}) {
        for (const char* part : {"report", "tables/per-call", "tables/per-file", "tables/latency", "tables/derived"}) {
            SCOPED_TRACE(std::string(format) + " " + part);
            const auto answer = report("hostile", format, part);
            EXPECT_FALSE(text::has_control_characters(answer, true)) << answer;
            if (std::string(format) == "md" || std::string(format) == "html") EXPECT_THAT(answer, has_no_element());
            if (std::string(format) == "csv") {
                EXPECT_THAT(answer, Not(HasSubstr(",=cmd")));
                EXPECT_THAT(answer, Not(HasSubstr(",\"=cmd")));
            }
        }
    }
    // In Markdown's tables no text makes a column of its own.
    const auto table = report("hostile", "md", "tables/latency");
    std::optional<std::size_t> columns;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with('|')) continue;
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '\\')
                ++i;
            else if (line[i] == '|')
                ++bars;
        }
        EXPECT_EQ(bars, columns.value_or(bars)) << line;
        columns = bars;
    }
    for (const char* what : {"", "/document", "/log", "/samples"}) {
        const auto answer = daemon_->client().get(std::string("/v1/runs/hostile") + what, "*/*").body;
        EXPECT_FALSE(text::has_control_characters(answer, true)) << what << ": " << answer;
    }
    EXPECT_FALSE(text::has_control_characters(daemon_->client().get("/v1/runs").body));
}

TEST_F(Escaping, InATerminalAndInTheLog) {
    ASSERT_EQ(foxbench({"import", folder_.write("hostile.json", hostile_document().dump()), "--url", daemon_->url()})
                  .exit_code,
              0);
    const std::vector<std::vector<std::string>> commands{{"list"},
                                                         {"list", "--json"},
                                                         {"show", "hostile"},
                                                         {"show", "hostile", "--format", "html"},
                                                         {"show", "hostile", "--format", "csv"},
                                                         {"show", "--json"},
                                                         {"export", "hostile", "--pretty"},
                                                         {"delete", "\x1b[31m"},
                                                         {"show", "\u009b2J"}};
    for (auto command : commands) {
        const auto line = text::join(command, " ");
        command.insert(command.end(), {"--url", daemon_->url()});
        const auto result = foxbench(command);
        EXPECT_FALSE(text::has_control_characters(result.out, true)) << line << ": " << result.out;
        EXPECT_FALSE(text::has_control_characters(result.err, true)) << line << ": " << result.err;
    }
    // Names in requests reach the log through refusals and faults; each stays in its line.
    static_cast<void>(daemon_->start_run({{"label", kLabel}, {"note", kNote}}));
    const auto log = daemon_->program().err_so_far();
    EXPECT_FALSE(text::has_control_characters(log, true)) << log;
    std::istringstream lines(log);
    for (std::string line; std::getline(lines, line);)
        EXPECT_THAT(line, testing::StartsWith("20")) << "a line is an event";
}

}  // namespace
}  // namespace foxbench
