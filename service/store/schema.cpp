#include "service/store/schema.hpp"

#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "service/error.hpp"
#include "service/store/database_copy.hpp"

namespace foxbench::store {
namespace {

/// "fxbn", in the file's header (https://sqlite.org/fileformat2.html#application_id): says whose database it is.
constexpr std::int64_t kApplicationId = 0x6678626E;
constexpr Sql kSetApplicationId{"mark the database", "PRAGMA application_id = 0x6678626E"};
constexpr Sql kApplicationIdOf{"read the database's mark", "PRAGMA application_id"};
constexpr Sql kVersionOf{"read the schema's version", "PRAGMA user_version"};
constexpr Sql kCountTables{"look for tables", "SELECT count(*) FROM sqlite_schema"};

/// Incremental: space is given back when a run is removed, and at no other time. It has to be said before the first
/// table is made; later it would be a write, and wait for other writers, at every opening.
constexpr Sql kAutoVacuum{"set up the database", "PRAGMA auto_vacuum = INCREMENTAL"};
constexpr Sql kJournalIsWal{"read the journal's mode", "SELECT journal_mode = 'wal' FROM pragma_journal_mode"};
constexpr Sql kUseWal{"switch to write-ahead logging", "PRAGMA journal_mode = WAL"};
/// FULL: each commit is synced, which WAL does not do by default. The limit keeps one large import from leaving a large
/// log behind.
constexpr Sql kConnection{"set up the connection",
                          "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA journal_size_limit = 4194304"};

/// SQLite does not wait for other connections when it changes the mode, so that two processes that make a store at once
/// would fail.
void use_wal(Database& database) {
    using namespace std::chrono;
    constexpr milliseconds kPause{10};
    const auto deadline = steady_clock::now() + Database::kBusyTimeout;
    while (database.number(kJournalIsWal) == 0) {
        try {
            database.execute(kUseWal);
            return;  // also where the filesystem cannot do it: then SQLite stays with its rollback journal, as durable
        } catch (const Error&) {
            if (!database.failed_busy() || steady_clock::now() >= deadline) throw;
        }
        std::this_thread::sleep_for(kPause);
    }
}

void refuse_foreign(Database& database, bool is_new) {
    if (is_new || database.number(kApplicationIdOf) == kApplicationId) return;
    throw Error(ErrorCode::environment,
                "store: " + database.path().string() + " is a database of something else; use another results folder");
}

void refuse_newer(Database& database, std::int64_t newest) {
    const std::int64_t version = database.number(kVersionOf);
    if (version <= newest) return;
    throw Error(ErrorCode::unsupported, "store: " + database.path().string() + " has schema version " +
                                            std::to_string(version) + ", this foxbench knows up to " +
                                            std::to_string(newest) + "; use a newer foxbench");
}

void apply(Database& database, std::span<const Migration> steps, std::int64_t version) {
    for (const Migration& step : steps) {
        if (step.version > version) database.execute(step.script);
    }
    database.execute(kSetApplicationId);
    const std::string set_version = "PRAGMA user_version = " + std::to_string(steps.back().version);
    database.execute({"note the schema's version", set_version.c_str()});
}

std::filesystem::path copy_of_version(const Database& database, std::int64_t version) {
    std::filesystem::path copy = database.path();
    copy += ".v" + std::to_string(version) + ".bak";
    return copy;
}

void migrate(Database& database, std::span<const Migration> steps) {
    if (database.number(kVersionOf) == steps.back().version) return;
    Transaction transaction(database, Transaction::Kind::write);
    const std::int64_t version = database.number(kVersionOf);  // again: another process may have been faster
    refuse_newer(database, steps.back().version);
    if (version == steps.back().version) return;
    if (version == 0) {  // just made
        apply(database, steps, version);
        transaction.commit();
        return;
    }
    // With the write lock held, so that nothing is written between the copy and the first step.
    const std::filesystem::path copy = copy_of_version(database, version);
    copy_database(database.path(), copy, Existing::replace);
    try {
        apply(database, steps, version);
        transaction.commit();
    } catch (const Error& error) {
        throw Error(error.code(), std::string(error.what()) + "; the store stays at schema version " +
                                      std::to_string(version) + ", and a copy of it is in " + copy.string());
    }
    std::error_code ignored;  // a copy too many does no harm
    std::filesystem::remove(copy, ignored);
}

}  // namespace

std::unique_ptr<Database> open_database(const std::filesystem::path& path, bool create,
                                        std::span<const Migration> steps) {
    auto database = std::make_unique<Database>(path, create);
    const bool is_new = database->number(kCountTables) == 0 && database->number(kApplicationIdOf) == 0;
    refuse_foreign(*database, is_new);
    refuse_newer(*database, steps.back().version);
    if (is_new) database->execute(kAutoVacuum);
    use_wal(*database);
    database->execute(kConnection);
    migrate(*database, steps);
    return database;
}

}  // namespace foxbench::store
