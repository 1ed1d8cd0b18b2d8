#include "service/store/queue.hpp"

#include <limits>
#include <set>

#include "service/store/child_process.hpp"
#include "service/store/job_samples.hpp"
#include "service/store/sqlite.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using document::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> ids_of(const std::vector<Job>& jobs) {
    std::vector<std::string> ids;
    for (const Job& job : jobs) ids.push_back(job.run);
    return ids;
}

class StoreQueue : public StoreTest {
protected:
    /// Claims all there is.
    std::vector<std::string> claimed() {
        std::vector<std::string> ids;
        while (const auto job = store_.claim_next()) ids.push_back(job->run);
        return ids;
    }
};

TEST_F(StoreQueue, QueuesARunThatIsListedAndRemembersWhatItWasAskedFor) {
    NewJob job = job_named("run", JobClass::scheduled, 1789535581982);
    job.schedule = "nightly";
    job.request = document::Json::object({{"workload", "opfs-sync-write"}, {"targets", {"a", "b"}}, {"launches", 5}});
    EXPECT_EQ(store_.enqueue(job), "run");

    const RunSummary summary = store_.load_summary("run");
    EXPECT_EQ(summary.state, RunState::queued);
    EXPECT_EQ(summary.listed_at_ms, 1789535581982);
    EXPECT_THAT(summary.targets, ElementsAre("firefox"));
    RunFilter queued;
    queued.state = RunState::queued;
    EXPECT_THAT(foxbench::store::ids_of(store_.list(queued)), ElementsAre("run"));

    const auto stored = Store(path()).job_of("run");
    ASSERT_TRUE(stored);
    EXPECT_EQ(stored->run, "run");
    EXPECT_EQ(stored->job_class, JobClass::scheduled);
    EXPECT_EQ(stored->queued_at_ms, 1789535581982);
    EXPECT_EQ(stored->schedule, "nightly");
    EXPECT_EQ(stored->request.dump(), job.request.dump()) << "with its members in order";
    EXPECT_EQ(stored->attempts, 0);
}

TEST_F(StoreQueue, IsOrderedByClassThenPriorityThenTime) {
    constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
    store_.enqueue(job_named("nightly-2", JobClass::scheduled, 20));
    store_.enqueue(job_named("nightly-1", JobClass::scheduled, 10));
    store_.enqueue(job_named("nightly-urgent", JobClass::scheduled, 30, 99));
    store_.enqueue(job_named("manual-late", JobClass::manual, 40));
    store_.enqueue(job_named("manual-early", JobClass::manual, 35));
    store_.enqueue(job_named("manual-lowest", JobClass::manual, 1, kLowest));
    store_.enqueue(job_named("manual-high", JobClass::manual, 50, 5));
    store_.enqueue(job_named("confirm-2", JobClass::confirmation, 60));
    store_.enqueue(job_named("confirm-1", JobClass::confirmation, 60)) /* the same moment: first come */;
    const std::vector<std::string> order = {"confirm-2",     "confirm-1", "manual-high", "manual-early",  "manual-late",
                                            "manual-lowest", "nightly-1", "nightly-2",   "nightly-urgent"};
    EXPECT_EQ(ids_of(store_.queue()), order);
    EXPECT_EQ(store_.oldest_queued_at_ms(), 1);
    EXPECT_EQ(claimed(), order);
    EXPECT_THAT(store_.queue(), IsEmpty());
    EXPECT_FALSE(store_.oldest_queued_at_ms());
    EXPECT_FALSE(store_.claim_next());
}

TEST_F(StoreQueue, GivesSuffixesWhereIdsAreTaken) {
    EXPECT_EQ(store_.begin_run(skeleton("run")), "run");
    EXPECT_EQ(store_.enqueue(job_named("run")), "run-2");
    EXPECT_EQ(store_.enqueue(job_named("run")), "run-3");
    EXPECT_EQ(store_.begin_run(skeleton("run")), "run-4");
    refusal(ErrorCode::usage, [&] { store_.enqueue(job_named("../run")); });
}

TEST_F(StoreQueue, AClaimedJobIsARunThatIsMeasured) {
    store_.enqueue(job_named("run"));
    const auto job = store_.claim_next();
    ASSERT_TRUE(job);
    EXPECT_EQ(job->run, "run");
    EXPECT_EQ(job->attempts, 1);
    EXPECT_EQ(store_.load("run").state, RunState::running);
    EXPECT_THAT(store_.recover(), IsEmpty()) << "this process is there";
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { store_.remove("run"); }), HasSubstr("is being measured"));

    document::RunDocument begun = skeleton("run");
    begun.started_at = "2026-09-16T05:13:01.982Z";
    store_.update_run(begun);
    EXPECT_EQ(store_.load_summary("run").listed_at_ms, 1789535581982) << "from now on by its start";
    store_.add_pass("run", {0, 0}, {0, series_named("s"), 0, pass_of({1})});
    store_.finish_run("run", RunState::completed, std::nullopt, "2026-09-16T05:23:01.982Z");
    EXPECT_EQ(store_.load("run").state, RunState::completed);
    EXPECT_EQ(store_.job_of("run")->request.dump(), job->request.dump()) << "for a rerun";
    EXPECT_FALSE(store_.claim_next());
}

TEST_F(StoreQueue, HasNoJobOfOtherRuns) {
    store_.begin_run(skeleton("run"));
    EXPECT_FALSE(store_.job_of("run"));
    EXPECT_FALSE(store_.job_of("nope"));
    document::RunDocument imported = skeleton("imported");
    imported.state = RunState::queued;
    store_.import_document(imported);
    EXPECT_THAT(store_.queue(), IsEmpty()) << "a document alone is no job";
    EXPECT_FALSE(store_.claim_next());
}

TEST_F(StoreQueue, AQueuedRunIsCancelledAndThenRemoved) {
    store_.enqueue(job_named("run"));
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { store_.remove("run"); }), HasSubstr("waits in the queue"));
    store_.finish_run("run", RunState::cancelled, "cancelled before it began", std::nullopt);
    EXPECT_EQ(store_.load("run").state, RunState::cancelled);
    EXPECT_FALSE(store_.claim_next());
    store_.remove("run");
    EXPECT_FALSE(store_.job_of("run"));
}

TEST_F(StoreQueue, KnowsWhetherAScheduleHasUnfinishedJobs) {
    NewJob job = job_named("run", JobClass::scheduled);
    job.schedule = "nightly";
    EXPECT_FALSE(store_.has_unfinished_job("nightly"));
    store_.enqueue(job);
    EXPECT_TRUE(store_.has_unfinished_job("nightly")) << "waiting";
    EXPECT_FALSE(store_.has_unfinished_job("weekly"));
    store_.claim_next();
    EXPECT_TRUE(store_.has_unfinished_job("nightly")) << "running";
    store_.finish_run("run", RunState::failed, "no browser", std::nullopt);
    EXPECT_FALSE(store_.has_unfinished_job("nightly"));
}

TEST_F(StoreQueue, CountsRunsByState) {
    EXPECT_THAT(store_.count_by_state(), IsEmpty());
    for (const char* id : {"a", "b", "c"}) store_.enqueue(job_named(id));
    store_.claim_next();
    using Count = std::pair<const RunState, std::int64_t>;
    EXPECT_THAT(store_.count_by_state(), ElementsAre(Count{RunState::queued, 2}, Count{RunState::running, 1}));
}

TEST_F(StoreQueue, TellsHowLongPastRunsTook) {
    const auto store = [&](const std::string& id, const char* end, RunState state, const char* preset = "quick") {
        document::RunDocument run = skeleton(id);
        run.started_at = "2026-09-16T05:00:0" + std::to_string(id.size()) + ".000Z";
        run.finished_at = end;
        run.state = state;
        run.config["preset"] = preset;
        run.targets[0].launches.resize(2);
        run.targets.push_back(run.targets[0]);
        run.targets[1].name = "other";
        store_.import_document(run);
    };
    store("a", "2026-09-16T05:01:01.500Z", RunState::completed);
    store("bb", "2026-09-16T05:02:02.000Z", RunState::completed);
    store("ccc", "2026-09-16T05:03:00.000Z", RunState::partial);
    store("dddd", "2026-09-16T05:03:00.000Z", RunState::completed, "full");
    const auto past = store_.past_durations("opfs-sync-write", "quick", 10);
    ASSERT_EQ(past.size(), 2u);
    EXPECT_EQ(past[0].seconds, 120) << "the newest first";
    EXPECT_EQ(past[1].seconds, 60.5);
    EXPECT_EQ(past[1].launches_of_all_targets, 4);
    EXPECT_EQ(store_.past_durations("opfs-sync-write", "quick", 1).size(), 1u);
    EXPECT_THAT(store_.past_durations("another", "quick", 10), IsEmpty());
}

TEST_F(StoreQueue, LooksForPastRunsAmongTheNewestThousand) {
    document::RunDocument run = skeleton("old");
    run.started_at = "2026-09-16T05:00:00.000Z";
    run.finished_at = "2026-09-16T05:01:00.000Z";
    run.state = RunState::completed;
    run.targets[0].launches.resize(1);
    store_.import_document(run);
    Database database(path() / "foxbench.db", false);
    database.execute({"store newer ones",
                      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
                      "INSERT INTO runs (id, source_id, state, workload, listed_at_ms, document) "
                      "SELECT 'new-' || i, 'new', 'failed', workload, listed_at_ms + i, document FROM runs, n"});
    EXPECT_EQ(store_.past_durations("opfs-sync-write", "quick", 10).size(), 1u);
    database.execute(
        {"store one more",
         "INSERT INTO runs (id, source_id, state, workload, listed_at_ms, document) "
         "SELECT 'one-more', 'new', 'failed', workload, listed_at_ms + 1, document FROM runs WHERE id = 'old'"});
    EXPECT_THAT(store_.past_durations("opfs-sync-write", "quick", 10), IsEmpty());
}

// ---- several processes ----

TEST(StoreQueueProcesses, ClaimEachJobOnce) {
    const TemporaryFolder folder;
    constexpr int kJobs = 40;
    Store store(folder.path());
    for (int i = 0; i < kJobs; ++i) store.enqueue(job_named("run-" + std::to_string(i)));
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < 3; ++i) {
        children.push_back(std::make_unique<Child>([&](int pipe) {
            Store own(folder.path());
            while (const auto job = own.claim_next())
                say(pipe, static_cast<unsigned char>(std::stoi(job->run.substr(4))));
        }));
    }
    std::multiset<int> claimed;
    for (auto& child : children) {
        while (const auto heard = child->hear()) claimed.insert(*heard);
        EXPECT_EQ(child->wait(), 0);
    }
    EXPECT_EQ(claimed.size(), static_cast<std::size_t>(kJobs));
    EXPECT_EQ(std::set<int>(claimed.begin(), claimed.end()).size(), static_cast<std::size_t>(kJobs));
}

TEST(StoreQueueProcesses, TheQueueOutlivesAKill) {
    const TemporaryFolder folder;
    Child daemon([&](int pipe) {
        Store store(folder.path());
        for (const char* id : {"first", "second", "third"}) store.enqueue(job_named(id));
        const auto job = store.claim_next();
        store.add_pass(job->run, {0, 0}, {0, series_named("s"), 0, pass_of({1})});
        say(pipe, 1);
        for (;;) store.enqueue(job_named("more"));
    });
    ASSERT_TRUE(daemon.hear());
    daemon.kill();

    Store store(folder.path());
    EXPECT_THAT(store.recover(), ElementsAre("first")) << "those that wait are left alone";
    EXPECT_EQ(store.load("first").state, RunState::partial);
    EXPECT_EQ(store.load("second").state, RunState::queued);
    ASSERT_GE(store.queue().size(), 2u);
    EXPECT_EQ(store.claim_next()->run, "second");
    EXPECT_EQ(store.claim_next()->run, "third");
    while (const auto job = store.claim_next()) {
        EXPECT_THAT(job->run, ::testing::StartsWith("more"));
        EXPECT_EQ(store.load(job->run).targets.size(), 1u) << "whole, or not there";
    }
}

TEST(StoreQueueProcesses, EveryAnnouncedJobIsThereAfterAKill) {
    const TemporaryFolder folder;
    for (const int announced_before_the_kill : {1, 5, 20}) {
        const std::string id = "killed-after-" + std::to_string(announced_before_the_kill);
        Child daemon([&](int pipe) {
            Store store(folder.path());
            for (;;) {
                store.enqueue(job_named(id));
                say(pipe, 1);
            }
        });
        int announced = 0;
        while (announced < announced_before_the_kill && daemon.hear()) ++announced;
        daemon.kill();
        while (daemon.hear()) ++announced;
        Store store(folder.path());
        int waiting = 0;
        while (const auto job = store.claim_next()) ++waiting;
        EXPECT_GE(waiting, announced);
        EXPECT_LE(waiting, announced + 1) << "one may be stored and not announced";
    }
}

TEST(StoreQueueProcesses, ARunClaimedByADeadProcessWithoutPassesIsFailed) {
    const TemporaryFolder folder;
    Child daemon([&](int pipe) {
        Store store(folder.path());
        store.enqueue(job_named("run"));
        store.claim_next();
        say(pipe, 1);
        pause();
    });
    ASSERT_TRUE(daemon.hear());
    Store store(folder.path());
    EXPECT_THAT(store.recover(), IsEmpty()) << "it is measured";
    daemon.kill();
    EXPECT_THAT(store.recover(), ElementsAre("run"));
    EXPECT_EQ(store.load("run").state, RunState::failed);
    EXPECT_EQ(store.job_of("run")->attempts, 1) << "what it was asked for is still known";
}

TEST_F(StoreQueue, AJobThatIsDroppedGoesWholeAndItsFiringSaysSo) {
    NewJob job = job_named("run", JobClass::scheduled);
    job.schedule = "nightly";
    Firing firing;
    firing.schedule = "nightly";
    firing.due_at_ms = 100;
    ASSERT_EQ(store_.enqueue_firing(firing, job), "run");
    refusal(ErrorCode::conflict, [&] { store_.drop_job("run", "nothing new"); });
    EXPECT_EQ(store_.queue().size(), 1u) << "it was not claimed";

    ASSERT_TRUE(store_.claim_next());
    store_.drop_job("run", "nothing new");
    refusal(ErrorCode::not_found, [&] { (void)store_.load("run"); });
    EXPECT_FALSE(store_.has_unfinished_job("nightly"));
    const auto firings = store_.firings("nightly", 10);
    ASSERT_EQ(firings.size(), 1u);
    EXPECT_EQ(firings[0].outcome, kFiringSkipped);
    EXPECT_EQ(firings[0].reason, "nothing new");
    refusal(ErrorCode::not_found, [&] { store_.drop_job("run", "nothing new"); });

    const std::string measured = store_.begin_run(skeleton("measured"));
    store_.add_pass(measured, {0, 0}, {0, series_named("s"), 0, pass_of({1})});
    refusal(ErrorCode::conflict, [&] { store_.drop_job(measured, "nothing new"); });
    EXPECT_EQ(store_.stored_passes(measured), 1u);
}

TEST_F(StoreQueue, AJobAndTheAnswerToWhoeverAskedForItAreStoredTogetherOrNot) {
    const AnswerTo answer_to = [this](const std::string& run) {
        EXPECT_EQ(store_.queue().size(), 1u) << "the answer can say where the job stands";
        return std::optional(KeyedAnswer{"key", {202, "[]", "the run is " + run, "hash"}});
    };
    EXPECT_EQ(store_.enqueue(job_named("run"), answer_to), "run");
    EXPECT_EQ(Store(path()).find_answer("key", 1000)->body, "the run is run");

    const AnswerTo same_key = [](const std::string& run) {
        return std::optional(KeyedAnswer{"key", {202, "[]", "the run is " + run, "hash"}});
    };
    refusal(ErrorCode::conflict, [&] { store_.enqueue(job_named("second"), same_key); });
    const AnswerTo failing = [](const std::string&) -> std::optional<KeyedAnswer> { throw std::runtime_error("no"); };
    EXPECT_THROW(store_.enqueue(job_named("third"), failing), std::runtime_error);
    const AnswerTo none = [](const std::string&) { return std::optional<KeyedAnswer>(); };
    EXPECT_EQ(store_.enqueue(job_named("fourth"), none), "fourth");
    std::vector<std::string> waiting;
    for (const auto& job : store_.queue()) waiting.push_back(job.run);
    EXPECT_THAT(waiting, ::testing::ElementsAre("run", "fourth"));
}

}  // namespace
}  // namespace foxbench::store
