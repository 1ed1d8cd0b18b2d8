#include "service/daemon/retention.hpp"

#include <filesystem>

#include <gmock/gmock.h>

#include "service/store/sqlite.hpp"
#include "service/store/test_support.hpp"

namespace foxbench::daemon {
namespace {

using What = store::PruneItem::What;
using testing::ElementsAre;

constexpr std::int64_t kLongAfter = 4'000'000'000'000;

document::RunDocument small_run(const std::string& id, const std::string& started_at) {
    auto run = store::skeleton(id);
    run.state = document::RunState::completed;
    run.started_at = started_at;
    auto series = store::series_named("small-append");
    series.passes = {store::pass_of({1, 2, 3})};
    run.targets[0].launches.emplace_back().series.push_back(series);
    return run;
}

TEST(Retention, GoesOnWhereOneRunCannotBePruned) {
    const store::TemporaryFolder folder;
    store::Store store(folder.path());
    store.import_document(small_run("oldest", "2026-09-01T00:00:00Z"));
    store.import_document(small_run("middle", "2026-09-02T00:00:00Z"));
    store.import_document(small_run("newest", "2026-09-03T00:00:00Z"));
    store::Database(folder.path() / "foxbench.db", false)
        .execute({"damage the oldest run's samples",
                  "UPDATE passes SET samples = x'00' WHERE key = (SELECT min(key) FROM passes)"});
    store::RetentionPolicy policy;
    policy.samples = std::chrono::milliseconds(0);

    Unprunable failed;
    std::vector<std::string> done, faults;
    while (const auto pruned = prune_next(store, policy, kLongAfter, failed))
        (pruned->fault ? faults : done).push_back(pruned->item.run);
    EXPECT_THAT(faults, ElementsAre("oldest"));
    EXPECT_THAT(done, ElementsAre("middle", "newest"));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "newest" / "summary.md")) << "its files are written anew";

    // The next round tries again; the run as a whole can go.
    failed.clear();
    const auto again = prune_next(store, policy, kLongAfter, failed);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->item.run, "oldest");
    EXPECT_TRUE(again->fault);
    policy.runs = std::chrono::milliseconds(0);
    done.clear();
    while (const auto pruned = prune_next(store, policy, kLongAfter, failed)) {
        EXPECT_EQ(pruned->item.what, What::run);
        done.push_back(pruned->item.run);
    }
    EXPECT_THAT(done, ElementsAre("oldest", "middle", "newest"));
    EXPECT_TRUE(store.list().runs.empty());
}

}  // namespace
}  // namespace foxbench::daemon
