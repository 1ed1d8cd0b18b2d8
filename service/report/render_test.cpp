#include "service/report/render.hpp"

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/report/sample_runs.hpp"

namespace foxbench::report {
namespace {

using document::Json;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

TEST(Markdown, OfTheReferencesRunIsTheReference) {
    EXPECT_EQ(render(seed_run(), Format::md), read_fixture("seed/summary.md") + "\n");
}

// Two launches of three targets, with verification and noise; recompute_report.py checks the figures of this report.
TEST(Markdown, OfSeveralTargetsAndLaunchesIsAsKept) {
    const auto run = document::parse(read_fixture("several_targets/run.json"), "run.json");
    EXPECT_EQ(render(run, Format::md), read_fixture("several_targets/summary.md"));
}

TEST(Markdown, OfSeveralTargetsHasTheirColumnsAndSections) {
    const auto text = render(several_targets(5), Format::md);
    EXPECT_THAT(text, HasSubstr("Browsers: Firefox 158 (base), Firefox 158 (wal-full), Firefox 153  \nDate: "));
    EXPECT_THAT(
        text,
        HasSubstr("| Workload | Firefox 158 (base) µs/call | Firefox 158 (wal-full) µs/call | Firefox 153 µs/call | "
                  "Firefox 158 (wal-full) ÷ Firefox 158 (base) | Firefox 153 ÷ Firefox 158 (base) | "
                  "Firefox 158 (base) total | Firefox 158 (wal-full) total | Firefox 153 total |\n"
                  "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
                  "| small-append | 40.4 µs | 80.8 µs | 6060 µs | 2.0× | 150× | 4.0 ms | 8.1 ms | 606.0 ms |\n"));
    EXPECT_THAT(text, HasSubstr("\n## Firefox 158 (wal-full)\n\n**OPFS `FileSystemSyncAccessHandle.write()` per-call"));
    EXPECT_THAT(text, HasSubstr("Median run of R=15 (5 launches × 3) (by total time) after one warm-up pass; "));
    EXPECT_THAT(text, Not(HasSubstr("Single-browser run")));
    EXPECT_THAT(text, Not(HasSubstr("## Run quality")));
}

TEST(Markdown, ShowsADashWhereATargetLacksASeries) {
    auto run = several_targets(1);
    run.targets[0].launches[0].series.erase(run.targets[0].launches[0].series.begin());
    EXPECT_THAT(render(run, Format::md),
                HasSubstr("| small-append | – | 80.8 µs | 6060 µs | – | – | – | 8.1 ms | 606.0 ms |\n"));
}

TEST(Markdown, LeavesOutATableWithoutSeries) {
    auto run = several_targets(1);
    for (auto& target : run.targets) target.launches[0].series.pop_back();
    EXPECT_THAT(render(run, Format::md), Not(HasSubstr("## Per-file cost")));
}

TEST(Report, OfAPlantedRunSaysSoAtTheTopInEveryFormatForPeople) {
    auto run = several_targets(1);
    run.targets[1].extra["planted_us"] = 50;
    EXPECT_THAT(render(run, Format::md),
                HasSubstr("-nightly\n\nPlanted: every timed call of Firefox 158 (wal-full) was "
                          "slowed down by 50 µs on purpose; these figures are no browser's  "));
    EXPECT_THAT(render(run, Format::html), HasSubstr("every timed call of Firefox 158 (wal-full) was slowed down by"));
    const auto json = Json::parse(render(run, Format::json));
    EXPECT_FALSE(json["targets"][0].contains("planted_us"));
    EXPECT_EQ(json["targets"][1]["planted_us"], 50);
    for (const auto format : {Format::md, Format::html, Format::json})
        EXPECT_THAT(render(several_targets(1), format), Not(HasSubstr("lanted")));
}

TEST(Json, HasNoisyLaunchesAndTheDiskWhereThereAreAny) {
    auto run = several_targets(2);
    run.profiles.emplace();
    run.profiles->extra["disk"] = Json::array({{{"name", "vda"}, {"write_cache", "write back"}}});
    run.targets[2].launches[1].noise = Json{{"other_cpu_percent", 50}};
    const auto json = Json::parse(render(run, Format::json));
    EXPECT_EQ(json["profiles"]["disk"][0]["write_cache"], "write back");
    EXPECT_FALSE(json["targets"][0].contains("noisy_launches"));
    EXPECT_EQ(json["targets"][2]["noisy_launches"],
              Json::parse(R"([{"launch": 2, "reasons": ["other processes used 50 % of a processor"]}])"));
}

TEST(Markdown, OfARunThatIsNotCompletedSaysSoFirst) {
    auto run = several_targets(1);
    run.state = document::RunState::partial;
    run.reason = "Ctrl-C\nafter <2> passes";
    run.note = "a | b & c";
    const auto text = render(run, Format::md);
    EXPECT_TRUE(
        text.starts_with("# OPFS sync write benchmark: 2026-01-01_00-00-00-nightly\n\n"
                         "State: partial. Ctrl-C after &lt;2&gt; passes  \nConfig: "));
    EXPECT_THAT(text, HasSubstr("  \nNote: a | b &amp; c  \nDate: 2026-01-01T00:00:00.000Z\n\n## Per-call"));
    EXPECT_THAT(text, HasSubstr("\n## Run quality\n\n- State: partial. Ctrl-C"));
}

TEST(Markdown, OfARunThatMeasuredNothingIsStillAReport) {
    document::RunDocument run;
    run.id = "r1";
    run.workload = "opfs-sync-write";
    run.state = document::RunState::failed;
    EXPECT_EQ(render(run, Format::md),
              "# OPFS sync write benchmark: r1\n\nState: failed.\n\n## Run quality\n\n- State: failed.\n");
    run.targets = {sample_target("base", "158.0", 1, 0, 0)};
    EXPECT_THAT(render(run, Format::md), HasSubstr("\n## Firefox 158\n"));
    for (const auto format : {Format::csv, Format::json, Format::html}) EXPECT_FALSE(render(run, format).empty());
}

TEST(Markdown, NamesEachLocalBuild) {
    auto run = several_targets(1);
    for (const std::size_t i : {0u, 1u}) {
        run.targets[i].browser.local_build = true;
        run.targets[i].browser.binary = "/src/obj-" + std::to_string(i) + "/dist/bin/firefox";
    }
    EXPECT_THAT(render(run, Format::md),
                HasSubstr("Local build: Firefox 158 (base) from /src/obj-0/dist/bin/firefox.  \n"
                          "Local build: Firefox 158 (wal-full) from /src/obj-1/dist/bin/firefox.  \n"));
}

TEST(Markdown, EscapesATargetsNameInColumns) {
    auto run = several_targets(1);
    run.targets[0].name = "a|<b>";
    EXPECT_THAT(render(run, Format::md), HasSubstr("| Firefox 158 (a\\|&lt;b&gt;) µs/call |"));
}

TEST(Markdown, OfAnotherWorkloadHasItsTitle) {
    auto run = several_targets(1);
    run.workload = "idb-put";
    run.extra = Json{{"title", "IndexedDB `put()`"}};
    const auto text = render(run, Format::md);
    EXPECT_TRUE(text.starts_with("# IndexedDB `put()`: 2026"));
    EXPECT_THAT(text, HasSubstr("**IndexedDB `put()`**"));
    EXPECT_THAT(text, HasSubstr("call number 1 of that run:\n"));
    EXPECT_THAT(text, Not(HasSubstr("Derived:")));
}

TEST(Markdown, OfAnImportedReportIsItsText) {
    auto run = several_targets(1);
    run.report_markdown = "word\r\nfor word";
    EXPECT_EQ(render(run, Format::md), "word\r\nfor word");
}

TEST(Csv, HasOneHeaderAndARowATargetAndSeries) {
    const auto text = render(several_targets(1), Format::csv);
    EXPECT_EQ(count(text, "\r\n"), 1u + 3 * 2);
    EXPECT_EQ(count(text, "\n"), count(text, "\r\n"));
    EXPECT_TRUE(text.starts_with("run,workload,state,started_at,target,browser,table,series,passes,mean_us,calls,"));
    EXPECT_THAT(text, HasSubstr(",base,Firefox 158 (base),per-file,new-file: close,3,2020,10,,,20.2,20,20.4,"));
}

TEST(Csv, DisarmsFormulas) {
    auto run = several_targets(1);
    run.targets[0].name = "=cmd|' /C calc'!A0";
    EXPECT_THAT(render(run, Format::csv), HasSubstr(",'=cmd|' /C calc'!A0,"));
}

TEST(Csv, HasEveryTable) {
    const auto run = seed_run();
    EXPECT_EQ(count(render_table(run, Table::per_call, Format::csv), "\r\n"), 6u);
    EXPECT_EQ(count(render_table(run, Table::per_file, Format::csv), "\r\n"), 6u);
    EXPECT_EQ(count(render_table(run, Table::latency, Format::csv), "\r\n"), 11u);
    EXPECT_THAT(render_table(run, Table::derived, Format::csv), HasSubstr(",fixed-per-call-floor,mean_us,37.46,"));
}

TEST(Json, HasFiguresInFullAndNullWhereThereIsNone) {
    const auto json = Json::parse(render(seed_run(), Format::json));
    EXPECT_EQ(json["run"], "2026-09-15_22-13-00-local-wal-full");
    EXPECT_EQ(json["state"], "completed");
    const auto& rows = json["targets"][0]["latency"];
    ASSERT_EQ(rows.size(), 10u);
    EXPECT_EQ(rows[0]["mean_us"], 40.03);
    EXPECT_TRUE(rows[5]["mb_per_s"].is_null());
    EXPECT_TRUE(rows[5]["bytes_per_call"].is_null());
    EXPECT_TRUE(json["per_call"][0]["targets"][0]["ratio_to_first"].is_null());
    EXPECT_EQ(json["targets"][0]["derived"].size(), 13u);
}

TEST(Json, HasEveryTable) {
    for (const char* name : {"per-call", "per-file", "latency", "derived"}) {
        const auto json = Json::parse(render_table(seed_run(), table_from(name), Format::json));
        EXPECT_EQ(json["table"], name);
    }
}

TEST(Html, NeedsNothingFromAnywhere) {
    const auto page = render(several_targets(3), Format::html);
    for (const char* reference :
         {"http:", "https:", "//", "src=", "href=", "url(", "@import", "<script", "<link", " style=", " onload"}) {
        EXPECT_THAT(page, Not(HasSubstr(reference)));
    }
    EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
    EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST(Html, EscapesEverythingOfTheDocument) {
    auto run = seed_run();
    const std::string bad = "<script>alert('x')</script>\"";
    run.id = run.label.emplace() = run.note.emplace() = run.reason.emplace() = bad;
    run.state = document::RunState::invalid;
    run.started_at = run.host->cpu = run.profiles->mount = bad;
    run.config["preset"] = bad;
    auto& target = run.targets[0];
    target.name = target.browser.name = target.note.emplace() = target.browser.binary.emplace() = bad;
    auto& launch = target.launches[0];
    launch.environment->user_agent = launch.environment->platform = launch.failure.emplace() = bad;
    for (auto& series : launch.series) series.name = bad + series.name;
    for (const auto& page : {render(run, Format::html), render_table(run, Table::latency, Format::html)}) {
        EXPECT_THAT(page, Not(HasSubstr("<script")));
        EXPECT_THAT(page, Not(HasSubstr("alert('x')")));
    }
    EXPECT_THAT(render(run, Format::md), Not(HasSubstr("<script")));
}

TEST(Html, CallsTheEstimateTheSites) {  // cases.md 35: not the origin's; docs/opfs.md
    EXPECT_THAT(render(seed_run(), Format::html), HasSubstr("Storage of the site"));
    EXPECT_THAT(render(seed_run(), Format::md), HasSubstr("navigator.storage.estimate(): "));
}

TEST(Html, HasThePlotWithAMarkATargetAndSeries) {
    const auto page = render(several_targets(1), Format::html);
    EXPECT_EQ(count(page, "class=\"whisker\""), 3u * 2);
    EXPECT_THAT(page, HasSubstr("<title id=\"plot-title\">"));
    EXPECT_THAT(page, HasSubstr("small-append, Firefox 153: 6060 µs (passes 6000 µs to 6120 µs)"));
}

TEST(Html, DrawsWhateverTheFiguresAre) {
    for (const double us : {0.0, 1e-300, 1e-6, 1.0, 1e12, 1e300}) {
        auto run = several_targets(1);
        for (auto& series : run.targets[0].launches[0].series) {
            for (auto& pass : series.passes) pass.total_ms = us / 1000 * static_cast<double>(pass.latencies_us.size());
        }
        const auto page = render(run, Format::html);
        EXPECT_THAT(page, Not(HasSubstr("=\"–\""))) << us;
        EXPECT_LT(page.size(), 100'000u);
    }
}

TEST(Words, OfFormatsAndTablesAreChecked) {
    for (const char* word : {"md", "csv", "json", "html"}) EXPECT_EQ(to_string(format_from(word)), word);
    for (const char* word : {"per-call", "per-file", "latency", "derived"})
        EXPECT_EQ(to_string(table_from(word)), word);
    EXPECT_EQ(media_type(Format::html), "text/html; charset=utf-8");
    try {
        (void)format_from("pdf");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_STREQ(error.what(), "unknown report format 'pdf': known are md, csv, json and html");
    }
    EXPECT_THROW((void)table_from("samples"), Error);
}

}  // namespace
}  // namespace foxbench::report
