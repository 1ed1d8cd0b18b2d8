#pragma once

#include <string>

#include "service/store/store.hpp"

namespace foxbench::run {

/// Writes the folder of a stored run beside the database: its report and its whole document (store/results_folder.hpp).
/// Throws as the store does.
void write_run_files(const store::Store& store, const std::string& run);

}  // namespace foxbench::run
