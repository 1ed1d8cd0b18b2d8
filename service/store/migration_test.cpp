// What happens to the store of an older foxbench.

#include <array>
#include <fstream>
#include <iterator>

#include "service/document/sample_documents.hpp"
#include "service/store/child_process.hpp"
#include "service/store/job_samples.hpp"
#include "service/store/schema.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Sql kVersion{"read the version", "PRAGMA user_version"};

class Migrating : public ::testing::Test {
protected:
    [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "foxbench.db"; }
    [[nodiscard]] std::filesystem::path copy() const { return folder_.path() / "foxbench.db.v1.bak"; }

    /// A store as version 1 made it, with one run.
    void make_version_1() const {
        std::ifstream file(FOXBENCH_SOURCE_DIR "/tests/fixtures/store_version_1.sql");
        const std::string script{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
        Database(path(), true).execute({"make a store of version 1", script.c_str()});
    }

    /// Opens it with a last step that fails; gives the message.
    std::string failing_migration() const {
        const std::array<Migration, 2> bad = {
            migrations().front(),
            {2, {"go wrong", "CREATE TABLE u (a); DELETE FROM runs; INSERT INTO nowhere VALUES (1)"}}};
        try {
            (void)open_database(path(), false, bad);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            names.push_back(entry.path().filename());
        return names;
    }

    TemporaryFolder folder_;
};

TEST_F(Migrating, KeepsTheRunsOfVersion1) {
    make_version_1();
    Store store(folder_.path());
    const auto document = document::parse(document::maximal_document_text(), "maximal");
    EXPECT_EQ(sorted_text(store.load(document.id)), sorted_text(document));
    EXPECT_TRUE(store.import_document(document).already_there);
    EXPECT_EQ(open_database(path(), false)->number(kVersion), migrations().back().version);

    EXPECT_THAT(store.queue(), IsEmpty());
    EXPECT_FALSE(store.job_of(document.id));
    store.enqueue(job_named("new"));
    EXPECT_EQ(store.claim_next()->run, "new");

    const RetentionPolicy samples_go{std::chrono::milliseconds(0), std::nullopt, 0};
    const auto plan = store.prune_plan(samples_go, 4'000'000'000'000, 10);
    ASSERT_EQ(plan.size(), 1u) << "its samples are known";
    EXPECT_EQ(plan[0].run, document.id);
}

TEST_F(Migrating, RemovesItsCopyOnceItHasSucceeded) {
    make_version_1();
    { const Store store(folder_.path()); }
    EXPECT_THAT(files(), ::testing::ElementsAre("foxbench.db"));
}

TEST_F(Migrating, KeepsItsCopyWhereItFails) {
    make_version_1();
    EXPECT_THAT(failing_migration(),
                HasSubstr("the store stays at schema version 1, and a copy of it is in " + copy().string()));
    for (const auto& database_path : {path(), copy()}) {
        Database database(database_path, false);
        EXPECT_EQ(database.number(kVersion), 1) << database_path;
        EXPECT_EQ(database.number({"", "SELECT count(*) FROM runs"}), 1) << database_path;
        EXPECT_EQ(database.number({"", "SELECT count(*) FROM passes"}), 3) << database_path;
        EXPECT_EQ(database.number({"", "SELECT count(*) FROM sqlite_schema WHERE name = 'u'"}), 0) << database_path;
    }

    std::filesystem::create_directory(folder_.path() / "restored");
    std::filesystem::copy_file(copy(), folder_.path() / "restored" / "foxbench.db");
    EXPECT_EQ(Store(folder_.path() / "restored").list().runs.size(), 1u) << "the copy is a whole store";

    EXPECT_EQ(Store(folder_.path()).list().runs.size(), 1u) << "a later attempt succeeds";
    EXPECT_FALSE(std::filesystem::exists(copy()));
}

TEST_F(Migrating, IsNotBegunWithoutACopy) {
    make_version_1();
    std::filesystem::create_directories(copy() / "in the way");
    EXPECT_THROW((void)open_database(path(), false), Error);
    Database database(path(), false);
    EXPECT_EQ(database.number(kVersion), 1);
}

TEST_F(Migrating, ANewStoreHasNothingToCopy) {
    { const Store store(folder_.path()); }
    EXPECT_THAT(files(), ::testing::ElementsAre("foxbench.db"));
}

TEST_F(Migrating, ProcessesThatOpenAtOnceMigrateOnce) {
    make_version_1();
    std::vector<std::unique_ptr<Child>> children;
    for (int i = 0; i < 4; ++i) {
        children.push_back(std::make_unique<Child>([&](int) {
            if (Store(folder_.path()).list().runs.size() != 1) throw std::runtime_error("the run is not there");
        }));
    }
    for (auto& child : children) EXPECT_EQ(child->wait(), 0);
    EXPECT_FALSE(std::filesystem::exists(copy()));
}

}  // namespace
}  // namespace foxbench::store
