#include "service/store/firings.hpp"

#include "service/store/child_process.hpp"
#include "service/store/job_samples.hpp"
#include "service/store/sqlite.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Firing firing_at(std::int64_t due_at_ms, const std::string& schedule = "nightly") {
    Firing firing;
    firing.schedule = schedule;
    firing.due_at_ms = due_at_ms;
    firing.recorded_at_ms = due_at_ms + 5;
    return firing;
}

Firing skipped_at(std::int64_t due_at_ms) {
    Firing firing = firing_at(due_at_ms);
    firing.outcome = kFiringSkipped;
    firing.reason = "the last run is not finished";
    return firing;
}

using StoreFirings = StoreTest;

TEST_F(StoreFirings, AreRecordedOnce) {
    Store other(path());
    EXPECT_TRUE(store_.record_firing(skipped_at(100)));
    EXPECT_FALSE(store_.record_firing(firing_at(100)));
    EXPECT_FALSE(other.record_firing(firing_at(100))) << "by another connection";
    EXPECT_FALSE(other.enqueue_firing(firing_at(100), job_named("run")));
    EXPECT_THAT(store_.queue(), IsEmpty()) << "no job without its firing";
    const auto firings = store_.firings("nightly", 10);
    ASSERT_EQ(firings.size(), 1u);
    EXPECT_EQ(firings[0].outcome, kFiringSkipped) << "the first one stays";
    EXPECT_TRUE(other.record_firing(firing_at(100, "weekly"))) << "another schedule at the same moment is another one";
}

TEST_F(StoreFirings, AreQueuedTogetherWithTheirJob) {
    NewJob job = job_named("run", JobClass::scheduled);
    job.schedule = "nightly";
    Firing late = firing_at(100);
    late.reason = "3 min late";
    EXPECT_EQ(store_.enqueue_firing(late, job), "run");
    EXPECT_FALSE(store_.enqueue_firing(late, job));
    EXPECT_EQ(store_.queue().size(), 1u);
    EXPECT_EQ(store_.enqueue_firing(firing_at(200), job), "run-2");

    const auto firings = Store(path()).firings("nightly", 10);
    ASSERT_EQ(firings.size(), 2u);
    EXPECT_EQ(firings[0].due_at_ms, 200) << "newest first";
    EXPECT_EQ(firings[1].run, "run");
    EXPECT_EQ(firings[1].outcome, kFiringQueued);
    EXPECT_EQ(firings[1].reason, "3 min late");
    EXPECT_EQ(firings[1].recorded_at_ms, 105);
}

TEST_F(StoreFirings, OfAJobThatCannotBeStoredAreNotRecorded) {
    refusal(ErrorCode::usage, [&] { store_.enqueue_firing(firing_at(100), job_named("..")); });
    EXPECT_THAT(store_.firings("nightly", 10), IsEmpty());
    EXPECT_FALSE(store_.last_firing("nightly", 1000));
}

TEST_F(StoreFirings, AreListedNewestFirstAndKnowTheLast) {
    for (const std::int64_t due : {300, 100, 200}) store_.record_firing(skipped_at(due));
    EXPECT_EQ(store_.last_firing("nightly", 1000), 300);
    EXPECT_FALSE(store_.last_firing("weekly", 1000));
    const auto newest = store_.firings("nightly", 2);
    ASSERT_EQ(newest.size(), 2u);
    EXPECT_EQ(newest[0].due_at_ms, 300);
    EXPECT_EQ(newest[1].due_at_ms, 200);
}

TEST_F(StoreFirings, OldOnesOfTheScheduleAreForgotten) {
    static_assert(kKeptFirings == 10'000);
    store_.record_firing(firing_at(1, "weekly"));
    Database(path() / "foxbench.db", false)
        .execute({"store many",
                  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
                  "INSERT INTO firings (schedule, due_at_ms, outcome, recorded_at_ms) "
                  "SELECT 'nightly', i, 'skipped', i FROM n"});
    store_.record_firing(firing_at(10'001));
    const auto left = store_.firings("nightly", 20'000);
    EXPECT_EQ(left.size(), 10'000u);
    EXPECT_EQ(left.back().due_at_ms, 2);
    EXPECT_EQ(store_.firings("weekly", 10).size(), 1u) << "another schedule's stay";
}

TEST_F(StoreFirings, StayWhenTheirRunIsRemoved) {
    store_.enqueue_firing(firing_at(100), job_named("run"));
    store_.finish_run("run", document::RunState::cancelled, "cancelled", std::nullopt);
    store_.remove("run");
    EXPECT_EQ(store_.firings("nightly", 1).at(0).run, "run");
}

TEST_F(StoreFirings, AreRecordedOnceByProcessesThatRace) {
    constexpr int kFirings = 30;
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < 2; ++i) {
        children.push_back(std::make_unique<Child>([&](int pipe) {
            Store store(path());
            for (std::int64_t due = 1; due <= kFirings; ++due) {
                if (store.enqueue_firing(firing_at(due), job_named("run"))) say(pipe, 1);
            }
        }));
    }
    int queued = 0;
    for (auto& child : children) {
        while (child->hear()) ++queued;
        EXPECT_EQ(child->wait(), 0);
    }
    EXPECT_EQ(queued, kFirings);
    EXPECT_EQ(store_.queue().size(), static_cast<std::size_t>(kFirings));
}

TEST_F(StoreFirings, OfAClockThatRanAheadHoldNothing) {
    for (const std::int64_t due : {100, 9000}) store_.record_firing(skipped_at(due));
    EXPECT_EQ(store_.last_firing("nightly", 1000), 100);
    EXPECT_EQ(store_.last_firing("nightly", 9000), 9000);
    store_.set_paused("nightly", true);
    EXPECT_EQ(store_.schedule_state("weekly", "0 2 * * 0", 9000).known_since_ms, 9000);
    EXPECT_EQ(store_.schedule_state("weekly", "0 2 * * 0", 1000).known_since_ms, 1000);
    EXPECT_EQ(store_.schedule_state("weekly", "0 2 * * 0", 9500).known_since_ms, 1000);
    EXPECT_TRUE(store_.schedule_state("nightly", "0 2 * * *", 0).paused) << "nothing else of it is changed";
}

TEST_F(StoreFirings, ScheduleIsKnownSinceItWasFirstSeen) {
    const ScheduleState first = store_.schedule_state("nightly", "0 2 * * *", 1000);
    EXPECT_FALSE(first.paused);
    EXPECT_EQ(first.known_since_ms, 1000);
    store_.set_paused("nightly", true);
    const ScheduleState later = Store(path()).schedule_state("nightly", "0 2 * * *", 2000);
    EXPECT_TRUE(later.paused) << "across restarts";
    EXPECT_EQ(later.known_since_ms, 1000);
    store_.set_paused("nightly", false);
    EXPECT_FALSE(store_.schedule_state("nightly", "0 2 * * *", 3000).paused);
    store_.set_paused("never seen", true);
    EXPECT_TRUE(store_.schedule_state("never seen", "0 2 * * *", 3000).paused);
}

TEST_F(StoreFirings, ScheduleThatWasEditedIsKnownSinceThen) {
    EXPECT_EQ(store_.schedule_state("nightly", "0 2 * * * UTC", 1000).known_since_ms, 1000);
    EXPECT_EQ(store_.schedule_state("weekly", "0 2 * * * UTC", 1000).known_since_ms, 1000);
    store_.set_paused("nightly", true);
    const auto edited = Store(path()).schedule_state("nightly", "0 3 * * * UTC", 2000);
    EXPECT_EQ(edited.known_since_ms, 2000);
    EXPECT_TRUE(edited.paused) << "it is still the same schedule";
    EXPECT_EQ(store_.schedule_state("nightly", "0 3 * * * UTC", 3000).known_since_ms, 2000);
    EXPECT_EQ(store_.schedule_state("nightly", "0 2 * * * UTC", 4000).known_since_ms, 4000) << "and back";
    EXPECT_EQ(store_.schedule_state("weekly", "0 2 * * * UTC", 4000).known_since_ms, 1000) << "another one";
}

TEST_F(StoreFirings, ScheduleThatCameBackIsANewOne) {
    for (const char* name : {"nightly", "it's", "weekly"}) {
        static_cast<void>(store_.schedule_state(name, "0 2 * * *", 1000));
        store_.set_paused(name, true);
    }
    store_.record_firing(skipped_at(900));
    store_.forget_schedules_but({"it's", "weekly", "never seen"});
    const auto back = store_.schedule_state("nightly", "0 2 * * *", 2000);
    EXPECT_EQ(back.known_since_ms, 2000);
    EXPECT_FALSE(back.paused);
    EXPECT_EQ(store_.firings("nightly", 10).size(), 1u) << "what became of its firings stays";
    for (const char* name : {"it's", "weekly"}) {
        EXPECT_EQ(store_.schedule_state(name, "0 2 * * *", 2000).known_since_ms, 1000) << name;
        EXPECT_TRUE(store_.schedule_state(name, "0 2 * * *", 2000).paused) << name;
    }
    store_.forget_schedules_but({});
    EXPECT_EQ(store_.schedule_state("weekly", "0 2 * * *", 3000).known_since_ms, 3000);
}

TEST_F(StoreFirings, ScheduleOfAnOlderFoxbenchCountsAsUnchanged) {
    Database(path() / "foxbench.db", false)
        .execute({"", "INSERT INTO schedules (name, paused, known_since_ms) VALUES ('nightly', 1, 1000)"});
    EXPECT_EQ(store_.schedule_state("nightly", "0 2 * * *", 2000).known_since_ms, 1000);
    EXPECT_EQ(store_.schedule_state("nightly", "0 3 * * *", 3000).known_since_ms, 3000);
}

}  // namespace
}  // namespace foxbench::store
