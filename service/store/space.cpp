#include "service/store/store_impl.hpp"

namespace foxbench::store {
namespace {

constexpr Sql kFreePages{"look for free pages", "PRAGMA freelist_count"};
/// 2 MiB at a time, which takes a few milliseconds: another writer waits no longer than that.
constexpr Sql kGiveSomeBack{"give space back", "PRAGMA incremental_vacuum(512)"};
constexpr Sql kShrinkLog{"shrink the log", "PRAGMA wal_checkpoint(TRUNCATE)"};

/// Others are not waited for: a reader may take its time, a backup does.
class NoWaiting {
public:
    explicit NoWaiting(Database& database) : database_(database) {
        database_.set_busy_timeout(std::chrono::milliseconds(0));
    }
    ~NoWaiting() { database_.set_busy_timeout(Database::kBusyTimeout); }
    NoWaiting(const NoWaiting&) = delete;
    NoWaiting& operator=(const NoWaiting&) = delete;

private:
    Database& database_;
};

}  // namespace

void give_space_back(Database& database) noexcept {
    const NoWaiting no_waiting(database);
    try {
        std::int64_t free = database.number(kFreePages);
        while (free > 0) {
            database.execute(kGiveSomeBack);
            const std::int64_t left = database.number(kFreePages);
            if (left >= free) break;  // others free pages as fast, or the database does not give any back
            free = left;
        }
        database.execute(kShrinkLog);
    } catch (const std::exception&) {
        // Somebody else is writing. What freed the pages has happened; that they come back later is no reason to fail.
    }
}

}  // namespace foxbench::store
