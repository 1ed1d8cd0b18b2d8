#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace foxbench::benchmarks {

/// One of those that are compared, and its figures, one a round.
struct Contestant {
    std::string name;
    std::vector<double> values;
};

/// The middle value, or the mean of the two middle ones; 0 without values.
[[nodiscard]] double median(std::vector<double> values);

/// Prints a line a contestant (median, smallest, largest, rounds) and, for each after the first, the first one's median
/// divided by its own. Contestants without values are left out.
void print_comparison(std::ostream& out, std::string_view title, std::string_view unit,
                      const std::vector<Contestant>& contestants);

}  // namespace foxbench::benchmarks
