#include "service/store/database_copy.hpp"

#include <string>
#include <system_error>

#include <unistd.h>

#include "service/store/sqlite.hpp"

namespace foxbench::store {
namespace {

constexpr const char* kVacuumInto = "VACUUM INTO ?1";

/// A file that is removed at the end, with what SQLite may have left beside it.
class TemporaryFile {
public:
    explicit TemporaryFile(std::filesystem::path path) : path_(std::move(path)) { remove(); }
    ~TemporaryFile() { remove(); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

private:
    void remove() const noexcept {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
        std::filesystem::remove(path_.string() + "-journal", ignored);
    }

    std::filesystem::path path_;
};

}  // namespace

void copy_database(const std::filesystem::path& database, const std::filesystem::path& copy, Existing existing) {
    const TemporaryFile temporary(copy.string() + ".tmp" + std::to_string(getpid()));
    {
        // A connection of its own: the caller's may be in a transaction, where a VACUUM is not allowed.
        Database source(database, false);
        const std::string what = "copy the database to " + copy.string();
        source.prepare_once(what.c_str(), kVacuumInto).bind(temporary.path().string()).run();
    }
    publish_file(temporary.path(), copy, existing);
}

}  // namespace foxbench::store
