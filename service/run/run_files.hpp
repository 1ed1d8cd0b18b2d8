#pragma once

#include <optional>
#include <string>

#include "service/store/store.hpp"

namespace foxbench::run {

/// Writes the folder of a stored run beside the database: its report and its whole document (store/results_folder.hpp).
/// Throws as the store does.
void write_run_files(const store::Store& store, const std::string& run);

/// The same where the run itself is stored already, so that a full disk must not undo it: gives the fault in one line.
/// The store does not need the files; `foxbench show` and `export` write them again.
[[nodiscard]] std::optional<std::string> try_write_run_files(const store::Store& store, const std::string& run);

}  // namespace foxbench::run
