#include "service/schedule/firing.hpp"

#include <algorithm>

namespace foxbench::schedule {

namespace {

using std::chrono::days;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year;

/// Where the arithmetic of dates is at home.
constexpr Instant kFirst = sys_days(year(1) / 1 / 1);
constexpr Instant kLast = sys_days(year(9999) / 12 / 1);

/// No wall clock has ever been set by more than a day (Pacific/Apia 2011, Pacific/Kwajalein 1993), so what it showed
/// longer ago than this is over in any case.
constexpr days kLongestRepeat{2};

}  // namespace

FiringCursor::FiringCursor(const CronExpression& cron, const TimeZone& zone, Instant after)
    : cron_(cron), zone_(zone), position_(std::clamp(after, kFirst, kLast) + seconds(1)) {
    enter(zone_.stretch_at(position_));
}

void FiringCursor::enter(const TimeZone::Stretch& stretch) {
    stretch_ = stretch;
    passed_ = stretch.wall(stretch.begin);
    if (cron_.goes_by_elapsed_time() || stretch.begin <= kFirst) return;
    TimeZone::Stretch earlier = zone_.stretch_at(stretch.begin - seconds(1));
    passed_ = earlier.wall(earlier.end);
    while (earlier.begin > kFirst && earlier.begin > stretch.begin - kLongestRepeat) {
        earlier = zone_.stretch_at(earlier.begin - seconds(1));
        passed_ = std::max(passed_, earlier.wall(earlier.end));
    }
}

std::optional<Instant> FiringCursor::next_in_stretch(Instant before) const {
    const WallTime begin = stretch_.wall(stretch_.begin);
    if (position_ == stretch_.begin && cron_.first_match(passed_, begin)) return position_;
    const auto match =
        cron_.first_match(std::max(stretch_.wall(position_), passed_), stretch_.wall(std::min(stretch_.end, before)));
    if (!match) return std::nullopt;
    return stretch_.instant(*match);
}

std::optional<Instant> FiringCursor::next() {
    const Instant before = std::min(position_ + kHorizon, kLast);
    while (position_ < before) {
        if (const auto firing = next_in_stretch(before)) {
            position_ = *firing + seconds(1);
            if (position_ >= stretch_.end) enter(zone_.stretch_at(position_));
            return firing;
        }
        if (stretch_.end >= before) break;
        position_ = stretch_.end;
        enter(zone_.stretch_at(position_));
    }
    return std::nullopt;
}

std::optional<Instant> next_firing(const CronExpression& cron, const TimeZone& zone, Instant after) {
    return FiringCursor(cron, zone, after).next();
}

std::vector<Instant> next_firings(const CronExpression& cron, const TimeZone& zone, Instant after, std::size_t count) {
    return firings_between(cron, zone, after, Instant::max(), count);
}

std::vector<Instant> firings_between(const CronExpression& cron, const TimeZone& zone, Instant after, Instant until,
                                     std::size_t limit) {
    std::vector<Instant> firings;
    FiringCursor cursor(cron, zone, after);
    while (firings.size() < limit) {
        const auto firing = cursor.next();
        if (!firing || *firing > until) break;
        firings.push_back(*firing);
    }
    return firings;
}

}  // namespace foxbench::schedule
