// What is left after the writing process was killed, and what several processes do to one store. The processes are
// real.

#include <set>

#include <gmock/gmock.h>

#include "service/store/child_process.hpp"
#include "service/store/store.hpp"
#include "service/store/test_support.hpp"

namespace foxbench::store {
namespace {

using document::RunState;

std::vector<double> recognisable(std::size_t index) {
    return std::vector<double>(500, static_cast<double>(index) + 0.5);
}

TEST(StoreCrash, KeepsEveryPassThatWasAnnounced) {
    const TemporaryFolder folder;
    for (const int announced_before_the_kill : {0, 1, 2, 7, 30}) {
        const std::string id = "run-killed-after-" + std::to_string(announced_before_the_kill);
        Child writer([&](int pipe) {
            Store store(folder.path());
            const std::string run = store.begin_run(skeleton(id));
            const document::Series series = series_named("small-append");
            say(pipe, 0);
            for (std::size_t index = 0;; ++index) {
                store.add_pass(run, {0, 0}, {0, series, index, pass_of(recognisable(index))});
                say(pipe, 1);
            }
        });
        ASSERT_TRUE(writer.hear());
        int announced = 0;
        while (announced < announced_before_the_kill && writer.hear()) ++announced;
        writer.kill();
        while (writer.hear()) ++announced;  // those between the decision and the kill

        Store store(folder.path());
        EXPECT_EQ(store.load(id).state, RunState::running) << "nobody has looked yet";
        EXPECT_THAT(store.recover(), ::testing::ElementsAre(id));
        const document::RunDocument document = store.load(id);
        std::size_t stored = 0;
        for (const auto& launch : document.targets[0].launches) {
            for (const auto& series : launch.series) {
                for (const auto& pass : series.passes) EXPECT_EQ(pass.latencies_us, recognisable(stored++));
            }
        }
        EXPECT_GE(stored, static_cast<std::size_t>(announced));
        EXPECT_LE(stored, static_cast<std::size_t>(announced) + 1) << "one may be stored and not announced";
        EXPECT_EQ(document.state, stored == 0 ? RunState::failed : RunState::partial);
        EXPECT_THAT(*document.reason, ::testing::HasSubstr("was gone before the run was finished"));
        EXPECT_THAT(store.recover(), ::testing::IsEmpty());
    }
}

TEST(StoreCrash, AWarmUpAloneIsAFailedRun) {
    const TemporaryFolder folder;
    Child writer([&](int pipe) {
        Store store(folder.path());
        const std::string run = store.begin_run(skeleton("run"));
        store.add_pass(run, {0, 0}, {0, series_named("s"), std::nullopt, pass_of({1})});
        say(pipe, 1);
        pause();
    });
    ASSERT_TRUE(writer.hear());
    writer.kill();
    Store store(folder.path());
    store.recover();
    EXPECT_EQ(store.load("run").state, RunState::failed);
    EXPECT_TRUE(store.load("run").targets[0].launches[0].series[0].warmup) << "nothing is lost";
}

TEST(StoreCrash, ARunThatIsBeingMeasuredIsLeftAlone) {
    const TemporaryFolder folder;
    Child writer([&](int pipe) {
        Store store(folder.path());
        store.begin_run(skeleton("run"));
        say(pipe, 1);
        pause();
    });
    ASSERT_TRUE(writer.hear());
    Store store(folder.path());
    EXPECT_THAT(store.recover(), ::testing::IsEmpty());
    EXPECT_EQ(store.load("run").state, RunState::running);
}

TEST(StoreCrash, TheEndOfTheLastPassIsTheEndOfTheRun) {
    const TemporaryFolder folder;
    Child writer([&](int pipe) {
        Store store(folder.path());
        const std::string run = store.begin_run(skeleton("run"));
        for (std::size_t i = 0; i < 2; ++i) {
            document::Pass pass = pass_of({1});
            pass.finished_at_ms = 1789535581982.25 + static_cast<double>(i);
            store.add_pass(run, {0, 0}, {0, series_named("s"), i, pass});
        }
        say(pipe, 1);
        pause();
    });
    ASSERT_TRUE(writer.hear());
    writer.kill();
    Store store(folder.path());
    store.recover();
    EXPECT_EQ(store.load("run").finished_at, "2026-09-16T05:13:01.983Z");
}

TEST(StoreProcesses, ThatStartAtOnceGetDifferentIdsAndOneStore) {
    const TemporaryFolder folder;
    constexpr int kProcesses = 4;
    constexpr int kRuns = 5;
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < kProcesses; ++i) {
        children.push_back(std::make_unique<Child>([&](int) {
            Store store(folder.path() / "results");
            for (int run = 0; run < kRuns; ++run) store.begin_run(skeleton("run"));
        }));
    }
    for (auto& child : children) EXPECT_EQ(child->wait(), 0);
    std::set<std::string> ids;
    for (const RunSummary& run : Store(folder.path() / "results").list().runs) ids.insert(run.id);
    EXPECT_EQ(ids.size(), static_cast<std::size_t>(kProcesses * kRuns));
    EXPECT_TRUE(ids.contains("run"));
    EXPECT_TRUE(ids.contains("run-" + std::to_string(kProcesses * kRuns)));
}

}  // namespace
}  // namespace foxbench::store
