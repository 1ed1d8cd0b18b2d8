#pragma once

#include <string>
#include <vector>

#include "service/report/tables.hpp"

/// What the report knows about the workload `opfs-sync-write` beyond its manifest (docs/report-format.md).
namespace foxbench::report {

inline constexpr const char* kOpfsSyncWrite = "opfs-sync-write";
inline constexpr const char* kOpfsHeading = "OPFS sync write benchmark";
inline constexpr const char* kOpfsTitle = "OPFS `FileSystemSyncAccessHandle.write()` per-call overhead benchmark";
/// What the sentence on the median run ends with.
inline constexpr const char* kOpfsFirstCall =
    " (for the append workloads, the first write into the freshly created file)";

/// The Derived lines of one target, in the report's order, each only where its series and their figures are there.
[[nodiscard]] std::vector<DerivedLine> opfs_derived_lines(const std::vector<LatencyRow>& rows);

/// The series that a run with this configuration yields for each target, in order.
[[nodiscard]] std::vector<std::string> opfs_expected_series(const document::Json& config);

}  // namespace foxbench::report
