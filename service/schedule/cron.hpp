#pragma once

#include <bitset>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace foxbench::schedule {

/// What a wall clock shows: a date and a time of day without a zone.
using WallTime = std::chrono::local_seconds;

/// When something repeats, as crontab(5) writes it: "minute hour day-of-month month day-of-week".
///
/// A field is a list (`1,15`) of numbers, ranges (`9-17`), and steps over a range or over everything (`9-17/2`,
/// `*/15`). Months and days of the week have their English names of three letters too, in any case: `jan`, `MON-Fri`.
/// Sunday is 0 and 7, and `sun` at the end of a range is 7 (`fri-sun`). Ranges do not wrap otherwise: `22-23,0-2`, not
/// `22-2`. A step needs a range (`5-59/10`, not `5/10`), and is at most the field's largest value.
///
/// Where both day fields are restricted, either is enough, as in Vixie cron: `0 2 1 * mon` is the first of the month
/// and every Monday. A field that begins with `*` is not restricted, and then both have to agree: `0 2 */2 * mon` is
/// each Monday with an odd date.
///
/// For the whole: @hourly (0 * * * *), @daily and @midnight (0 0 * * *), @nightly (0 2 * * *), @weekly (0 0 * * 0),
/// @monthly (0 0 1 * *), @yearly and @annually (0 0 1 1 *).
///
/// A value; const operations may run on several threads.
class CronExpression {
public:
    /// Throws Error (usage), in one line: the field, the column (from 1) in `text`, what was expected, an example. Also
    /// for an expression that never fires (`0 0 31 2 *`).
    [[nodiscard]] static CronExpression parse(std::string_view text);

    /// As it was given.
    [[nodiscard]] const std::string& text() const noexcept { return text_; }

    /// The first moment in [`from`, `before`) that the expression names, always a whole minute. It costs a few steps a
    /// month, not one a minute.
    [[nodiscard]] std::optional<WallTime> first_match(WallTime from, WallTime before) const;

    /// Whether it says "every so often" rather than "at this time of the day": its hour field begins with `*`, or names
    /// all hours. Such expressions go by elapsed time where clocks are changed; see next_firing().
    [[nodiscard]] bool goes_by_elapsed_time() const noexcept { return every_hour_; }

    [[nodiscard]] friend bool operator==(const CronExpression& left, const CronExpression& right) {
        return left.text_ == right.text_;
    }

private:
    CronExpression() = default;

    [[nodiscard]] bool matches_day(std::chrono::local_days day, std::chrono::day day_of_month) const;
    [[nodiscard]] bool ever_fires() const;

    std::string text_;
    std::bitset<60> minutes_;
    std::bitset<24> hours_;
    std::bitset<32> days_of_month_;  ///< from 1
    std::bitset<13> months_;         ///< from 1
    std::bitset<7> days_of_week_;    ///< from Sunday
    bool either_day_ = false;        ///< both day fields are restricted
    bool every_hour_ = false;
};

}  // namespace foxbench::schedule
