#include "service/report/import_markdown.hpp"

#include <gmock/gmock.h>

#include "service/document/purpose.hpp"
#include "service/error.hpp"
#include "service/report/render.hpp"
#include "service/report/sample_runs.hpp"
#include "service/report/tables.hpp"

namespace foxbench::report {
namespace {

using document::Json;
using document::RunDocument;
using ::testing::HasSubstr;

RunDocument import(const std::string& text) {
    return import_markdown(text, "summary.md");
}

/// The message that refuses `text`.
std::string refusal(const std::string& text) {
    try {
        (void)import(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        return error.what();
    }
    return "nothing refused it";
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

TEST(Import, OfTheReferenceGivesItBackByteForByte) {
    const auto text = read_fixture("seed/summary.md");
    const auto run = import(text);
    EXPECT_EQ(render(run, Format::md), text);
    EXPECT_EQ(document::from_json(document::to_json(run)).report_markdown, text);
}

TEST(Import, OfTheReferenceHasItsFactsAndFiguresAsPrinted) {
    const auto run = import(read_fixture("seed/summary.md")), original = seed_run();
    EXPECT_EQ(run.id, original.id);
    EXPECT_EQ(run.workload, original.workload);
    EXPECT_EQ(run.state, document::RunState::completed);
    EXPECT_EQ(run.note, original.note);
    EXPECT_EQ(run.started_at, original.started_at);
    EXPECT_EQ(run.config, original.config);
    EXPECT_EQ(run.host->cpu, original.host->cpu);
    EXPECT_EQ(run.host->threads, 16);
    EXPECT_EQ(run.host->memory_bytes, 65e9);
    EXPECT_EQ(run.host->os, "linux");
    EXPECT_EQ(run.host->kernel, "7.0.0-31-generic");
    EXPECT_EQ(run.host->arch, "x64");
    EXPECT_EQ(run.profiles->filesystem, "ext4");
    EXPECT_EQ(run.profiles->mount, "/");

    ASSERT_EQ(run.targets.size(), 1u);
    const auto& target = run.targets[0];
    EXPECT_EQ(target.name, "firefox");
    EXPECT_EQ(target.browser.name, "Firefox");
    EXPECT_EQ(target.browser.version, "158");
    EXPECT_EQ(target.browser.local_build, true);
    EXPECT_EQ(target.browser.binary, original.targets[0].browser.binary);
    const auto& seen = *target.launches.at(0).environment;
    EXPECT_EQ(seen.user_agent, original.targets[0].launches[0].environment->user_agent);
    EXPECT_EQ(seen.hardware_concurrency, 16);
    EXPECT_EQ(seen.timer_resolution_us, 20);
    EXPECT_EQ(seen.cross_origin_isolated, true);
    EXPECT_EQ(seen.storage_usage_bytes, 2e6);
    EXPECT_EQ(seen.storage_quota_bytes, 10737e6);

    const auto& series = target.launches[0].series;
    ASSERT_EQ(series.size(), 10u);
    EXPECT_EQ(series[2].name, "chunked-append (64 KiB)");
    EXPECT_EQ(series[2].bytes_total, 8192000);
    EXPECT_EQ(series[2].summary->first_min_us, 100);
    EXPECT_EQ(series[2].summary->first_max_us, 120);
    EXPECT_TRUE(series[2].passes.empty());
    EXPECT_EQ(series[4].summary->total_max_ms, 10616.2);
    EXPECT_EQ(series[5].table, document::kPerFile);
    EXPECT_EQ(series[5].bytes_per_call, std::nullopt);
    EXPECT_EQ(series[5].summary->mb_per_s, std::nullopt);
    EXPECT_EQ(series[5].summary->first_min_us, std::nullopt);
}

// total / calls of the printed figures is 187.5 µs for this series, the report says 183.
TEST(Import, ShowsMeansAndDerivedLinesAsPrinted) {
    const auto text = read_fixture("seed/summary.md");
    const auto run = import(text);
    for (const auto table : {Table::per_call, Table::per_file, Table::latency, Table::derived}) {
        EXPECT_THAT(text + "\n", HasSubstr(render_table(run, table, Format::md)));
    }
}

TEST(Import, OfSeveralTargetsHasTheirFigures) {
    auto original = several_targets(5);
    original.note = "a <b> & c | d";
    original.targets[1].browser.local_build = true;
    original.targets[1].browser.binary = "/src/obj-x/dist/bin/firefox";
    const auto text = render(original, Format::md);
    const auto run = import(text);
    EXPECT_EQ(render(run, Format::md), text);
    EXPECT_EQ(run.label, "nightly");
    EXPECT_EQ(run.note, original.note);
    EXPECT_EQ(run.config["launches"], 5);
    ASSERT_EQ(run.targets.size(), 3u);
    EXPECT_EQ(run.targets[0].name, "base");
    EXPECT_EQ(run.targets[1].name, "wal-full");
    EXPECT_EQ(run.targets[2].name, "firefox-153");
    EXPECT_FALSE(run.targets[0].browser.local_build);
    EXPECT_EQ(run.targets[1].browser.binary, "/src/obj-x/dist/bin/firefox");
    for (const auto table : {Table::per_call, Table::per_file, Table::latency}) {
        EXPECT_EQ(render_table(run, table, Format::md), render_table(original, table, Format::md));
    }
    EXPECT_THAT(render(run, Format::html), HasSubstr("R=15 (5 launches × 3)"));
}

TEST(Import, OfAPartialRunKeepsStateAndReason) {
    auto original = several_targets(1);
    original.state = document::RunState::partial;
    original.reason = "The browser <crashed>. Twice.";
    const auto run = import(render(original, Format::md));
    EXPECT_EQ(run.state, document::RunState::partial);
    EXPECT_EQ(run.reason, original.reason);
}

TEST(Import, OfAFailedRunNeedsNoFigures) {
    const auto run = import("# OPFS sync write benchmark: r1\n\nState: failed. No browser.\n");
    EXPECT_EQ(run.state, document::RunState::failed);
    EXPECT_TRUE(run.targets.empty());
}

TEST(Import, KeepsTargetsNamesThatNeedEscapes) {
    auto original = several_targets(1);
    original.targets[0].name = "a|<b> (c)";
    const auto run = import(render(original, Format::md));
    EXPECT_EQ(run.targets[0].name, "a|<b> (c)");
    EXPECT_EQ(make_tables(run).per_call.at(0).cells.at(0).mean_us, 40.4);
}

TEST(Import, GuessesALabelOnlyWhereItIsCertain) {
    const auto label_of = [](const std::string& id) {
        return import("# OPFS sync write benchmark: " + id + "\n\nState: failed.\n").label;
    };
    EXPECT_EQ(label_of("2026-01-01_00-00-00-nightly"), "nightly");
    EXPECT_EQ(label_of("2026-01-01_00-00-00-local-wal-full"), std::nullopt);  // may have been "local wal/full"
    EXPECT_EQ(label_of("2026-01-01_00-00-00-2"), std::nullopt);               // a second run of the same second
    EXPECT_EQ(label_of("2026-01-01_00-00-00"), std::nullopt);
    EXPECT_EQ(label_of("nightly"), std::nullopt);
}

TEST(Import, ReadsOtherEndsOfLines) {
    std::string text;
    for (const char c : read_fixture("seed/summary.md")) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    text = "\xEF\xBB\xBF" + text;
    EXPECT_TRUE(looks_like_report(text));
    const auto run = import(text);
    EXPECT_EQ(run.report_markdown, text);
    EXPECT_EQ(run.targets.at(0).launches.at(0).series.size(), 10u);
    EXPECT_EQ(run.note, seed_run().note);
}

TEST(Import, RefusesWhatIsNoReportInOneLine) {
    for (const std::string text :
         {"", "\n", "# Shopping\n\n- milk\n", "{\"format\": \"foxbench-run\"}", "# OPFS sync write benchmark: "}) {
        const auto message = refusal(text);
        EXPECT_THAT(
            message,
            HasSubstr("summary.md:1: expected a report that begins with '# OPFS sync write benchmark: <run id>'"));
        EXPECT_THAT(message, HasSubstr("not a foxbench report"));
        EXPECT_EQ(message.find('\n'), std::string::npos);
        EXPECT_FALSE(looks_like_report("# Shopping"));
    }
    EXPECT_THAT(refusal("\xFF\xFE"), HasSubstr("not UTF-8 text"));
    for (const char* steering : {"\x1b[2J", "\u009b31m", "\x7f", "\x07"})
        EXPECT_THAT(refusal(read_fixture("seed/summary.md") + steering), HasSubstr("control characters"));
    EXPECT_THAT(refusal(std::string(kMaxReportBytes + 1, 'x')), HasSubstr("longer than 4 MiB"));
    EXPECT_THAT(refusal("# OPFS sync write benchmark: ../../etc/passwd\n"), HasSubstr("expected a run's id"));
    EXPECT_THAT(refusal("# OPFS sync write benchmark: r1\n\nDate: x\n"),
                HasSubstr("expected a section '## <browser>'"));
}

TEST(Import, KeepsThatSomethingWasPlanted) {
    auto run = several_targets(1);
    EXPECT_FALSE(document::is_planted(import(render(run, Format::md))));
    run.targets[1].extra["planted_us"] = 12.5;
    const auto one = import(render(run, Format::md));
    ASSERT_EQ(one.targets.size(), 3u);
    EXPECT_EQ(document::planted_us(one, one.targets[0]), 0);
    EXPECT_EQ(document::planted_us(one, one.targets[1]), 12.5);
    run.targets[1].extra = nullptr;
    run.config["planted_us"] = 1000;
    EXPECT_EQ(import(render(run, Format::md)).config["planted_us"], 1000);
}

TEST(Import, RefusesFiguresThatAreNone) {
    const auto seed = read_fixture("seed/summary.md");
    EXPECT_THAT(refusal(replaced(seed, "| 2,000 |", "| 2,00 |")),
                HasSubstr("summary.md:48: expected an integer or '–', not '2,00'"));
    EXPECT_THAT(refusal(replaced(seed, "| 80.0–82.2 |", "| 80.0 |")), HasSubstr("expected a range"));
    EXPECT_THAT(refusal(replaced(seed, "| 102.3 |", "| -102.3 |")), HasSubstr("not '-102.3'"));
    EXPECT_THAT(refusal(replaced(seed, "| 102.3 |", "|")), HasSubstr("expected 12 cells"));
    EXPECT_THAT(refusal(replaced(seed, "p50 (µs)", "median")), HasSubstr("expected the columns Calls"));
    EXPECT_THAT(refusal(replaced(seed, "40.0 µs |", "fast |")), HasSubstr("expected a mean like"));
    EXPECT_THAT(refusal(replaced(seed, "N=2000", "N=many")), HasSubstr("expected an integer after 'N='"));
    EXPECT_THAT(refusal(replaced(seed, "Host: ", "State: fine.  \nHost: ")), HasSubstr("expected a state"));
}

TEST(Import, SurvivesEveryCutAndEveryBrokenByte) {
    const auto seed = read_fixture("seed/summary.md");
    const auto attempt = [](const std::string& text) {
        try {
            const auto run = import(text);
            for (const auto format : {Format::csv, Format::json, Format::html}) (void)render(run, format);
            (void)document::from_json(document::to_json(run));
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
        }
    };
    for (std::size_t length = 0; length < seed.size(); length += 23) attempt(seed.substr(0, length));
    for (std::size_t at = 0; at < seed.size(); at += 29) {
        for (const char c : {'|', '\n', '9', '(', '\xC2'}) {
            auto broken = seed;
            broken[at] = c;
            attempt(broken);
        }
    }
}

TEST(Import, RefusesMoreThanARunCanHave) {
    const std::string head = "# OPFS sync write benchmark: r1\n\n";
    std::string many = head;
    for (int i = 0; i < 200; ++i) many += "## Firefox " + std::to_string(i) + "\n";
    EXPECT_THAT(refusal(many), HasSubstr("at most 100 browsers"));

    EXPECT_THAT(refusal(head + "## Firefox 1\n\n" + std::string(1000, '|') + "\n|---|\n"),
                HasSubstr("at most 512 columns"));

    const auto seed = read_fixture("seed/summary.md");
    const std::string row = " | 1 | – | 1.0 | – | – | – | – | – | – | – | – |\n";
    std::string rows;
    for (int i = 0; i < 200; ++i) rows += "| x" + std::to_string(i) + row;
    EXPECT_THAT(refusal(replaced(seed, "| small-append | 2,000", rows + "| small-append | 2,000")),
                HasSubstr("at most 100 series"));
}

TEST(Import, RefusesASeriesThatIsThereTwice) {
    const auto seed = read_fixture("seed/summary.md");
    const std::string row = "| small-append | 1 | – | 1.0 | – | – | – | – | – | – | – | – |\n";
    EXPECT_THAT(refusal(replaced(seed, "| small-append | 2,000", row + "| small-append | 2,000")),
                HasSubstr("'small-append' is in this table twice"));
}

}  // namespace
}  // namespace foxbench::report
