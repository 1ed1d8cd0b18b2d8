#include "service/store/schema.hpp"

#include <array>
#include <fstream>
#include <functional>

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/store/test_support.hpp"

namespace foxbench::store {
namespace {

using ::testing::HasSubstr;

constexpr Sql kVersion{"read the version", "PRAGMA user_version"};
constexpr Sql kTables{"count the tables", "SELECT count(*) FROM sqlite_schema"};

class Schema : public ::testing::Test {
protected:
    [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "foxbench.db"; }

    static std::string refusal(const std::function<void()>& call, ErrorCode code) {
        try {
            call();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            return error.what();
        }
        return "";
    }

private:
    TemporaryFolder folder_;
};

TEST_F(Schema, OfANewDatabaseIsTheNewest) {
    const auto database = open_database(path(), true);
    EXPECT_EQ(database->number(kVersion), migrations().back().version);
    EXPECT_EQ(database->number({"", "PRAGMA auto_vacuum"}), 2);  // incremental
    EXPECT_EQ(database->number({"", "PRAGMA synchronous"}), 2);  // FULL
    EXPECT_EQ(database->number({"", "PRAGMA foreign_keys"}), 1);
    EXPECT_EQ(database->number({"", "SELECT journal_mode = 'wal' FROM pragma_journal_mode"}), 1);
}

TEST_F(Schema, OfAnOlderOneIsMigratedAndKeepsItsRows) {
    const std::array<Migration, 1> old = {{{1, {"one", "CREATE TABLE t (a); INSERT INTO t VALUES (7)"}}}};
    const std::array<Migration, 2> now = {old[0], {2, {"two", "ALTER TABLE t ADD COLUMN b DEFAULT 1"}}};
    (void)open_database(path(), true, old);
    const auto database = open_database(path(), true, now);
    EXPECT_EQ(database->number(kVersion), 2);
    EXPECT_EQ(database->number({"", "SELECT a + b FROM t"}), 8);
}

TEST_F(Schema, StaysAsItWasWhereAMigrationFails) {
    const std::array<Migration, 1> old = {{{1, {"one", "CREATE TABLE t (a)"}}}};
    const std::array<Migration, 2> bad = {old[0], {2, {"two", "CREATE TABLE u (a); INSERT INTO nowhere VALUES (1)"}}};
    (void)open_database(path(), true, old);
    EXPECT_THROW(open_database(path(), true, bad), Error);
    const auto database = open_database(path(), true, old);
    EXPECT_EQ(database->number(kVersion), 1);
    EXPECT_EQ(database->number(kTables), 1);
}

TEST_F(Schema, OfANewerFoxbenchIsRefused) {
    open_database(path(), true)->execute({"", "PRAGMA user_version = 99"});
    EXPECT_THAT(refusal([&] { (void)open_database(path(), true); }, ErrorCode::unsupported),
                HasSubstr("has schema version 99, this foxbench knows up to 4"));
}

TEST_F(Schema, OfAnotherProgramIsRefusedAndLeftAlone) {
    Database(path(), true).execute({"", "CREATE TABLE moz_places (url)"});
    EXPECT_THAT(refusal([&] { (void)open_database(path(), true); }, ErrorCode::environment),
                HasSubstr("is a database of something else"));
    EXPECT_EQ(Database(path(), false).number(kTables), 1);
}

TEST_F(Schema, NotADatabaseIsRefused) {
    std::ofstream(path())
        << "This is a text, and it is long enough to be looked at as a database's header by SQLite, it seems.";
    EXPECT_THAT(refusal([&] { (void)open_database(path(), true); }, ErrorCode::environment),
                HasSubstr("file is not a database; the file is damaged"));
}

TEST_F(Schema, FullDiskSaysSo) {
    const auto database = open_database(path(), true);
    database->execute({"", "PRAGMA max_page_count = 1"});  // raised to the present size
    const std::string message = refusal(
        [&] {
            database->execute({"store a lot", "CREATE TABLE big (a); INSERT INTO big VALUES (zeroblob(1000000))"});
        },
        ErrorCode::environment);
    EXPECT_THAT(message, HasSubstr("could not store a lot (" + path().string() +
                                   "): database or disk is full; free space on its disk"));
}

TEST_F(Schema, DatabaseThatCannotBeWrittenSaysSo) {
    const auto database = open_database(path(), true);
    database->execute({"", "PRAGMA query_only = ON"});  // root may write any file, so that modes show nothing here
    const std::string message = refusal(
        [&] {
            database->execute({"store it", "CREATE TABLE t (a)"});
        },
        ErrorCode::environment);
    EXPECT_THAT(message, HasSubstr("attempt to write a readonly database; make the file and its folder writable"));
}

TEST_F(Schema, FolderThatIsNotThereSaysSo) {
    EXPECT_THAT(
        refusal([&] { (void)open_database(path().parent_path() / "no" / "x.db", true); }, ErrorCode::environment),
        HasSubstr("unable to open database file; see that the folder is there"));
}

}  // namespace
}  // namespace foxbench::store
