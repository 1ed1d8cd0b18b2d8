#include "benchmarks/comparison.hpp"

#include <algorithm>
#include <iomanip>
#include <ostream>

namespace foxbench::benchmarks {

double median(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void print_comparison(std::ostream& out, std::string_view title, std::string_view unit,
                      const std::vector<Contestant>& contestants) {
    std::size_t width = 0;
    for (const auto& contestant : contestants) width = std::max(width, contestant.name.size());
    const double first = contestants.empty() ? 0 : median(contestants.front().values);

    out << title << '\n' << std::fixed;
    for (const auto& [name, values] : contestants) {
        if (values.empty()) continue;
        const auto [smallest, largest] = std::minmax_element(values.begin(), values.end());
        const double middle = median(values);
        out << "  " << std::left << std::setw(static_cast<int>(width)) << name << std::right << std::setprecision(1)
            << "  median " << std::setw(9) << middle << ' ' << unit << "  (" << *smallest << " to " << *largest << ", "
            << values.size() << " rounds)";
        if (&values != &contestants.front().values && middle > 0) {
            out << "  " << contestants.front().name << " ÷ this: " << std::setprecision(2) << first / middle;
        }
        out << '\n';
    }
    out << std::flush;
}

}  // namespace foxbench::benchmarks
