#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/compare/comparison.hpp"
#include "service/store/store.hpp"

/// Comparing stored runs by the words that people use for them.
namespace foxbench::store {

/// What stands before a baseline's name.
inline constexpr std::string_view kBaselinePrefix = "baseline:";

/// Two sides: each an id, a unique beginning of one, `latest` or `baseline:NAME`, with `:TARGET` after it where one of
/// the run's targets is meant. Without, targets are paired by name, and a run's only target with another one's only
/// one.
struct CompareRequest {
    std::string base, next;
    bool force = false;  ///< also what cannot be compared (compare::obstacles)
};

/// Throws Error: `not_found` and `usage` for words that mean nothing or several things, `conflict` where the two must
/// not be compared, saying why. Reads the store only, as one call after the other.
[[nodiscard]] std::vector<compare::Comparison> compare_runs(Store& store, const CompareRequest& request);

}  // namespace foxbench::store
