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
    [[nodiscard]] const Outbox& outbox() const noexcept { return outbox_; }
    void set_outbox(Outbox outbox) { outbox_ = std::move(outbox); }

private:
    std::filesystem::path dir_;
    std::unique_ptr<Database> database_;
    Outbox outbox_;
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

/// The name of a baseline that the run is.
[[nodiscard]] std::optional<std::string> baseline_of(Database& database, std::int64_t run_key);

/// Remembers an answer within the caller's transaction. False where the key has one already, which stays.
bool insert_answer(Database& database, const std::string& key, const StoredAnswer& answer, std::int64_t now_ms);

/// Stores a delivery within the caller's transaction; gives its id.
std::int64_t insert_delivery(Database& database, const Delivery& delivery);

/// Gives the pages that nothing uses any more back to the disk, in steps that let other writers in between. Another
/// process that is just reading can keep it from happening now; that is no error, the next call gets them.
void give_space_back(Database& database) noexcept;

}  // namespace foxbench::store
