#pragma once

#include <cstddef>

struct sqlite3_vfs;

/// For tests: a disk that fails on order.
namespace foxbench::store {

/// Lies over SQLite's file access (https://sqlite.org/vfs.html) for every database that is opened while it exists, and
/// makes writes and syncs fail. One at a time, on one thread.
class FaultyVfs {
public:
    enum class Fault {
        full,   ///< a write: no space left
        write,  ///< a write: the disk reported an error
        sync    ///< a sync: the same
    };

    FaultyVfs();
    FaultyVfs(const FaultyVfs&) = delete;
    FaultyVfs& operator=(const FaultyVfs&) = delete;
    /// The databases have to be closed by then.
    ~FaultyVfs();

    /// From now on the call of that kind number `first` (from 1) fails, and each one after it, until heal().
    void fail_from(Fault fault, std::size_t first);
    void heal();
    /// How many calls have failed since fail_from().
    [[nodiscard]] std::size_t failed() const noexcept;
};

}  // namespace foxbench::store
