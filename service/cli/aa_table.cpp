#include "service/cli/aa_table.hpp"

#include <algorithm>
#include <cstdio>

#include "service/cli/aligned.hpp"
#include "service/cli/settings.hpp"
#include "service/history/points.hpp"

namespace foxbench::cli {
namespace {

using document::Json;

std::string figure(const char* format, double value) {
    char text[48];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

}  // namespace

Json aa_json(const document::RunDocument& run) {
    Json all = Json::array();
    for (const auto& result : history::aa_results(run)) {
        const double spread = result.spread.log_sd;
        const double threshold = std::max(stats::kSmallestThreshold, stats::kSpreads * spread);
        all.push_back({{"target", result.key.target},
                       {"series", result.key.series},
                       {"launches", result.spread.launches},
                       {"mean_us", result.median_us},
                       {"spread_percent", spread * 100},
                       {"threshold_percent", threshold * 100},
                       {"compared", result.compared},
                       {"false_call", result.false_call}});
    }
    return all;
}

std::string aa_table(const document::RunDocument& run) {
    std::vector<std::vector<std::string>> rows{
        {"TARGET", "SERIES", "LAUNCHES", "MEAN", "SPREAD", "CHANGES COUNT ABOVE", "HALVES"}};
    std::size_t launches = 0;
    for (const auto& result : aa_json(run)) {
        launches = std::max(launches, result.at("launches").get<std::size_t>());
        const bool compared = result.at("compared").get<bool>();
        rows.push_back({for_terminal(result.at("target").get<std::string>()),
                        for_terminal(result.at("series").get<std::string>()), result.at("launches").dump(),
                        figure("%.1f µs", result.at("mean_us").get<double>()),
                        figure("%.1f %%", result.at("spread_percent").get<double>()),
                        figure("%.1f %%", result.at("threshold_percent").get<double>()),
                        !compared                             ? "too few launches"
                        : result.at("false_call").get<bool>() ? "called different, though they are one build"
                                                              : "not called different"});
    }
    std::string text = align_columns(rows);
    if (launches < stats::kMinAaLaunches)
        text += "Comparisons go by A/A runs of " + std::to_string(stats::kMinAaLaunches) +
                " launches and more: --launches 10\n";
    return text;
}

}  // namespace foxbench::cli
