#pragma once

#include <filesystem>
#include <string_view>

/// Files that are there whole or not at all, also after the machine lost power. Errors are foxbench::Error
/// (environment) with the path, the system's text and what to do.
namespace foxbench::store {

/// Makes the folder and those above it.
void make_directories(const std::filesystem::path& directory);

/// Makes what was created, renamed or removed in a folder last.
void sync_directory(const std::filesystem::path& directory);

/// Writes a file in place of what is there: a temporary file beside it, synced, renamed over it, the folder synced.
void write_durably(const std::filesystem::path& path, std::string_view content);

/// What is to happen where a file of the name is there already.
enum class Existing { replace, refuse };

/// Gives a finished temporary file of the same folder its name, after syncing it. Throws `conflict` where `existing` is
/// refuse and something has the name; the temporary file stays then.
void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path, Existing existing);

}  // namespace foxbench::store
