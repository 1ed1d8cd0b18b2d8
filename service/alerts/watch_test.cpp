#include "service/alerts/watch.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "service/document/purpose.hpp"
#include "service/history/sample_runs.hpp"
#include "service/run/frozen_request.hpp"
#include "service/run/preparation.hpp"
#include "service/store/alerts.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::alerts {
namespace {

using document::RunState;
using history::sample_date;
using history::sample_night;
using store::Alert;
using store::Alerts;
using store::AlertState;
using store::HistoryStore;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::int64_t kNow = 1'788'000'000'000;

double usual(int night) {
    constexpr double kWobble[] = {0, 0.6, -0.4, 1, -1, 0.3, -0.7};
    return 40 * (1 + kWobble[night % 7] / 100);
}

class Watch : public store::StoreTest {
protected:
    Watch() { config_.workloads = FOXBENCH_SOURCE_DIR "/workloads"; }

    void import_night(int night, double value, const std::string& build = "old") {
        (void)store_.import_document(sample_night(
            sample_date(night), {{.build_id = build,
                                  .source_stamp = build == "old" ? "8d76a2ba4c00" : "ffeeddccbbaa",
                                  .means_us = {{"small-append", {value}}, {"append+flush", {130 * usual(night)}}}}}));
    }

    /// A night of a schedule of this host's: it was queued, and can be measured again.
    std::string measure_night(int night, double value, const std::string& build = "old") {
        auto job = scheduled_job(sample_date(night));
        const auto run = store_.enqueue(job);
        EXPECT_TRUE(store_.claim_next());
        finish(run, {value}, build);
        return run;
    }

    store::NewJob scheduled_job(const std::string& night) {
        run::Job asked;
        run::Wanted wanted;
        wanted.overrides = {{"cases", "small-append"}, {"calls", 1}};
        asked.request = run::resolve(wanted, config_);
        asked.request.trigger = {{"kind", "schedule"}, {"name", "nightly"}, {"night", night}};
        asked.terms.before = {"./fetch-nightly.sh"};
        asked.terms.skip_if_same_build = true;
        store::NewJob job;
        job.skeleton = run::make_queued_document(asked.request, config_, kNow);
        job.request = run::freeze(asked);
        job.job_class = store::JobClass::scheduled;
        job.queued_at_ms = kNow;
        job.schedule = "nightly";
        return job;
    }

    void finish(const std::string& run, const std::vector<double>& means, const std::string& build = "old") {
        document::Target target;
        target.name = "firefox";
        target.browser.version = "158.0a1";
        target.browser.build_id = build;
        store_.update_target(run, 0, target);
        for (std::size_t i = 0; i < means.size(); ++i) {
            document::Series series;
            series.name = "small-append";
            document::Pass pass;
            pass.total_ms = means[i] / 1000;
            pass.latencies_us = {means[i]};
            store_.add_pass(run, {0, i}, {0, series, 0, pass});
        }
        store_.finish_run(run, RunState::completed, std::nullopt, "2026-09-01T01:00:00Z");
    }

    std::vector<Alert> alerts() { return Alerts(store_).list(); }
    void catch_up() { alerts::catch_up(store_, config_, kNow); }

    config::Config config_ = config::default_config();
};

TEST_F(Watch, NamesTheNightAndBothBuildsOfAStepInSixtyNights) {
    for (int i = 0; i < 60; ++i) import_night(i, usual(i) * (i < 41 ? 1 : 1.1), i < 41 ? "old" : "new");
    catch_up();
    const auto all = alerts();
    ASSERT_THAT(all, SizeIs(1)) << "one step, one alert, on the one series that has it";
    EXPECT_EQ(all[0].state, AlertState::confirmed);
    EXPECT_EQ(all[0].first_bad, sample_date(41));
    EXPECT_EQ(all[0].last_good, sample_date(40));
    EXPECT_EQ(all[0].run, "night-" + sample_date(41));
    EXPECT_EQ(all[0].details.at("series"), "small-append");
    EXPECT_EQ(all[0].details.at("build_before").at("build_id"), "old");
    EXPECT_EQ(all[0].details.at("build_after").at("build_id"), "new");
    EXPECT_THAT(Alerts(store_).untold(), SizeIs(1));
}

TEST_F(Watch, TellsOfAnAlertOnce) {
    for (int i = 0; i < 60; ++i) import_night(i, usual(i) * (i < 41 ? 1 : 1.1));
    catch_up();
    Alerts known(store_);
    store::Delivery message;
    message.url = "http://127.0.0.1:9/";
    message.event = "alerts";
    known.note_told(known.untold(), {message}, kNow);
    EXPECT_THAT(store_.deliveries(10), SizeIs(1));
    for (int i = 60; i < 70; ++i) import_night(i, usual(i) * 1.1);
    catch_up();
    EXPECT_THAT(known.untold(), IsEmpty());
    EXPECT_THAT(alerts(), SizeIs(1));
}

TEST_F(Watch, IsQuietAfterTheLevelWasExpected) {
    for (int i = 0; i < 60; ++i) import_night(i, usual(i) * (i < 41 ? 1 : 1.1));
    catch_up();
    auto alert = alerts().front();
    store::AlertChange change{kNow, "expected", "", "me", alert.state, AlertState::expected};
    alert.state = AlertState::expected;
    Alerts(store_).change(alert, change);
    for (int i = 60; i < 90; ++i) import_night(i, usual(i) * 1.1);
    catch_up();
    EXPECT_THAT(alerts(), SizeIs(1));
    const auto series = HistoryStore(store_).series_of("night-" + sample_date(41));
    for (const auto& one : series) {
        if (one.key.series == "small-append")
            EXPECT_EQ(load_history(store_, one.id, config_.alerts).since, sample_date(41));
    }
}

TEST_F(Watch, JudgesARunOnce) {
    for (int i = 0; i < 60; ++i) import_night(i, usual(i) * (i < 41 ? 1 : 1.1));
    catch_up();
    EXPECT_FALSE(take_next(store_));
    EXPECT_FALSE(judge_next(store_, config_, kNow));
    EXPECT_THAT(Alerts(store_).trail(alerts().front().id), SizeIs(1));
}

TEST_F(Watch, HasASuspectedNightMeasuredAgainBeforeOtherJobs) {
    for (int i = 0; i < 20; ++i) measure_night(i, usual(i));
    const auto run = measure_night(20, 48);
    (void)store_.enqueue(scheduled_job(sample_date(21)));
    catch_up();
    const auto all = alerts();
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all[0].state, AlertState::suspected);
    EXPECT_EQ(all[0].run, run);
    ASSERT_NE(all[0].confirmation, "");
    const auto job = store_.queue().front();
    EXPECT_EQ(job.run, all[0].confirmation);
    EXPECT_EQ(job.job_class, store::JobClass::confirmation);
    const auto asked = run::thaw(job.request, config_.workloads);
    EXPECT_EQ(asked.request.launches, 3);
    EXPECT_EQ(asked.request.trigger.at("of"), run);
    EXPECT_THAT(asked.terms.before, IsEmpty()) << "what the night installed is what has to be measured";
    EXPECT_FALSE(asked.terms.skip_if_same_build);
    EXPECT_THAT(Alerts(store_).untold(), IsEmpty()) << "nobody is told of a suspicion";
}

TEST_F(Watch, ConfirmsOrDoesNotReproduce) {
    for (const bool again : {true, false}) {
        store::TemporaryFolder folder;
        store_ = store::Store(folder.path());
        for (int i = 0; i < 20; ++i) measure_night(i, usual(i));
        measure_night(20, 48);
        catch_up();
        const auto job = store_.claim_next();
        ASSERT_TRUE(job);
        const std::vector<double> values = again ? std::vector<double>{47, 48, 49} : std::vector<double>{40, 41, 39};
        finish(job->run, values);
        catch_up();
        const auto alert = alerts().front();
        EXPECT_EQ(alert.state, again ? AlertState::confirmed : AlertState::not_reproduced);
        EXPECT_THAT(Alerts(store_).untold(), SizeIs(again ? 1 : 0));
        EXPECT_THAT(Alerts(store_).trail(alert.id), SizeIs(2));
    }
}

TEST_F(Watch, DoesNotConfirmByAnotherBuild) {
    for (int i = 0; i < 20; ++i) measure_night(i, usual(i));
    measure_night(20, 48, "bad");
    catch_up();
    finish(store_.claim_next()->run, {40, 40, 40}, "fixed");
    catch_up();
    const auto alert = alerts().front();
    EXPECT_EQ(alert.state, AlertState::suspected);
    EXPECT_THAT(Alerts(store_).trail(alert.id).back().note, HasSubstr("replaced by another build"));
}

TEST_F(Watch, DoesNotUseANightThatSomebodyCalledInvalid) {
    for (int i = 0; i < 20; ++i) measure_night(i, usual(i));
    measure_night(20, 48);
    catch_up();
    auto alert = alerts().front();
    store::AlertChange change{kNow, "invalid", "", "me", alert.state, AlertState::invalid};
    alert.state = AlertState::invalid;
    Alerts(store_).change(alert, change);
    const auto history = load_history(store_, alert.series, config_.alerts);
    EXPECT_FALSE(history.nights.back().used);
    EXPECT_THAT(history.nights.back().not_used, HasSubstr("invalid"));
}

TEST_F(Watch, KeepsAaRunsOutOfHistoriesAndTheirSpreadsInTheStore) {
    auto run = history::sample_run("aa", {{.means_us = {{"small-append", {40, 42, 41, 40, 43, 41, 42, 40}}}}});
    run.extra[document::kPurpose] = document::kAa;
    (void)store_.import_document(run);
    catch_up();
    const HistoryStore histories(store_);
    EXPECT_THAT(histories.list(), IsEmpty());
    document::Series series;
    series.name = "small-append";
    const auto spread = histories.spread(history::key_of(run, run.targets[0], series));
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->spread.launches, 8u);
    EXPECT_NEAR(spread->spread.log_sd, 0.026, 0.002);
    EXPECT_EQ(histories.all_spreads().runs, 1);
    store_.remove("aa");
    EXPECT_FALSE(histories.spread(history::key_of(run, run.targets[0], series))) << "it goes with its run";
}

TEST_F(Watch, CountsPlantedNightsOnlyWhereItIsToldTo) {
    auto planted = sample_night("2026-09-01", {{.means_us = {{"small-append", {90}}}}});
    planted.config[document::kPlanted] = 50;
    (void)store_.import_document(planted);
    catch_up();
    EXPECT_THAT(HistoryStore(store_).list(), IsEmpty());

    store::TemporaryFolder folder;
    store::Store scratch(folder.path());
    (void)scratch.import_document(planted);
    alerts::catch_up(scratch, config_, kNow, Planted::counts);
    EXPECT_THAT(HistoryStore(scratch).list(), SizeIs(1));
}

}  // namespace
}  // namespace foxbench::alerts
