#pragma once

#include <string>

#include "service/report/tables.hpp"

namespace foxbench::report {

/// The means of all series as a dot plot on a logarithmic axis: one band a series, in it one mark a target with a
/// whisker from the fastest to the slowest pass. An SVG element for a page of html_page(), with title and description
/// for those who do not see it. Empty where no series has a mean above zero.
[[nodiscard]] std::string dot_plot(const Tables& tables);

}  // namespace foxbench::report
