#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

#include "service/schedule/cron.hpp"
#include "service/schedule/time_zone.hpp"

/// When schedules fire. Pure; callable from any thread.
///
/// Where clocks are changed, an expression that names a time of the day fires when the wall clock first reaches or
/// passes that time:
/// - a time that is skipped in spring fires once, at the moment after the gap, however many of the expression's times
///   lie in it (`*/10 2 * * *` too);
/// - an hour that is repeated in autumn fires the first time only.
///
/// An expression that names every so many hours (CronExpression::goes_by_elapsed_time(): `*/15 * * * *`, `0 */2 * * *`)
/// fires whenever the wall clock shows one of its times, as in Vixie cron: in both of a repeated hour, and not after a
/// gap for what lay in it. So `*/15 * * * *` keeps its 15 minutes throughout.
namespace foxbench::schedule {

/// What does not fire within so long is taken as not firing any more: 29 February is at most 8 years from the next one
/// (1896 and 1904, 2096 and 2104).
inline constexpr std::chrono::days kHorizon{8 * 366};

/// Walks through the firings of an expression from one to the next, for less than asking for each anew. Keeps
/// references to what it is made of.
class FiringCursor {
public:
    /// The first firing is strictly after `after`.
    FiringCursor(const CronExpression& cron, const TimeZone& zone, Instant after);
    FiringCursor(CronExpression&&, const TimeZone&, Instant) = delete;
    FiringCursor(const CronExpression&, TimeZone&&, Instant) = delete;

    /// The next firing; nullopt where there is none within kHorizon, or before the year 10,000.
    [[nodiscard]] std::optional<Instant> next();

private:
    void enter(const TimeZone::Stretch& stretch);
    [[nodiscard]] std::optional<Instant> next_in_stretch(Instant before) const;

    const CronExpression& cron_;
    const TimeZone& zone_;
    Instant position_;  ///< the first instant not yet looked at; in stretch_
    TimeZone::Stretch stretch_;
    WallTime passed_;  ///< the wall clock had shown or jumped over all times before this one when stretch_ began
};

/// The first firing strictly after `after`; nullopt where there is none within kHorizon.
[[nodiscard]] std::optional<Instant> next_firing(const CronExpression& cron, const TimeZone& zone, Instant after);

/// The first `count` firings strictly after `after`, fewer where they end.
[[nodiscard]] std::vector<Instant> next_firings(const CronExpression& cron, const TimeZone& zone, Instant after,
                                                std::size_t count);

/// The firings in (`after`, `until`], the first `limit` of them.
[[nodiscard]] std::vector<Instant> firings_between(const CronExpression& cron, const TimeZone& zone, Instant after,
                                                   Instant until, std::size_t limit);

}  // namespace foxbench::schedule
