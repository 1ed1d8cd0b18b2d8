#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/history/series_history.hpp"
#include "service/stats/filter.hpp"
#include "service/store/alerts.hpp"

/// When a night becomes an alert, and what becomes of it. Pure functions; safe to call from any thread. The rules:
/// docs/statistics.md, "Alerts".
namespace foxbench::alerts {

/// A series up to the night that is judged, and what was noticed in it before.
struct SeriesCase {
    std::string id;                   ///< of the series
    history::SeriesHistory history;   ///< its last night is the one that is judged
    std::vector<store::Alert> known;  ///< alerts of this series, in any order
    double clock_step_us = 0;         ///< of that night
    std::int64_t calls = 1;
    std::string run;           ///< whose night is judged
    bool can_confirm = false;  ///< it can be measured again: else one night alone is no alert
};

/// Alerts to add (suspected ones wait for a confirmation) and to change.
struct Decision {
    std::vector<store::Alerts::Changed> noticed, changed;
};

/// Judges the last night of a series: whether it is out of line by itself, and whether the series has a step that is
/// not known yet. A step near a night that was noticed already (kSameStepNights) belongs to that alert. While an alert
/// goes on, the nights after it that stay at its level are no new ones.
[[nodiscard]] Decision judge_night(const SeriesCase& one, std::int64_t now_ms);

/// A step found so many nights or fewer from one that is known is the same: where exactly a level changed is known to
/// within a segment's smallest length.
inline constexpr std::size_t kSameStepNights = 3;

/// What measuring again says of a suspected alert: confirmed where the median of these launches is out of line on the
/// same side, else not reproduced; still suspected where there is no value. `history` is the series' up to the
/// suspected night.
[[nodiscard]] store::Alerts::Changed judge_confirmation(const store::Alert& alert,
                                                        const history::SeriesHistory& history,
                                                        const std::vector<double>& launch_means_us,
                                                        double clock_step_us, std::int64_t calls);

/// The filters as an array of {"name", "value", "threshold", "unit", "passed"}.
[[nodiscard]] document::Json to_json(const std::vector<stats::Filter>& filters);

}  // namespace foxbench::alerts
