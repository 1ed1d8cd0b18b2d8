#pragma once

#include <filesystem>

#include "service/store/durable_file.hpp"

namespace foxbench::store {

/// Writes a consistent copy of a database, as it is at this moment, while others read and write it; nobody waits. The
/// copy is one file without free pages, there whole or not at all. Throws `environment` as opening and writing do, and
/// `conflict` where `existing` is refuse and there is such a file.
void copy_database(const std::filesystem::path& database, const std::filesystem::path& copy, Existing existing);

}  // namespace foxbench::store
