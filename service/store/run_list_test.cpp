// Which runs are listed, in which order, and which one a user means. Through Store, whose list() and resolve() these
// are.

#include <functional>

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/store/store.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using document::RunDocument;
using document::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ListTest : public StoreTest {
protected:
    /// run-0 is the oldest. States, targets, hosts and labels take turns.
    ListTest() {
        for (int i = 0; i < 6; ++i) {
            RunDocument document = skeleton("run-" + std::to_string(i), i % 2 == 0 ? "firefox" : "wal-full");
            document.state = i % 3 == 0 ? RunState::partial : RunState::completed;
            document.started_at = "2026-09-1" + std::to_string(i) + "T00:00:00.000Z";
            document.label = i < 3 ? "early" : "late";
            document.host.emplace().name = i == 5 ? "lab-5" : "lab-3";
            document.trigger = document::Json::object({{"kind", i == 4 ? "schedule" : "cli"}, {"name", "nightly"}});
            if (i == 1) document.workload = "other";
            store_.import_document(document);
        }
    }

    [[nodiscard]] std::vector<std::string> listed(const std::function<void(RunFilter&)>& set) const {
        RunFilter filter;
        set(filter);
        return ids_of(store_.list(filter));
    }
};

TEST_F(ListTest, HasTheNewestFirst) {
    EXPECT_THAT(ids_of(store_.list()), ElementsAre("run-5", "run-4", "run-3", "run-2", "run-1", "run-0"));
    EXPECT_EQ(store_.list().next, std::nullopt);
}

TEST_F(ListTest, ShowsTheFactsOfARun) {
    const RunSummary run = store_.load_summary("run-4");
    EXPECT_EQ(run.state, RunState::completed);
    EXPECT_EQ(run.workload, "opfs-sync-write");
    EXPECT_EQ(run.label, "late");
    EXPECT_THAT(run.targets, ElementsAre("firefox"));
    EXPECT_EQ(run.host, "lab-3");
    EXPECT_EQ(run.trigger_kind, "schedule");
    EXPECT_EQ(run.trigger_name, "nightly");
    EXPECT_EQ(run.preset, "quick");
    EXPECT_EQ(run.started_at, "2026-09-14T00:00:00.000Z");
}

TEST_F(ListTest, IsFiltered) {
    EXPECT_THAT(listed([](RunFilter& f) { f.state = RunState::partial; }), ElementsAre("run-3", "run-0"));
    EXPECT_THAT(listed([](RunFilter& f) { f.workload = "other"; }), ElementsAre("run-1"));
    EXPECT_THAT(listed([](RunFilter& f) { f.target = "wal-full"; }), ElementsAre("run-5", "run-3", "run-1"));
    EXPECT_THAT(listed([](RunFilter& f) { f.label = "early"; }), ElementsAre("run-2", "run-1", "run-0"));
    EXPECT_THAT(listed([](RunFilter& f) { f.host = "lab-5"; }), ElementsAre("run-5"));
    EXPECT_THAT(listed([](RunFilter& f) { f.trigger = "schedule"; }), ElementsAre("run-4"));
    EXPECT_THAT(listed([](RunFilter& f) {
                    f.since_ms = 1789257600000;
                    f.until_ms = 1789430400000;
                }),
                ElementsAre("run-4", "run-3"));
    EXPECT_THAT(listed([](RunFilter& f) {
                    f.target = "firefox";
                    f.state = RunState::completed;
                    f.label = "late";
                }),
                ElementsAre("run-4"));
    EXPECT_THAT(listed([](RunFilter& f) { f.label = "' OR 1 --"; }), IsEmpty());
}

TEST_F(ListTest, ComesInPagesThatStayTheSameWhenNewRunsArrive) {
    RunFilter any, of_target;
    any.limit = of_target.limit = 2;
    of_target.target = "firefox";
    any.cursor = store_.list(any).next;
    of_target.cursor = store_.list(of_target).next;
    RunDocument newer = skeleton("newer");
    newer.started_at = "2027-01-01T00:00:00Z";
    store_.import_document(newer);
    EXPECT_THAT(ids_of(store_.list(any)), ElementsAre("run-3", "run-2"));
    EXPECT_THAT(ids_of(store_.list(of_target)), ElementsAre("run-0"));
}

TEST_F(ListTest, ComesInPagesAlsoWithinOneMillisecond) {
    for (int i = 0; i < 5; ++i) {
        RunDocument document = skeleton("same-" + std::to_string(i));
        document.state = RunState::completed;
        document.label = "same";
        document.started_at = "2020-01-01T00:00:00.000Z";
        store_.import_document(document);
    }
    RunFilter filter;
    filter.label = "same";
    filter.limit = 2;
    std::vector<std::string> ids;
    do {
        const RunPage page = store_.list(filter);
        for (const std::string& id : ids_of(page)) ids.push_back(id);
        filter.cursor = page.next;
    } while (filter.cursor);
    EXPECT_THAT(ids, ElementsAre("same-4", "same-3", "same-2", "same-1", "same-0"));
}

TEST_F(ListTest, RefusesBadLimitsAndCursors) {
    for (const std::size_t limit : {std::size_t{0}, kMaxListLimit + 1}) {
        refusal(ErrorCode::usage, [&] { (void)listed([&](RunFilter& f) { f.limit = limit; }); });
    }
    for (const char* cursor : {"", "x", "1", "1.", "1.2x", ".", "99999999999999999999.1", "1.2; DROP TABLE runs"}) {
        EXPECT_THAT(refusal(ErrorCode::usage, [&] { (void)listed([&](RunFilter& f) { f.cursor = cursor; }); }),
                    HasSubstr("is no cursor"));
    }
}

TEST_F(ListTest, MovesARunWhoseStartBecomesKnown) {
    RunDocument document = skeleton("moved", "wal-full");
    store_.begin_run(document);
    EXPECT_EQ(store_.list().runs.front().id, "moved");
    document.started_at = "2026-09-14T12:00:00Z";
    store_.update_run(document);
    EXPECT_EQ(ids_of(store_.list()).at(1), "moved");
    EXPECT_EQ(listed([](RunFilter& f) { f.target = "wal-full"; }).at(1), "moved");
}

// ---- naming a run ----

TEST_F(ListTest, ResolvesWhatAUserMeans) {
    EXPECT_EQ(store_.resolve("run-3"), "run-3");
    EXPECT_EQ(store_.resolve("latest"), "run-5");
    store_.import_document(skeleton("2026-09-20_10-00-00-x"));
    EXPECT_EQ(store_.resolve("2026"), "2026-09-20_10-00-00-x");
}

TEST_F(ListTest, PrefersTheIdOverWhatItBegins) {
    store_.import_document(skeleton("run-3-2"));
    EXPECT_EQ(store_.resolve("run-3"), "run-3");
}

TEST_F(ListTest, NamesTheCandidatesOfABeginningOfSeveral) {
    EXPECT_EQ(refusal(ErrorCode::usage, [&] { (void)store_.resolve("run"); }),
              "\"run\" begins several runs: run-0, run-1, run-2, run-3, run-4 and 1 more; write more of it");
}

TEST_F(ListTest, NamesTheNearestOfWhatIsNotThere) {
    EXPECT_THAT(refusal(ErrorCode::not_found, [&] { (void)store_.resolve("rum-4"); }),
                HasSubstr("the nearest is run-4"));
    for (const char* text : {"", "../run-1", "a b", "%", "_un-1"}) {
        EXPECT_THAT(refusal(ErrorCode::usage, [&] { (void)store_.resolve(text); }), HasSubstr("is no run: expected"))
            << text;
    }
}

}  // namespace
}  // namespace foxbench::store
