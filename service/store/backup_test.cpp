#include <fstream>

#include "service/store/child_process.hpp"
#include "service/store/job_samples.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class StoreBackup : public StoreTest {
protected:
    /// A folder in which the backup is the store.
    [[nodiscard]] std::filesystem::path restored() const {
        std::filesystem::create_directories(path() / "restored");
        return path() / "restored";
    }
    [[nodiscard]] std::filesystem::path file() const { return restored() / "foxbench.db"; }
};

TEST_F(StoreBackup, IsAStoreOfItsOwn) {
    const auto run = full_preset_run(20, "run");
    store_.import_document(run);
    store_.enqueue(job_named("queued"));
    store_.backup(file());
    store_.remove("run");
    Store copy(restored());
    EXPECT_EQ(sorted_text(copy.load("run")), sorted_text(run));
    EXPECT_EQ(copy.claim_next()->run, "queued");
    const auto before = copy.database_bytes();
    copy.remove("run");
    EXPECT_LT(copy.database_bytes(), before) << "it gives space back as the original does";
}

TEST_F(StoreBackup, OverwritesNothing) {
    std::ofstream(file()) << "precious";
    EXPECT_THAT(refusal(ErrorCode::conflict, [&] { store_.backup(file()); }), HasSubstr("is there already"));
    EXPECT_EQ(std::filesystem::file_size(file()), 8u);
    refusal(ErrorCode::conflict, [&] { store_.backup(path() / "foxbench.db"); });
    EXPECT_THAT(refusal(ErrorCode::environment, [&] { store_.backup(path() / "no" / "folder" / "x.db"); }),
                HasSubstr((path() / "no" / "folder" / "x.db").string()));
}

TEST_F(StoreBackup, LeavesNoOtherFile) {
    store_.backup(file());
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(restored())) names.push_back(entry.path().filename());
    EXPECT_THAT(names, ElementsAre("foxbench.db"));
}

TEST_F(StoreBackup, WhileAnotherConnectionWritesIsOneMomentOfTheStore) {
    // The writer stores pairs of passes together: a copy that has half of a pair is no moment of the store.
    store_.import_document(full_preset_run(0.1, "large"));
    Child writer([&](int pipe) {
        Store store(path());
        const std::string run = store.begin_run(skeleton("run"));
        const document::Series open = series_named("open"), close = series_named("close");
        const document::Pass pass = pass_of(std::vector<double>(500, 1.5));
        for (std::size_t i = 0;; ++i) {
            const PassRecord both[] = {{0, open, i, pass}, {1, close, i, pass}};
            store.add_passes(run, {0, 0}, both);
            say(pipe, 1);
        }
    });
    std::size_t announced = 0;
    for (int copy = 0; copy < 5; ++copy) {
        for (int i = 0; i < 3 && writer.hear(); ++i) ++announced;
        const auto folder = path() / ("copy-" + std::to_string(copy));
        std::filesystem::create_directory(folder);
        store_.backup(folder / "foxbench.db");
        const auto document = Store(folder).load("run");
        const auto& series = document.targets[0].launches[0].series;
        ASSERT_EQ(series.size(), 2u);
        EXPECT_EQ(series[0].passes.size(), series[1].passes.size());
        EXPECT_GE(series[0].passes.size(), announced);
    }
    EXPECT_TRUE(writer.hear()) << "the writer goes on";
    writer.kill();
}

TEST_F(StoreBackup, DatabaseBytesCountTheLogToo) {
    const auto before = store_.database_bytes();
    EXPECT_GT(before, 0);
    store_.import_document(full_preset_run(20, "run"));
    EXPECT_GT(store_.database_bytes(), before + 100'000);
    EXPECT_EQ(
        static_cast<std::uintmax_t>(store_.database_bytes()),
        std::filesystem::file_size(path() / "foxbench.db") + std::filesystem::file_size(path() / "foxbench.db-wal"));
}

}  // namespace
}  // namespace foxbench::store
