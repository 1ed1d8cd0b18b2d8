#pragma once

#include <algorithm>
#include <optional>

#include "service/document/run_document.hpp"

/// What a run is for, besides measuring: members of the run document that keep it out of histories. Pure functions.
namespace foxbench::document {

/// The member `purpose` of an A/A run, which measures each of its targets against itself.
inline constexpr const char* kPurpose = "purpose";
inline constexpr const char* kAa = "aa";
/// The parameter of a workload that slows down every timed call by so many microseconds, to see whether somebody
/// notices; a target may bear a member of the same name, which then holds in place of the run's.
inline constexpr const char* kPlanted = "planted_us";
/// The member of a pass that says how much was really added to a call, microseconds in the mean.
inline constexpr const char* kPlantedMean = "planted_mean_us";

[[nodiscard]] inline bool is_aa(const RunDocument& run) {
    return run.extra.is_object() && run.extra.value(kPurpose, Json()) == Json(kAa);
}

/// Microseconds that were to be planted into this target's calls; 0: none.
[[nodiscard]] inline double planted_us(const RunDocument& run, const Target& target) {
    const auto number_in = [](const Json& object) -> std::optional<double> {
        if (!object.is_object()) return std::nullopt;
        const auto planted = object.find(kPlanted);
        if (planted == object.end() || !planted->is_number()) return std::nullopt;
        return planted->get<double>();
    };
    return number_in(target.extra).value_or(number_in(run.config).value_or(0));
}

/// Whether something was planted into any of the run's targets, or was to be.
[[nodiscard]] inline bool is_planted(const RunDocument& run) {
    if (planted_us(run, {}) > 0) return true;
    return std::ranges::any_of(run.targets, [&](const Target& target) { return planted_us(run, target) > 0; });
}

}  // namespace foxbench::document
