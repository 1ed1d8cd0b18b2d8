#include "service/daemon/expected_waits.hpp"

#include <algorithm>

namespace foxbench::daemon {
namespace {

/// More would include what the machine was like long ago.
constexpr std::size_t kPastRuns = 5;

}  // namespace

std::optional<double> expected_seconds(const store::Job& job, const store::Store& reader) {
    const auto& request = job.request;
    const auto past = reader.past_durations(request.at("workload").get<std::string>(),
                                            request.at("config").at("preset").get<std::string>(), kPastRuns);
    if (past.empty()) return std::nullopt;
    std::vector<double> a_launch;
    for (const auto& run : past) a_launch.push_back(run.seconds / static_cast<double>(run.launches_of_all_targets));
    std::ranges::sort(a_launch);
    return a_launch[a_launch.size() / 2] * request.at("launches").get<double>() *
           static_cast<double>(request.at("targets").size());
}

std::vector<std::optional<double>> expected_waits(std::optional<double> first,
                                                  const std::vector<std::optional<double>>& lengths) {
    std::vector<std::optional<double>> waits;
    std::optional<double> wait = first;
    for (const auto& length : lengths) {
        waits.push_back(wait);
        wait = wait && length ? std::optional(*wait + *length) : std::nullopt;
    }
    return waits;
}

}  // namespace foxbench::daemon
