#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace foxbench::workload {

/// The numbers that a formula may name.
using Variables = std::map<std::string, std::int64_t>;

/// The value of a manifest's formula such as `ceil(calls * bytes / chunk)`: + - * / and parentheses, ceil, min, max,
/// and the variables. Throws Error (usage) for what is no formula, for an unknown name, and where the value is no whole
/// number from 0 to 2^53. Pure.
[[nodiscard]] std::int64_t evaluate(const std::string& formula, const Variables& variables);

}  // namespace foxbench::workload
