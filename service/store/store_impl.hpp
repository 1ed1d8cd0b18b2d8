#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "service/store/sqlite.hpp"
#include "service/store/store.hpp"

/// What Store's operations, which stand in a file for each group of them, work on.
namespace foxbench::store {

class Store::Impl {
public:
    Impl(const std::filesystem::path& results_dir, Mode mode);

    [[nodiscard]] const std::filesystem::path& dir() const noexcept { return dir_; }
    [[nodiscard]] Database& database() noexcept { return *database_; }

private:
    std::filesystem::path dir_;
    std::unique_ptr<Database> database_;
};

[[nodiscard]] inline std::int64_t now_ms() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

/// The id under which a new run can be stored: `wanted`, or with -2, -3, ... where that is taken. Throws `usage` where
/// it is no id.
[[nodiscard]] std::string free_id_for(Database& database, const std::string& wanted);

/// Stores the run and its job, within the caller's transaction; gives the run's id.
[[nodiscard]] std::string insert_job(Database& database, const NewJob& job);
/// Whether the run waits in the queue.
[[nodiscard]] bool is_queued_job(Database& database, std::int64_t run_key);

/// Gives the pages that nothing uses any more back to the disk, in steps that let other writers in between. Another
/// process that is just reading can keep it from happening now; that is no error, the next call gets them.
void give_space_back(Database& database) noexcept;

}  // namespace foxbench::store
