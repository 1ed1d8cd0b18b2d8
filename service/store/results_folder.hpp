#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

/// The folder of a run beside the database, which people and other programs can read without foxbench: `summary.md` and
/// `run.json.zst`. The database does not need it. Errors are foxbench::Error (environment) with path and advice.
/// Callable from any thread, but for one run from one at a time.
namespace foxbench::store {

/// What a file with a run document may hold once decompressed: 60 million samples, well above the largest run (100
/// launches of the full preset have 43 million) and still a size that fits into memory.
inline constexpr std::size_t kMaxDocumentBytes = std::size_t{384} << 20;

/// results/<run>; throws `usage` where `run` is no id, so that nothing outside the results folder can be named.
[[nodiscard]] std::filesystem::path run_folder(const std::filesystem::path& results_dir, const std::string& run);

/// Writes both files, each whole or not at all, and on the disk when it returns. `document_json` is compressed here.
void write_run_folder(const std::filesystem::path& results_dir, const std::string& run,
                      std::string_view summary_markdown, std::string_view document_json);

/// Removes the run's folder with all that is in it; no error where there is none.
void remove_run_folder(const std::filesystem::path& results_dir, const std::string& run);

/// The text of a file to import, a run document or a report: decompressed if it is a zstd frame, whatever its name. "-"
/// is not special. Throws `not_found` where there is no such file, `usage` where it is damaged or larger than
/// `max_bytes`.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path, std::size_t max_bytes = kMaxDocumentBytes);

}  // namespace foxbench::store
