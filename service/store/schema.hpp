#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

#include "service/store/sqlite.hpp"

/// The database's tables and how older ones become today's.
namespace foxbench::store {

/// One step from schema version `version - 1` to `version`. Never changed once released: a change is a further
/// migration.
struct Migration {
    std::int64_t version;
    Sql script;
};

/// All of them, in order. The last one's version is the schema of this foxbench.
[[nodiscard]] std::span<const Migration> migrations() noexcept;

/// Opens the database and brings it to the last of `steps`, all or nothing. An older database that has something to
/// lose is copied before the first step, to "NAME.v1.bak" beside it for version 1: the copy is removed once the new
/// version is on the disk, and stays where a step failed. Throws `unsupported` where the database is newer than the
/// last step, `environment` where it cannot be opened, copied, written, or is a database of something else.
[[nodiscard]] std::unique_ptr<Database> open_database(const std::filesystem::path& path, bool create,
                                                      std::span<const Migration> steps = migrations());

}  // namespace foxbench::store
