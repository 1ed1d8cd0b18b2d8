// The command line without a browser: what it prints, what it refuses, and that nothing is left behind after a refusal.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/document/run_document.hpp"
#include "tests/support/program.hpp"

namespace foxbench {
namespace {

using document::Json;
using testing::HasSubstr;
using testing_support::foxbench;
using testing_support::read_file;
using testing_support::Result;
using testing_support::TemporaryFolder;

const std::string kSeedDocument = FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/run.json";
const std::string kSeedReport = FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/summary.md";

void expect_refusal(const Result& result, const std::string& message) {
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << "one clear line:\n" << result.err;
    EXPECT_TRUE(result.err.starts_with("foxbench: ")) << result.err;
}

TEST(CommandLine, RendersTheReferenceByteForByte) {
    const auto result = foxbench({"render", kSeedDocument});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, read_file(kSeedReport) + "\n");
}

TEST(CommandLine, GivesAnImportedReportBackByteForByte) {
    const TemporaryFolder results;
    const auto imported = foxbench({"import", kSeedReport, "--results", results.file("r")});
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
    EXPECT_EQ(imported.out, "2026-09-15_22-13-00-local-wal-full\n");
    EXPECT_EQ(foxbench({"show", "latest", "--results", results.file("r")}).out, read_file(kSeedReport));
    EXPECT_EQ(read_file(results.path() / "r/2026-09-15_22-13-00-local-wal-full/summary.md"), read_file(kSeedReport));
}

TEST(CommandLine, ExportsAnImportedDocumentAsItWas) {
    const TemporaryFolder results;
    ASSERT_EQ(foxbench({"import", kSeedDocument, "--results", results.file("r")}).exit_code, 0);
    const auto exported = foxbench({"export", "2026-09", "--results", results.file("r")});
    EXPECT_EQ(nlohmann::json::parse(exported.out), nlohmann::json::parse(read_file(kSeedDocument)));
    // What a run's folder has is the same document, and can be read without a store.
    EXPECT_EQ(foxbench({"render", results.file("r/2026-09-15_22-13-00-local-wal-full/run.json.zst")}).out,
              read_file(kSeedReport) + "\n");
}

TEST(CommandLine, ImportsTheSameDocumentOnce) {
    const TemporaryFolder results;
    const auto import = [&](const std::string& file) {
        return foxbench({"import", file, "--results", results.file("r")});
    };
    EXPECT_EQ(import(kSeedDocument).out, "2026-09-15_22-13-00-local-wal-full\n");
    const auto again = import(kSeedDocument);
    EXPECT_EQ(again.out, "2026-09-15_22-13-00-local-wal-full\n");
    EXPECT_THAT(again.err, HasSubstr("is there already"));
    EXPECT_EQ(import(kSeedReport).out, "2026-09-15_22-13-00-local-wal-full-2\n");
}

TEST(CommandLine, WritesEveryFormat) {
    EXPECT_THAT(foxbench({"render", kSeedDocument, "--format", "html"}).out, testing::StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(foxbench({"render", kSeedDocument, "--format", "csv"}).out, HasSubstr("small-append"));
    const auto json = Json::parse(foxbench({"render", kSeedDocument, "--format", "json"}).out);
    EXPECT_TRUE(json.is_object());
    EXPECT_THAT(foxbench({"render", kSeedDocument, "--table", "per-file"}).out,
                HasSubstr("| new-file: close | 10.7 ms | 2.1 s |"));
    const TemporaryFolder folder;
    EXPECT_EQ(foxbench({"render", kSeedDocument, "-o", folder.file("x.md")}).out, "");
    EXPECT_EQ(read_file(folder.file("x.md")), read_file(kSeedReport) + "\n");
}

TEST(CommandLine, ListsAndDeletes) {
    const TemporaryFolder results;
    ASSERT_EQ(foxbench({"import", kSeedDocument, "--results", results.file("r")}).exit_code, 0);
    const auto list = Json::parse(foxbench({"list", "--json", "--results", results.file("r")}).out);
    ASSERT_EQ(list.at("runs").size(), 1u);
    EXPECT_EQ(list.at("runs").at(0).at("state"), "completed");
    EXPECT_EQ(list.at("runs").at(0).at("targets").dump(), R"(["wal-full"])");
    EXPECT_TRUE(list.at("next").is_null());
    EXPECT_THAT(foxbench({"list", "--results", results.file("r")}).out,
                HasSubstr("2026-09-15_22-13-00-local-wal-full"));
    EXPECT_EQ(foxbench({"list", "--state", "failed", "--results", results.file("r")}).out, "");

    EXPECT_EQ(foxbench({"delete", "2026-09-15_22-13-00-local-wal-full", "--results", results.file("r")}).exit_code, 0);
    EXPECT_TRUE(Json::parse(foxbench({"list", "--json", "--results", results.file("r")}).out).at("runs").empty());
    EXPECT_FALSE(std::filesystem::exists(results.path() / "r/2026-09-15_22-13-00-local-wal-full"));
}

TEST(CommandLine, HelpHasExamplesForEveryCommand) {
    for (const char* command : {"run", "render", "export", "import", "list", "show", "delete", "doctor", "version"}) {
        const auto help = foxbench({command, "--help"});
        EXPECT_EQ(help.exit_code, 0) << command;
        EXPECT_THAT(help.out, HasSubstr("Examples:")) << command;
        EXPECT_THAT(help.out, HasSubstr(std::string("foxbench ") + command)) << command;
    }
    EXPECT_THAT(foxbench({"--help"}).out, HasSubstr("Exit codes:"));
    const auto run = foxbench({"run", "--workload", "opfs-sync-write", "--help"}).out;
    for (const char* option : {"--cases", "--calls", "--bytes", "--chunks", "--passes", "--files"})
        EXPECT_THAT(run, HasSubstr(option));
}

TEST(CommandLine, SaysItsVersionToProgramsToo) {
    EXPECT_EQ(Json::parse(foxbench({"version", "--json"}).out).at("document_version"), 1);
}

TEST(CommandLine, RefusesAWrongRunBeforeAnythingIsStored) {
    const TemporaryFolder folder;
    const auto run = [&](std::vector<std::string> options) {
        options.insert(options.begin(), "run");
        options.insert(options.end(), {"--results", folder.file("r")});
        return foxbench(std::move(options));
    };
    expect_refusal(run({"--preset", "quikc"}), "Did you mean 'quick'?");
    expect_refusal(run({"--workload", "opfs-sync-writ"}), "Did you mean 'opfs-sync-write'?");
    expect_refusal(run({"--targets", "firefx"}), "there is no target 'firefx'");
    expect_refusal(run({"--calls", "0"}), "calls: 0 is out of range, 1 to 1000000");
    expect_refusal(run({"--bytes", "65MiB"}), "bytes: 65 MiB is out of range");
    expect_refusal(run({"--chunks", "64KB"}), "chunks: '64KB' is no size");
    expect_refusal(run({"--cases", "small"}), "there is no case 'small'");
    expect_refusal(run({"--launches", "101"}), "launches: 101 is out of range, 1 to 100");
    expect_refusal(run({"--firefox", "/bin/ls"}), "/bin/ls is not a Firefox");
    expect_refusal(run({"--firefox", "/nonexistent"}), "no Firefox at /nonexistent");
    expect_refusal(run({"--firefox", "firefox", "--targets", "firefox"}), "exclude each other");
    expect_refusal(run({"--label", std::string(101, 'x')}), "label: at most 100 characters");
    expect_refusal(run({"--settle", "soon"}), "'soon' is no duration");
    expect_refusal(run({"--unknown"}), "--unknown");
    const auto config = folder.write("bad.yaml", "targets: {a: {binry: x}}\n");
    expect_refusal(run({"--config", config}), "bad.yaml:1:15: targets.a: unknown key 'binry'. Did you mean 'binary'?");
    EXPECT_TRUE(!std::filesystem::exists(folder.path() / "r/foxbench.db") ||
                Json::parse(foxbench({"list", "--json", "--results", folder.file("r")}).out).at("runs").empty());
}

TEST(CommandLine, RefusesFoldersAndFilesThatCannotBeUsed) {
    const TemporaryFolder folder;
    expect_refusal(foxbench({"run", "--results", "/proc/foxbench"}), "/proc/foxbench");
    expect_refusal(foxbench({"import", kSeedDocument, "--results", "/proc/foxbench"}), "/proc/foxbench");
    expect_refusal(foxbench({"list", "--results", folder.file("none")}), "there is no store in");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "none"));
    expect_refusal(foxbench({"render", folder.file("none.json")}), "none.json");
    expect_refusal(foxbench({"run", "--config", folder.file("none.yaml")}),
                   "cannot be read: No such file or directory");
}

TEST(CommandLine, RefusesDocumentsThatItCannotRead) {
    const TemporaryFolder folder;
    const auto import = [&](const std::string& text) {
        return foxbench({"import", folder.write("x", text), "--results", folder.file("r")});
    };
    expect_refusal(import(R"({"format": "foxbench-run", "version": 2})"), "use a newer foxbench");
    expect_refusal(import(R"({"format": "something"})"), "/format");
    expect_refusal(import("hello\n"), "neither a run document (JSON) nor a report");
    expect_refusal(import(""), "neither a run document (JSON) nor a report");
    expect_refusal(import("# OPFS sync write benchmark: x\n\nand nothing else\n"), "x:");
    expect_refusal(import(R"({"format": "foxbench-run",)"), "is not JSON");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "r/foxbench.db")) << "a refused import leaves no store behind";
}

TEST(CommandLine, RefusesWhatItDoesNotKnow) {
    const TemporaryFolder folder;
    ASSERT_EQ(foxbench({"import", kSeedDocument, "--results", folder.file("r")}).exit_code, 0);
    expect_refusal(foxbench({"shwo"}), "there is no command 'shwo'. Did you mean 'show'?");
    expect_refusal(foxbench({"show", "2027", "--results", folder.file("r")}), "there is no run \"2027\"");
    expect_refusal(foxbench({"show", "../x", "--results", folder.file("r")}), "is no run");
    expect_refusal(foxbench({"show", "--format", "xml", "--results", folder.file("r")}), "xml");
    expect_refusal(foxbench({"show", "--table", "x", "--results", folder.file("r")}), "per-call");
    expect_refusal(foxbench({"delete", "x", "--results", folder.file("r")}), "there is no run");
    expect_refusal(foxbench({"list", "--since", "soon", "--results", folder.file("r")}), "--since: 'soon' is no time");
    expect_refusal(foxbench({"list", "--state", "done", "--results", folder.file("r")}), "unknown state \"done\"");
}

}  // namespace
}  // namespace foxbench
