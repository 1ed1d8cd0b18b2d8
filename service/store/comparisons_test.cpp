#include "service/store/comparisons.hpp"

#include "service/document/purpose.hpp"
#include "service/history/sample_runs.hpp"
#include "service/store/baselines.hpp"
#include "service/store/history_store.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using history::SampleTarget;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<double> kQuiet = {40.0, 40.4, 39.8, 40.2, 40.1};

class ComparisonsTest : public StoreTest {
protected:
    void import(const std::string& id, const std::vector<std::string>& targets, double factor = 1) {
        std::vector<SampleTarget> samples;
        for (const auto& name : targets) {
            std::vector<double> means = kQuiet;
            for (auto& mean : means) mean *= factor;
            samples.push_back({.name = name, .means_us = {{"small-append", means}}});
        }
        (void)store_.import_document(history::sample_run(id, samples));
    }
    /// "base:target next:target" of each comparison.
    std::vector<std::string> pairs(const std::string& base, const std::string& next) {
        std::vector<std::string> all;
        for (const auto& one : compare_runs(store_, {base, next, false}))
            all.push_back(one.base.run + ":" + one.base.target + " " + one.next.run + ":" + one.next.target);
        return all;
    }
};

TEST_F(ComparisonsTest, PairTargetsByName) {
    import("a", {"firefox", "wal"});
    import("b", {"wal", "other", "firefox"});
    EXPECT_THAT(pairs("a", "b"), ElementsAre("a:firefox b:firefox", "a:wal b:wal"));
}

TEST_F(ComparisonsTest, PairOnlyTargetsWhateverTheyAreCalled) {
    import("a", {"firefox"});
    import("b", {"patched"});
    EXPECT_THAT(pairs("a", "b"), ElementsAre("a:firefox b:patched"));
}

TEST_F(ComparisonsTest, CompareTargetsThatAreNamed) {
    import("a", {"firefox", "wal"});
    import("b", {"wal", "firefox"});
    EXPECT_THAT(pairs("a:firefox", "a:wal"), ElementsAre("a:firefox a:wal"));
    EXPECT_THAT(pairs("a:wal", "b:firefox"), ElementsAre("a:wal b:firefox"));
    EXPECT_THAT(pairs("a:wal", "b"), ElementsAre("a:wal b:wal"));
    EXPECT_THAT(pairs("a", "b:firefox"), ElementsAre("a:firefox b:firefox"));
    import("c", {"alone"});
    EXPECT_THAT(pairs("a:wal", "c"), ElementsAre("a:wal c:alone"));
}

TEST_F(ComparisonsTest, KnowLatestBeginningsAndBaselines) {
    import("2026-09-01_a", {"firefox"});
    Baselines(store_).set({"release", "2026-09-01_a", {}, 1});
    import("2026-09-02_b", {"firefox"});
    EXPECT_THAT(pairs("baseline:release", "2026-09-02"), ElementsAre("2026-09-01_a:firefox 2026-09-02_b:firefox"));
    EXPECT_THAT(pairs("baseline:release:firefox", "latest:firefox").size(), 1u);
    refusal(ErrorCode::not_found, [&] { (void)pairs("baseline:nothing", "latest"); });
}

TEST_F(ComparisonsTest, SayWhatIsMissing) {
    import("a", {"firefox", "wal"});
    import("b", {"patched", "other"});
    EXPECT_THAT(refusal(ErrorCode::usage, [&] { (void)pairs("a", "b"); }), HasSubstr("no target in common"));
    EXPECT_THAT(refusal(ErrorCode::usage, [&] { (void)pairs("a", "a"); }), HasSubstr("a:firefox and a:wal"));
    EXPECT_THAT(refusal(ErrorCode::usage, [&] { (void)pairs("a:wal", "b"); }), HasSubstr("b:TARGET"));
    EXPECT_THAT(refusal(ErrorCode::not_found, [&] { (void)pairs("a:wall", "a:firefox"); }),
                HasSubstr("Did you mean 'wal'?"));
}

TEST_F(ComparisonsTest, RefuseOtherWorkUnlessTheyAreForced) {
    import("a", {"firefox"});
    auto other = history::sample_run("b", {{.means_us = {{"small-append", kQuiet}}}});
    other.config["calls"] = 2;
    (void)store_.import_document(other);
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { (void)pairs("a", "b"); }),
                HasSubstr("Different work: calls is 1 and 2. To compare them all the same: --force"));
    const auto forced = compare_runs(store_, {"a", "b", true});
    ASSERT_EQ(forced.size(), 1u);
    EXPECT_THAT(forced[0].warnings, ::testing::Contains(HasSubstr("calls is 1 and 2")));
}

TEST_F(ComparisonsTest, UseTheSpreadOfThisTargetsAaRuns) {
    import("a", {"firefox"});
    import("b", {"firefox"}, 1.2);
    const auto verdict = [&] { return compare_runs(store_, {"a", "b", false}).front().rows.front().verdict; };
    EXPECT_FALSE(verdict().spread_from_aa);
    EXPECT_EQ(verdict().verdict, stats::Verdict::slower);
    auto aa = history::sample_run("aa", {{.means_us = {{"small-append", {30, 40, 50, 35, 45, 32, 48, 41, 52, 33}}}}});
    aa.extra[document::kPurpose] = document::kAa;
    (void)store_.import_document(aa);
    HistoryStore(store_).take("aa");
    EXPECT_TRUE(verdict().spread_from_aa);
    EXPECT_NE(verdict().verdict, stats::Verdict::slower) << "launches of one build differ by as much";
}

}  // namespace
}  // namespace foxbench::store
