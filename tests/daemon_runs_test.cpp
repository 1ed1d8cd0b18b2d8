// Stored runs by the command line: the same through a daemon as on the store itself.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/store/sqlite.hpp"
#include "service/store/store.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace foxbench {
namespace {

using client::Json;
using testing::HasSubstr;
using testing_support::Daemon;
using testing_support::DaemonTest;
using testing_support::foxbench;
using testing_support::read_file;
using testing_support::Result;

const std::string kSeedDocument = FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/run.json";
const std::string kSeedReport = FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/summary.md";

class StoredRunsTest : public DaemonTest {
protected:
    ~StoredRunsTest() override { unsetenv("FOXBENCH_URL"); }

    Result through_daemon(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--url", daemon_->url()});
        return foxbench(std::move(arguments));
    }
    Result on_store(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--results", folder_.file("results")});
        return foxbench(std::move(arguments));
    }
    void expect_same(const std::vector<std::string>& arguments) const {
        const auto asked = through_daemon(arguments);
        const auto read = on_store(arguments);
        EXPECT_EQ(asked.exit_code, 0) << asked.err;
        EXPECT_EQ(asked.out, read.out) << arguments.front();
        EXPECT_EQ(asked.exit_code, read.exit_code) << arguments.front();
    }
};

TEST_F(StoredRunsTest, AreReadThroughTheDaemonAsFromTheStore) {
    EXPECT_EQ(through_daemon({"import", kSeedDocument, kSeedReport}).out,
              "2026-09-15_22-13-00-local-wal-full\n2026-09-15_22-13-00-local-wal-full-2\n");
    const auto again = through_daemon({"import", kSeedDocument, "--json"});
    EXPECT_TRUE(Json::parse(again.out).at(0).at("already_there").get<bool>());

    expect_same({"list"});
    expect_same({"list", "--json"});
    expect_same({"list", "--json", "--limit", "1"});
    expect_same({"list", "--json", "--state", "completed", "--target", "wal-full", "--since", "2026-09-01"});
    expect_same({"list", "--json", "--label", "a & b=c"});
    const auto page = Json::parse(through_daemon({"list", "--json", "--limit", "1"}).out);
    expect_same({"list", "--json", "--cursor", page.at("next").get<std::string>()});

    expect_same({"show"});
    expect_same({"show", "2026-09-15_22-13-00-local-wal-full", "--table", "per-file", "--format", "csv"});
    expect_same({"show", "latest", "--json"});
    expect_same({"show", "latest", "--format", "html"});
    expect_same({"export", "latest"});
    expect_same({"export", "latest", "--pretty"});
    EXPECT_EQ(through_daemon({"show", "2026", "-o", folder_.file("x.md")}).exit_code, 2) << "begins both";
    EXPECT_EQ(through_daemon({"show", "2026-09-15_22-13-00-local-wal-full-", "-o", folder_.file("x.md")}).exit_code, 0);
    EXPECT_EQ(read_file(folder_.file("x.md")), read_file(kSeedReport)) << "the one with this beginning";
}

TEST_F(StoredRunsTest, AreRefusedThroughTheDaemonAsByTheStore) {
    ASSERT_EQ(through_daemon({"import", kSeedDocument}).exit_code, 0);
    const std::vector<std::vector<std::string>> wrong{{"show", "2027"},
                                                      {"show", "../x"},
                                                      {"show", "x y?z#"},
                                                      {"show", "--format", "xml"},
                                                      {"show", "--table", "x"},
                                                      {"export", "2027"},
                                                      {"delete", "2027"},
                                                      {"list", "--since", "soon"},
                                                      {"list", "--state", "done"},
                                                      {"list", "--cursor", "x"},
                                                      {"import", folder_.write("x", "hello\n")}};
    for (const auto& arguments : wrong) {
        const auto asked = through_daemon(arguments);
        EXPECT_EQ(asked.exit_code, 2) << arguments.front() << " " << arguments.back() << ": " << asked.err;
        EXPECT_EQ(asked.exit_code, on_store(arguments).exit_code);
        EXPECT_EQ(asked.out, "");
        EXPECT_TRUE(asked.err.starts_with("foxbench: ")) << asked.err;
    }
    EXPECT_THAT(through_daemon({"show", "2027"}).err, HasSubstr("the nearest is 2026-09-15_22-13-00-local-wal-full"));
    EXPECT_EQ(foxbench({"list", "--url", "http://127.0.0.1:9"}).exit_code, 1);
}

TEST_F(StoredRunsTest, AreDeletedThroughTheDaemonAllOrNone) {
    const auto first = import_seed();
    ASSERT_EQ(through_daemon({"import", kSeedReport}).exit_code, 0);
    EXPECT_EQ(through_daemon({"delete", first, "nothing"}).exit_code, 2);
    EXPECT_EQ(through_daemon({"show", first}).exit_code, 0);
    EXPECT_EQ(through_daemon({"delete", first, "latest", first}).out, first + "\n" + first + "-2\n");
    EXPECT_EQ(through_daemon({"list"}).out, "");
    EXPECT_FALSE(std::filesystem::exists(folder_.file("results/" + first)));
}

TEST_F(StoredRunsTest, OfANamedFolderAreThatFoldersOwn) {
    ASSERT_EQ(foxbench({"import", kSeedDocument, "--results", folder_.file("other")}).exit_code, 0);
    // The daemon's for whoever names no store, and never in place of a store that was named.
    ASSERT_EQ(setenv("FOXBENCH_URL", daemon_->url().c_str(), 1), 0);
    EXPECT_EQ(foxbench({"list"}).out, "");
    EXPECT_THAT(foxbench({"list", "--results", folder_.file("other")}).out, HasSubstr("local-wal-full"));
    EXPECT_EQ(foxbench({"delete", "latest", "--results", folder_.file("other")}).exit_code, 0);
    const auto both = foxbench({"list", "--url", daemon_->url(), "--results", folder_.file("other")});
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_THAT(both.err, HasSubstr("--url and --results exclude each other"));
}

TEST_F(StoredRunsTest, OfTheConfigurationsDaemonAreAskedForWithItsOwnToken) {
    const auto port = daemon_->url().substr(daemon_->url().rfind(':') + 1);
    daemon_.reset();
    const auto config = folder_.write("guarded.yaml", "server: {listen: '127.0.0.1:" + port +
                                                          "', token_file: tokens}\n"
                                                          "results: guarded\n"
                                                          "workloads: " FOXBENCH_SOURCE_DIR "/workloads\n");
    const auto tokens = folder_.write("tokens", "read 0123456789abcdef\nrun fedcba9876543210\n");
    std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
    // Without a daemon the store itself, with it the same by its way.
    EXPECT_EQ(foxbench({"import", kSeedReport, "--config", config}).exit_code, 0);
    daemon_ = std::make_unique<Daemon>(config);
    const auto imported = foxbench({"import", kSeedDocument, "--config", config});
    EXPECT_EQ(imported.exit_code, 0) << imported.err;
    daemon_->program().wait_for("run.imported");
    EXPECT_EQ(foxbench({"show", "latest", "--config", config}).exit_code, 0);
    EXPECT_EQ(foxbench({"list", "--url", daemon_->url()}).exit_code, 2) << "whoever names one has to have the token";
}

TEST_F(StoredRunsTest, ThatAnotherProcessChangesAreNotServedFromMemory) {
    const auto seed = import_seed();
    const std::string report = "/v1/runs/" + seed + "/report";
    const auto before = curl({report});
    EXPECT_EQ(curl({report}), before);

    ASSERT_EQ(on_store({"delete", seed}).exit_code, 0);
    EXPECT_EQ(status({report}), "404");
    auto other = Json::parse(read_file(kSeedDocument));
    other["note"] = "Measured anew.";
    ASSERT_EQ(on_store({"import", folder_.write("other.json", other.dump())}).out, seed + "\n");
    EXPECT_THAT(curl({report}), HasSubstr("Measured anew."));
    EXPECT_EQ(curl({"/v1/runs/latest/report"}), curl({report}));

    const auto config = folder_.write("prune.yaml", "results: results\nretention: {samples: 1s}\n");
    ASSERT_THAT(foxbench({"prune", "--config", config}).err, HasSubstr("1 gone"));
    EXPECT_EQ(curl({report + "?format=json"}), on_store({"show", seed, "--json"}).out);
    EXPECT_EQ(curl({report}), on_store({"show", seed}).out);
}

TEST_F(StoredRunsTest, WhoseProcessWasKilledAreEndedByTheDaemon) {
    store::Store beside(folder_.file("results"));
    document::RunDocument skeleton;
    skeleton.id = "killed";
    skeleton.workload = "opfs-sync-write";
    skeleton.targets.emplace_back().name = "firefox";
    const auto run = beside.begin_run(skeleton);
    EXPECT_EQ(Json::parse(curl({"/v1/runs/" + run})).at("state"), "running");
    store::Database(folder_.file("results/foxbench.db"), false)
        .execute({"let its process be gone", "UPDATE runs SET owner = 'gone' WHERE id = 'killed'"});
    // The next job, at the latest, has it looked for.
    static_cast<void>(daemon_->start_run(Json::object()));
    daemon_->wait_for_state(run, "failed");
    EXPECT_THAT(curl({"/v1/runs/" + run}), HasSubstr("was gone before the run was finished"));
    EXPECT_TRUE(std::filesystem::exists(folder_.file("results/killed/summary.md")));
}

}  // namespace
}  // namespace foxbench
