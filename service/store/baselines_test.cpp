#include "service/store/baselines.hpp"

#include "service/history/sample_runs.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BaselinesTest : public StoreTest {
protected:
    void SetUp() override {
        for (const char* id : {"first", "second"})
            (void)store_.import_document(history::sample_run(id, {{.means_us = {{"small-append", {40}}}}}));
    }
    Baselines baselines_{store_};
};

TEST_F(BaselinesTest, NameARun) {
    baselines_.set({"release-152", "first", "the one that shipped", 5});
    const auto found = baselines_.find("release-152");
    EXPECT_EQ(found.run, "first");
    EXPECT_EQ(found.note, "the one that shipped");
    EXPECT_EQ(found.set_at_ms, 5);
}

TEST_F(BaselinesTest, CanBeGivenToAnotherRun) {
    baselines_.set({"release", "first", "a", 5});
    baselines_.set({"release", "second", {}, 6});
    EXPECT_EQ(baselines_.find("release").run, "second");
    EXPECT_FALSE(baselines_.find("release").note);
    EXPECT_EQ(baselines_.list().size(), 1u);
}

TEST_F(BaselinesTest, KeepTheirRunFromBeingDeletedUntilTheyAreRemoved) {
    baselines_.set({"release", "first", {}, 5});
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { store_.remove("first"); }),
                HasSubstr("is the baseline 'release'; remove that first (foxbench baseline remove release)"));
    EXPECT_EQ(store_.load_summary("first").id, "first");
    baselines_.remove("release");
    store_.remove("first");
    EXPECT_THAT(baselines_.list(), IsEmpty());
}

TEST_F(BaselinesTest, KeepTheirRunFromRetention) {
    baselines_.set({"release", "first", {}, 5});
    RetentionPolicy policy;
    policy.runs = std::chrono::milliseconds(1);
    policy.samples = std::chrono::milliseconds(1);
    constexpr std::int64_t kLater = 4'000'000'000'000;
    std::vector<std::string> pruned;
    for (const auto& item : store_.prune_plan(policy, kLater, 10)) pruned.push_back(item.run);
    EXPECT_THAT(pruned, ElementsAre("second"));
    PruneItem first;
    first.run = "first";
    EXPECT_FALSE(store_.prune_one(first)) << "it became a baseline after the plan was made";
}

TEST_F(BaselinesTest, HaveNamesThatCanStandInAPath) {
    for (const char* name : {"", "../x", "a b", "latest", "a/b", "-x"})
        refusal(ErrorCode::usage, [&] { baselines_.set({name, "first", {}, 5}); });
    refusal(ErrorCode::usage, [&] { baselines_.set({std::string(kMaxBaselineName + 1, 'x'), "first", {}, 5}); });
}

TEST_F(BaselinesTest, AreCompletedRunsThatAreThere) {
    auto partial = history::sample_run("partial", {{.means_us = {{"small-append", {40}}}}});
    partial.state = document::RunState::partial;
    (void)store_.import_document(partial);
    EXPECT_THAT(refusal(ErrorCode::conflict,
                        [&] {
                            baselines_.set({"x", "partial", {}, 5});
                        }),
                HasSubstr("only a completed run"));
    refusal(ErrorCode::not_found, [&] { baselines_.set({"x", "nowhere", {}, 5}); });
}

TEST_F(BaselinesTest, ThatAreNotThereAreNamedWithTheNearest) {
    EXPECT_THAT(refusal(ErrorCode::not_found, [&] { (void)baselines_.find("x"); }), HasSubstr("there are none yet"));
    baselines_.set({"release-152", "first", {}, 5});
    EXPECT_THAT(refusal(ErrorCode::not_found, [&] { (void)baselines_.find("release-153"); }),
                HasSubstr("the nearest is release-152"));
    EXPECT_THAT(refusal(ErrorCode::not_found, [&] { baselines_.remove("zzz"); }), HasSubstr("there are release-152"));
}

}  // namespace
}  // namespace foxbench::store
