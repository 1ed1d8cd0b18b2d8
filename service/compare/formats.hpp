#pragma once

#include <string>
#include <vector>

#include "service/compare/comparison.hpp"

/// render() of each format: see render.hpp.
namespace foxbench::compare {

[[nodiscard]] std::string to_markdown(const std::vector<Comparison>& comparisons, bool explain);
/// A row a series that both sides have, figures in full; columns do not depend on what is compared. `explain` adds one
/// column.
[[nodiscard]] std::string to_csv(const std::vector<Comparison>& comparisons, bool explain);
/// {"verdict", "comparisons": [{"base", "new", "verdict", "warnings", "differences", "range", "series": [...],
/// "only_base", "only_new"}]}; figures in full with units in their names, null where there is none.
[[nodiscard]] std::string to_json(const std::vector<Comparison>& comparisons, bool explain);
[[nodiscard]] std::string to_html(const std::vector<Comparison>& comparisons, bool explain);

}  // namespace foxbench::compare
