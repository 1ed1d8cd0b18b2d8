#include "service/store/retention.hpp"

#include "service/document/utc_time.hpp"
#include "service/report/render.hpp"
#include "service/stats/summary.hpp"
#include "service/store/job_samples.hpp"
#include "service/store/results_folder.hpp"
#include "service/store/sqlite.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using document::RunState;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using What = PruneItem::What;

constexpr std::int64_t kNow = 1'790'000'000'000;
constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

document::RunDocument small_run(const std::string& id, std::int64_t days_old) {
    document::RunDocument run = skeleton(id);
    run.state = RunState::completed;
    run.started_at = document::utc_text(kNow - days_old * kDay);
    run.config["passes"] = 2;
    document::Series series = series_named("small-append");
    series.warmup = pass_of({9, 8});
    series.passes = {pass_of({1, 2, 3}, 0.006), pass_of({4, 5, 6}, 0.015)};
    run.targets[0].launches.emplace_back().series.push_back(series);
    return run;
}

RetentionPolicy policy(std::optional<std::int64_t> samples_days, std::optional<std::int64_t> runs_days,
                       std::size_t keep_last = 0) {
    RetentionPolicy policy;
    if (samples_days) policy.samples = milliseconds(*samples_days * kDay);
    if (runs_days) policy.runs = milliseconds(*runs_days * kDay);
    policy.keep_last = keep_last;
    return policy;
}

/// Byte by byte, in every format, the whole and each table.
void expect_same_reports(const document::RunDocument& left, const document::RunDocument& run) {
    using report::Format, report::Table;
    for (const auto format : {Format::md, Format::csv, Format::json, Format::html}) {
        EXPECT_EQ(report::render(left, format), report::render(run, format));
        for (const auto table : {Table::per_call, Table::per_file, Table::latency, Table::derived})
            EXPECT_EQ(report::render_table(left, table, format), report::render_table(run, table, format));
    }
}

/// Three targets with two launches each, every pass verified.
document::RunDocument several_targets_run() {
    const std::string text = read_text_file(FOXBENCH_SOURCE_DIR "/tests/fixtures/several_targets/run.json");
    return document::parse(text, "several_targets");
}

/// Two of these targets with two launches and a third that failed at once, the second target's second launch cut short.
document::RunDocument interrupted_run() {
    document::RunDocument run = several_targets_run();
    run.state = RunState::partial;
    run.reason = "a browser crashed";
    run.config["launches"] = 3;
    run.targets.resize(2);
    for (document::Target& target : run.targets) target.launches.emplace_back().failure = "no browser";
    document::Launch& cut = run.targets[1].launches[1];
    cut.failure = "the browser ended";
    cut.series.resize(4);
    cut.series[2].passes.resize(2);
    cut.series[2].passes[1].latencies_us.resize(1);
    cut.series[2].passes[1].verified.reset();
    cut.series[3].warmup = cut.series[3].passes[0];
    cut.series[3].passes.clear();
    return run;
}

class StoreRetention : public StoreTest {
protected:
    std::vector<std::pair<std::string, What>> plan(const RetentionPolicy& policy, std::size_t limit = 100) const {
        std::vector<std::pair<std::string, What>> items;
        for (const PruneItem& item : store_.prune_plan(policy, kNow, limit)) items.emplace_back(item.run, item.what);
        return items;
    }
    static std::pair<std::string, What> samples(const std::string& run) { return {run, What::samples}; }
    static std::pair<std::string, What> run(const std::string& run) { return {run, What::run}; }
};

// ---- what is pruned ----

TEST_F(StoreRetention, IsWhatIsOlderThanThePolicyOldestFirst) {
    for (const int days : {5, 800, 100, 400, 90, 91})
        store_.import_document(small_run("r" + std::to_string(days), days));
    EXPECT_THAT(plan(policy(90, 730)), ElementsAre(run("r800"), samples("r400"), samples("r100"), samples("r91")));
    EXPECT_THAT(plan(policy(90, 730), 2), ElementsAre(run("r800"), samples("r400")));
    EXPECT_THAT(plan(policy(90, std::nullopt)),
                ElementsAre(samples("r800"), samples("r400"), samples("r100"), samples("r91")));
    EXPECT_THAT(plan(policy(std::nullopt, 95)), ElementsAre(run("r800"), run("r400"), run("r100")));
    EXPECT_THAT(plan(policy(std::nullopt, std::nullopt)), IsEmpty());
}

TEST_F(StoreRetention, SparesTheNewestHoweverOld) {
    for (const int days : {800, 810, 820}) store_.import_document(small_run("r" + std::to_string(days), days));
    EXPECT_THAT(plan(policy(90, 805, 1)), ElementsAre(run("r820"), run("r810")));
    EXPECT_THAT(plan(policy(90, 730, 2)), ElementsAre(run("r820")));
    EXPECT_THAT(plan(policy(90, 730, 3)), IsEmpty());
    EXPECT_THAT(plan(policy(90, 730, 100)), IsEmpty());
}

TEST_F(StoreRetention, NeverTouchesWhatHasNotEnded) {
    store_.enqueue(job_named("queued", JobClass::manual, kNow - 900 * kDay));
    document::RunDocument begun = skeleton("running");
    begun.started_at = document::utc_text(kNow - 900 * kDay);
    store_.begin_run(begun);
    store_.add_pass("running", {0, 0}, {0, series_named("s"), 0, pass_of({1})});
    EXPECT_THAT(plan(policy(0, 0)), IsEmpty());
    for (const char* id : {"queued", "running"}) {
        for (const What what : {What::samples, What::run}) EXPECT_FALSE(store_.prune_one({id, what, 0}));
    }
    EXPECT_EQ(store_.stored_passes("running"), 1u);

    store_.import_document(small_run("finished", 800));
    EXPECT_THAT(plan(policy(90, 730, 1)), IsEmpty()) << "the newest one that has ended is kept, not one that has not";
}

TEST_F(StoreRetention, VisitsARunsSamplesOnce) {
    store_.import_document(small_run("run", 100));
    document::RunDocument failed = skeleton("failed");
    failed.state = RunState::failed;
    failed.started_at = document::utc_text(kNow - 100 * kDay);
    store_.import_document(failed);
    ASSERT_THAT(plan(policy(90, 730)), ElementsAre(samples("run"))) << "a run without passes has none to lose";
    EXPECT_TRUE(store_.prune_one({"run", What::samples, 0}));
    EXPECT_THAT(plan(policy(90, 730)), IsEmpty());
    EXPECT_FALSE(store_.prune_one({"run", What::samples, 0}));
    EXPECT_FALSE(store_.prune_one({"gone", What::run, 0}));
}

TEST_F(StoreRetention, RemovesRunsWithTheirJobs) {
    store_.enqueue(job_named("run", JobClass::manual, kNow - 800 * kDay));
    store_.claim_next();
    store_.finish_run("run", RunState::failed, "no browser", std::nullopt);
    ASSERT_THAT(plan(policy(90, 730)), ElementsAre(run("run")));
    EXPECT_TRUE(store_.prune_one({"run", What::run, 0}));
    EXPECT_THAT(store_.list().runs, IsEmpty());
    EXPECT_FALSE(store_.job_of("run"));
    EXPECT_FALSE(store_.prune_one({"run", What::run, 0}));
}

// ---- what is left ----

TEST_F(StoreRetention, SummariesHaveTheFiguresOfTheSamples) {
    const document::RunDocument before = small_run("run", 100);
    store_.import_document(before);
    ASSERT_TRUE(store_.prune_one({"run", What::samples, 0}));
    const document::RunDocument after = Store(path()).load("run");
    const document::Series& measured = before.targets[0].launches[0].series[0];
    const document::Series& left = after.targets[0].launches[0].series[0];
    EXPECT_FALSE(left.warmup);
    EXPECT_THAT(left.passes, IsEmpty());
    ASSERT_TRUE(left.summary);

    const auto expected = stats::summarise(measured);
    const auto actual = stats::summarise(left);
    EXPECT_EQ(actual.passes, expected.passes);
    EXPECT_EQ(actual.mean_us, expected.mean_us);
    EXPECT_EQ(actual.mean_min_us, expected.mean_min_us);
    EXPECT_EQ(actual.mean_max_us, expected.mean_max_us);
    EXPECT_EQ(left.summary->calls, 3);
    EXPECT_EQ(left.summary->total_ms, 0.006);
    EXPECT_EQ(left.summary->total_max_ms, 0.015);
    EXPECT_EQ(left.summary->p50_us, 2);
    EXPECT_EQ(left.summary->first_max_us, 4);

    const document::Json& passes = left.summary->extra.at("passes");
    ASSERT_EQ(passes.size(), 2u) << "each pass's own figures stay";
    EXPECT_EQ(passes[1].at("total_ms"), 0.015);
    EXPECT_EQ(passes[1].at("p99_us"), 6);
    EXPECT_EQ(passes[1].at("calls"), 3);
    EXPECT_FALSE(passes[1].contains("total_min_ms"));
    EXPECT_EQ(left.summary->extra.at("warmup").at("max_us"), 9);
}

TEST_F(StoreRetention, TheReportOfAFullRunStaysTheSame) {
    const document::RunDocument run = full_preset_run(20, "run");
    store_.import_document(run);
    ASSERT_TRUE(store_.prune_one({"run", What::samples, 0}));
    expect_same_reports(store_.load("run"), run);
}

TEST_F(StoreRetention, TheReportOfSeveralTargetsAndLaunchesStaysTheSame) {
    document::RunDocument run = interrupted_run();
    const std::string text = report::render(run, report::Format::md);
    EXPECT_THAT(text, HasSubstr("Median run of R=6 (2 launches × 3)"));
    EXPECT_THAT(text, HasSubstr("(wal-full): Fewer passes than asked: small-append 6 of 9, small-overwrite 6 of 9, "
                                "chunked-append (64 KiB) 5 of 9, append+flush 3 of 9, "));
    EXPECT_THAT(text, HasSubstr("(wal-full): Verified: 34 of 35 passes; "));
    store_.import_document(run);
    ASSERT_TRUE(store_.prune_one({run.id, What::samples, 0}));
    expect_same_reports(store_.load(run.id), run);

    run.id += "-2";
    run.config.erase("passes");
    run.config.erase("launches");
    store_.import_document(run);
    ASSERT_TRUE(store_.prune_one({run.id, What::samples, 0}));
    expect_same_reports(store_.load(run.id), run);
}

TEST_F(StoreRetention, TheReportOfACompletedRunStillTellsWhatWasVerified) {
    document::RunDocument run = several_targets_run();
    for (document::Target& target : run.targets) {
        for (document::Launch& launch : target.launches) launch.noise.reset();
    }
    EXPECT_THAT(report::render(run, report::Format::md), HasSubstr("\n## Run quality\n"));
    store_.import_document(run);
    ASSERT_TRUE(store_.prune_one({run.id, What::samples, 0}));
    expect_same_reports(store_.load(run.id), run);
}

TEST_F(StoreRetention, TheMedianPassOfUnevenLaunchesStaysTheSame) {
    // Medians of launches: 2, 20, 30; the median of all passes is 4, of the first launch.
    document::RunDocument run = skeleton("run");
    run.state = RunState::completed;
    run.config["passes"] = 4;
    for (const std::vector<double>& totals : {std::vector<double>{1, 2, 3, 4}, {20}, {30, 31}}) {
        document::Series series = series_named("small-append");
        for (const double total : totals) series.passes.push_back(pass_of({total * 400, total * 600}, total));
        run.targets[0].launches.emplace_back().series.push_back(series);
    }
    store_.import_document(run);
    ASSERT_TRUE(store_.prune_one({"run", What::samples, 0}));
    const document::RunDocument left = store_.load("run");
    EXPECT_EQ(left.targets[0].launches[2].series[0].summary->total_ms, 4);
    EXPECT_EQ(left.targets[0].launches[2].series[0].summary->extra.at("passes")[1].at("total_ms"), 31);
    expect_same_reports(left, run);
}

TEST_F(StoreRetention, ASeriesWithAWarmUpAloneComesIntoNoReport) {
    document::RunDocument run = small_run("run", 100);
    document::Series begun = series_named("append+flush");
    begun.warmup = pass_of({1});
    run.targets[0].launches[0].series.push_back(begun);
    store_.import_document(run);
    ASSERT_TRUE(store_.prune_one({"run", What::samples, 0}));
    EXPECT_FALSE(store_.load("run").targets[0].launches[0].series[1].summary);
    expect_same_reports(store_.load("run"), run);
}

TEST_F(StoreRetention, TheExportOfWhatIsLeftIsADocument) {
    store_.import_document(small_run("run", 100));
    store_.prune_one({"run", What::samples, 0});
    const std::string text = document::to_text(document::to_json(store_.load("run")));
    EXPECT_EQ(sorted_text(document::parse(text, "export")), sorted_text(store_.load("run")));
    EXPECT_TRUE(store_.import_document(document::parse(text, "export")).already_there);
}

// ---- space ----

TEST_F(StoreRetention, SpaceIsGivenBackToTheDisk) {
    const auto empty = store_.database_bytes();
    for (const char* id : {"a", "b", "c"}) store_.import_document(full_preset_run(0.1, id));
    const auto full = store_.database_bytes();
    const auto items = store_.prune_plan(policy(0, std::nullopt), 4'000'000'000'000, 10);
    ASSERT_EQ(items.size(), 3u);
    std::int64_t announced = 0;
    for (const PruneItem& item : items) {
        announced += item.bytes;
        EXPECT_TRUE(store_.prune_one(item));
    }
    const auto summaries = store_.database_bytes();
    EXPECT_GT(announced, 3 * 400'000);
    EXPECT_LT(summaries, full - announced * 9 / 10);
    for (const PruneItem& item : store_.prune_plan(policy(std::nullopt, 0), 4'000'000'000'000, 10)) {
        EXPECT_GT(item.bytes, 0);
        EXPECT_TRUE(store_.prune_one(item));
    }
    EXPECT_LE(store_.database_bytes(), empty + 16 * 1024);
}

TEST_F(StoreRetention, AReaderKeepsNothingFromBeingPruned) {
    store_.import_document(full_preset_run(0.1, "run"));
    store_.import_document(full_preset_run(0.1, "other"));
    Database reader(path() / "foxbench.db", false);
    {
        const Transaction snapshot(reader, Transaction::Kind::read);
        EXPECT_EQ(reader.number({"", "SELECT count(*) FROM runs"}), 2);
        EXPECT_TRUE(store_.prune_one({"run", What::run, 0}));
        EXPECT_EQ(reader.number({"", "SELECT count(*) FROM runs"}), 2) << "its moment stays";
    }
    EXPECT_TRUE(store_.prune_one({"other", What::run, 0}));
    EXPECT_LT(store_.database_bytes(), 512 * 1024) << "what could not be given back then comes with the next";
}

TEST_F(StoreRetention, ChangesTheRevisionOfARunAndOfNoOther) {
    Store other(path());
    store_.import_document(small_run("run", 10));
    store_.import_document(small_run("neighbour", 1));
    const auto neighbour = store_.revision("neighbour");
    const auto imported = store_.revision("run");
    EXPECT_NE(imported, neighbour);
    EXPECT_EQ(other.revision("run"), imported) << "it stays as long as the run does";

    ASSERT_TRUE(other.prune_one({"run", What::samples, 0}));
    const auto pruned = store_.revision("run");
    EXPECT_NE(pruned, imported);
    other.remove("run");
    refusal(ErrorCode::not_found, [&] { (void)store_.revision("run"); });
    other.import_document(small_run("run", 10));
    EXPECT_NE(store_.revision("run"), pruned) << "another run in its place";
    EXPECT_NE(store_.revision("run"), imported);

    const std::string measured = store_.begin_run(skeleton("measured"));
    const auto begun = store_.revision(measured);
    store_.finish_run(measured, RunState::failed, "no browser", std::nullopt);
    EXPECT_NE(store_.revision(measured), begun);
    EXPECT_EQ(store_.revision("neighbour"), neighbour);
}

}  // namespace
}  // namespace foxbench::store
