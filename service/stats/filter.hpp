#pragma once

#include <optional>
#include <string>

namespace foxbench::stats {

/// One of the conditions that a verdict was made from, as the code that made it saw it.
struct Filter {
    std::string name;                 ///< "interval excludes no change", in words that stand in a table
    std::optional<double> value;      ///< what was seen; empty where it cannot be had
    std::optional<double> threshold;  ///< what it was held against
    std::string unit;                 ///< "%", "µs", "launches", "nights", "" for a plain number
    bool passed = false;
};

}  // namespace foxbench::stats
