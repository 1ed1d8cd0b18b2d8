#include "service/run/job_runner.hpp"

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <stdlib.h>

#include "service/error.hpp"
#include "service/host/lock.hpp"
#include "service/run/preparation.hpp"
#include "service/store/sqlite.hpp"

namespace foxbench::run {
namespace {

using document::RunState;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Longer than anything here takes: only a hang meets it.
constexpr std::chrono::seconds kHang{60};

/// Jobs whose browser is not there: everything of the queue but the measuring itself, which the browser tests show.
class JobRunnerTest : public testing::Test, public JobListener {
protected:
    JobRunnerTest() : folder_(make_folder()), store_(folder_) {
        auto config = std::make_shared<config::Config>(config::default_config(folder_));
        config->workloads = FOXBENCH_SOURCE_DIR "/workloads";
        config->lock = folder_ / "lock";
        config->targets.front().binary = "/no/such/firefox";
        config_ = config;
    }
    ~JobRunnerTest() override { std::filesystem::remove_all(folder_); }

    static std::filesystem::path make_folder() {
        std::string name = (std::filesystem::current_path() / "job-runner-test-XXXXXX").string();
        return mkdtemp(name.data());
    }

    std::string enqueue(const std::string& label, JobTerms terms = {}) {
        Wanted wanted;
        wanted.label = label;
        Job asked;
        asked.request = resolve(wanted, *config_);
        asked.terms = std::move(terms);
        store::NewJob job;
        job.skeleton = make_queued_document(asked.request, *config_, ++clock_);
        job.request = freeze(asked);
        job.queued_at_ms = clock_;
        return store_.enqueue(job);
    }

    /// Works on the queue until `done` says so.
    void serve_until(std::function<bool()> done) {
        done_ = std::move(done);
        boost::asio::co_spawn(loop_, runner_.serve(), [this](std::exception_ptr failure) {
            EXPECT_FALSE(failure);
            loop_.stop();
        });
        loop_.run_for(kHang);
        EXPECT_TRUE(loop_.stopped());
        loop_.restart();
    }
    void look() {
        if (done_ && done_()) runner_.drain(std::chrono::milliseconds(0));
    }

    void on_claimed(const store::Job& job) override { claimed_.push_back(job.run); }
    void on_stage(const std::string&, const std::string& what) override {
        stages_.push_back(what);
        look();
    }
    void on_progress(const std::string&, const Progress&) override {}
    void on_series(const std::string&, const Progress&, const std::string&, const stats::SeriesFigures&) override {}
    void on_browser_start(bool) override {}
    void on_trouble(const std::string&, const std::string&) override {}
    void on_finished(const RunOutcome& outcome) override {
        finished_.push_back(outcome);
        look();
    }
    void on_nothing_new(const store::Job&, const std::string&) override {}
    void on_fault(const std::string& what) override { ADD_FAILURE() << what; }

    std::filesystem::path folder_;
    store::Store store_;
    std::shared_ptr<const config::Config> config_;
    boost::asio::io_context loop_{1};
    boost::asio::thread_pool pool_{1};
    JobRunner runner_{loop_.get_executor(), store_, pool_, *this, [this] { return config_; }};
    std::int64_t clock_ = 1'700'000'000'000;
    std::function<bool()> done_;
    std::vector<std::string> claimed_, stages_;
    std::vector<RunOutcome> finished_;
};

TEST_F(JobRunnerTest, AFailedJobIsFinalWithItsReasonAndTheNextOneBegins) {
    const auto first = enqueue("first");
    const auto second = enqueue("second");
    serve_until([this] { return finished_.size() == 2; });
    EXPECT_THAT(claimed_, ElementsAre(first, second));
    EXPECT_EQ(finished_[0].state, RunState::failed);
    EXPECT_THAT(finished_[0].reason, AllOf(HasSubstr("target firefox"), HasSubstr("/no/such/firefox")));
    EXPECT_EQ(store_.load_summary(first).state, RunState::failed);
    EXPECT_EQ(store_.load_summary(first).reason, finished_[0].reason);
    EXPECT_TRUE(std::filesystem::exists(folder_ / first / "summary.md"));
    EXPECT_THAT(store_.queue(), IsEmpty());
}

TEST_F(JobRunnerTest, AFailedCommandFailsTheRunWithItsOutput) {
    JobTerms terms;
    terms.before = {"echo no build tonight; exit 7"};
    terms.before_folder = folder_;
    const auto run = enqueue("", terms);
    serve_until([this] { return !finished_.empty(); });
    EXPECT_THAT(finished_[0].reason, AllOf(HasSubstr("exit code 7"), HasSubstr("no build tonight")));
    EXPECT_THAT(stages_, testing::Contains(HasSubstr("before: echo")));
    EXPECT_THAT(store_.load(run).extra.at("log").dump(), HasSubstr("no build tonight"));
}

TEST_F(JobRunnerTest, AFrozenRequestThatCannotBeDoneAnyMoreFails) {
    auto changed = std::make_shared<config::Config>(*config_);
    enqueue("");
    changed->workloads = folder_;
    config_ = changed;
    serve_until([this] { return !finished_.empty(); });
    EXPECT_EQ(finished_[0].state, RunState::failed);
    EXPECT_THAT(finished_[0].reason, HasSubstr("opfs-sync-write"));
}

TEST_F(JobRunnerTest, AJobThatWaitsForTheMachineGoesBackToTheQueueAtTheEnd) {
    JobTerms terms;
    terms.before = {"true"};  // what is there to be waited for comes first, so that the missing browser does not
    terms.before_folder = folder_;
    const auto run = enqueue("", terms);
    const auto held = host::HostLock::try_acquire(folder_ / "lock");
    ASSERT_TRUE(held);
    serve_until([this] { return !stages_.empty(); });
    EXPECT_THAT(stages_, ElementsAre(HasSubstr("another measurement is going on")));
    EXPECT_THAT(finished_, IsEmpty());
    ASSERT_EQ(store_.queue().size(), 1U);
    EXPECT_EQ(store_.queue()[0].run, run);
    EXPECT_EQ(store_.load_summary(run).state, RunState::queued);
}

TEST_F(JobRunnerTest, CancellingAJobThatWaitsForTheMachineEndsIt) {
    JobTerms terms;
    terms.before = {"true"};
    terms.before_folder = folder_;
    const auto run = enqueue("", terms);
    const auto held = host::HostLock::try_acquire(folder_ / "lock");
    bool cancelled = false;
    serve_until([&] {
        if (finished_.empty()) {
            boost::asio::co_spawn(loop_, runner_.cancel(run), [&](std::exception_ptr, bool was) { cancelled = was; });
            return false;
        }
        return true;
    });
    ASSERT_EQ(finished_.size(), 1U);
    EXPECT_EQ(finished_[0].state, RunState::cancelled);
    EXPECT_EQ(store_.load_summary(run).state, RunState::cancelled);
}

TEST_F(JobRunnerTest, AJobWhoseTimeIsOverBeforeItBeganFails) {
    JobTerms terms;
    terms.before = {"true"};
    terms.before_folder = folder_;
    terms.max_duration = std::chrono::milliseconds(1);
    enqueue("", terms);
    const auto held = host::HostLock::try_acquire(folder_ / "lock");
    serve_until([this] { return !finished_.empty(); });
    EXPECT_EQ(finished_[0].state, RunState::failed);
    EXPECT_THAT(finished_[0].reason, HasSubstr("time was over"));
}

TEST_F(JobRunnerTest, EndsRunsWhoseProcessWasLostBeforeItTakesAJob) {
    document::RunDocument skeleton;
    skeleton.id = "lost";
    skeleton.workload = "opfs-sync-write";
    skeleton.targets.emplace_back().name = "firefox";
    const auto lose_a_run = [&] {
        const auto run = store::Store(folder_).begin_run(skeleton);
        store::Database(folder_ / "foxbench.db", false).execute({"lose the process", "UPDATE runs SET owner = 'gone'"});
        return run;
    };
    const auto first = lose_a_run();
    const auto job = enqueue("");
    // The second one is lost while the daemon is at work.
    std::string second;
    serve_until([&] {
        if (finished_.size() == 2 && second.empty()) second = lose_a_run();
        return finished_.size() == 3;
    });
    ASSERT_EQ(finished_.size(), 3U);
    EXPECT_EQ(finished_[0].id, first);
    EXPECT_EQ(finished_[0].state, RunState::failed);
    EXPECT_THAT(finished_[0].reason, HasSubstr("was gone before the run was finished"));
    EXPECT_EQ(finished_[1].id, job);
    EXPECT_EQ(finished_[2].id, second);
    EXPECT_EQ(store_.load_summary(second).state, RunState::failed);
    EXPECT_TRUE(std::filesystem::exists(folder_ / second / "summary.md"));
}

TEST_F(JobRunnerTest, CancelSaysWhereARunIsNotItsCurrentOne) {
    bool cancelled = true;
    boost::asio::co_spawn(loop_, runner_.cancel("nothing"), [&](std::exception_ptr, bool was) { cancelled = was; });
    loop_.run();
    EXPECT_FALSE(cancelled);
}

}  // namespace
}  // namespace foxbench::run
