#include "service/schedule/firing.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "service/schedule/testing/instants.hpp"

namespace foxbench::schedule {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::at;
using testing::written;

/// One line of testing/firing_cases.txt.
struct Case {
    int line = 0;
    std::string zone, cron, after;
    std::string firings;  ///< "2024-03-31 01:00, ..."
};

std::vector<Case> read_cases() {
    std::ifstream file(FOXBENCH_SOURCE_DIR "/service/schedule/testing/firing_cases.txt");
    std::vector<Case> cases;
    std::string line;
    for (int number = 1; std::getline(file, line); ++number) {
        if (line.empty() || line.starts_with('#')) continue;
        Case one;
        one.line = number;
        std::istringstream parts(line);
        for (std::string* part : {&one.zone, &one.cron, &one.after, &one.firings}) {
            std::getline(parts, *part, '|');
            part->erase(0, part->find_first_not_of(' '));
            part->erase(part->find_last_not_of(' ') + 1);
        }
        cases.push_back(one);
    }
    return cases;
}

TEST(Firings, AreThoseOfTheReference) {
    const auto cases = read_cases();
    ASSERT_GE(cases.size(), 60U);
    for (const auto& one : cases) {
        const auto count = std::count(one.firings.begin(), one.firings.end(), ',') + 1;
        const auto firings = next_firings(CronExpression::parse(one.cron), TimeZone::find(one.zone), at(one.after),
                                          static_cast<std::size_t>(count));
        EXPECT_EQ(written(firings), one.firings)
            << "firing_cases.txt:" << one.line << ": " << one.zone << " " << one.cron;
    }
}

TEST(Firings, AreStrictlyAfter) {
    const auto daily = CronExpression::parse("0 2 * * *");
    const auto zone = TimeZone::utc();
    EXPECT_EQ(next_firing(daily, zone, at("2024-02-28 01:59:59")), at("2024-02-28 02:00"));
    EXPECT_EQ(next_firing(daily, zone, at("2024-02-28 02:00")), at("2024-02-29 02:00"));
    EXPECT_EQ(next_firing(daily, zone, at("2024-02-28 02:00:01")), at("2024-02-29 02:00"));
}

TEST(Firings, BetweenTwoMomentsIncludeTheLater) {
    const auto hourly = CronExpression::parse("@hourly");
    const auto zone = TimeZone::utc();
    EXPECT_EQ(written(firings_between(hourly, zone, at("2024-01-01 00:00"), at("2024-01-01 02:00"), 10)),
              "2024-01-01 01:00, 2024-01-01 02:00");
    EXPECT_EQ(written(firings_between(hourly, zone, at("2024-01-01 00:00"), at("2024-01-01 09:00"), 2)),
              "2024-01-01 01:00, 2024-01-01 02:00");
    EXPECT_TRUE(firings_between(hourly, zone, at("2024-01-01 00:00"), at("2024-01-01 00:59:59"), 10).empty());
    EXPECT_TRUE(firings_between(hourly, zone, at("2024-01-01 02:00"), at("2024-01-01 00:00"), 10).empty());
    EXPECT_TRUE(next_firings(hourly, zone, at("2024-01-01 00:00"), 0).empty());
}

TEST(Firings, OfALeapDayAreFoundAcrossAYearThatIsNone) {
    // 2100 is no leap year, so this is the longest wait for a date.
    EXPECT_EQ(next_firing(CronExpression::parse("0 0 29 2 *"), TimeZone::utc(), at("2096-02-29 00:00")),
              at("2104-02-29 00:00"));
}

TEST(Firings, RarerThanTheHorizonAreNone) {
    // 29 February is a Sunday in 2032, next after 2004.
    const auto rare = CronExpression::parse("0 0 29 2 */7");
    EXPECT_EQ(next_firing(rare, TimeZone::utc(), at("2004-03-01 00:00")), std::nullopt);
    EXPECT_EQ(next_firing(rare, TimeZone::utc(), at("2026-01-01 00:00")), at("2032-02-29 00:00"));
}

TEST(Firings, OfMomentsBeyondAllCalendarsEnd) {
    const auto minutely = CronExpression::parse("* * * * *");
    EXPECT_EQ(next_firing(minutely, TimeZone::find("Europe/Berlin"), Instant::max()), std::nullopt);
    EXPECT_NE(next_firing(minutely, TimeZone::find("Europe/Berlin"), Instant::min()), std::nullopt);
}

/// What holds of any zone and expression, in words of firing.hpp, over years that have all kinds of changes.
class FiringProperties : public ::testing::TestWithParam<const char*> {
protected:
    static constexpr std::size_t kEnough = 1'000'000;

    TimeZone zone_ = TimeZone::find(GetParam());

    [[nodiscard]] std::vector<Instant> firings(const CronExpression& cron, Instant from, Instant until) const {
        return firings_between(cron, zone_, from, until, kEnough);
    }
    [[nodiscard]] WallTime wall(Instant instant) const { return zone_.stretch_at(instant).wall(instant); }
    /// Whether the wall clock is set at this moment, and by how much.
    [[nodiscard]] seconds set_by(Instant instant) const {
        const auto stretch = zone_.stretch_at(instant);
        if (stretch.begin != instant) return seconds(0);
        return stretch.offset - zone_.stretch_at(instant - seconds(1)).offset;
    }
    [[nodiscard]] static bool names(const CronExpression& cron, WallTime time) {
        return cron.first_match(time, time + seconds(1)).has_value();
    }
};

TEST_P(FiringProperties, OfATimeOfDay) {
    for (const char* text :
         {"0 0 * * *", "30 2 * * *", "*/15 1-3 * * *", "0 23,0 * * *", "10,40 2 * * sun", "5 2 29-31 * *"}) {
        SCOPED_TRACE(text);
        const auto cron = CronExpression::parse(text);
        std::set<WallTime> seen;
        Instant previous = Instant::min();
        for (const Instant firing : firings(cron, at("2005-01-01 00:00"), at("2031-01-01 00:00"))) {
            ASSERT_GT(firing, previous);
            previous = firing;
            const WallTime time = wall(firing);
            EXPECT_TRUE(seen.insert(time).second) << "twice at the same wall time: " << written({firing});
            if (names(cron, time)) continue;
            const seconds gap = set_by(firing);
            ASSERT_GT(gap, seconds(0)) << "neither a time of the expression nor the end of a gap: "
                                       << written({firing});
            EXPECT_TRUE(cron.first_match(time - gap, time)) << "nothing was skipped: " << written({firing});
        }
    }
}

TEST_P(FiringProperties, OfATimeOfDayLoseNoDay) {
    // Each date has one firing, also the one that does not exist in Apia: it is made up for at the end of the gap.
    const auto cron = CronExpression::parse("30 2 * * *");
    const auto from = at("2005-01-01 12:00");
    const auto until = at("2031-01-01 12:00");
    const auto dates = std::chrono::floor<days>(wall(until)) - std::chrono::floor<days>(wall(from));
    const auto count = static_cast<long>(firings(cron, from, until).size());
    EXPECT_NEAR(static_cast<double>(count), static_cast<double>(dates.count()), 1.0);
}

TEST_P(FiringProperties, OfEverySoOftenKeepTheirDistance) {
    // All these zones' offsets are of whole quarters of an hour.
    const auto cron = CronExpression::parse("*/15 * * * *");
    Instant previous = at("2010-01-01 00:00");
    for (const Instant firing : firings(cron, previous, at("2014-01-01 00:00"))) {
        ASSERT_EQ(firing - previous, minutes(15)) << written({previous, firing});
        previous = firing;
    }
}

TEST_P(FiringProperties, DoNotDependOnWhereTheWalkBegins) {
    for (const char* text : {"*/20 1-3 * * *", "30 * * * *", "0 0 * * *"}) {
        SCOPED_TRACE(text);
        const auto cron = CronExpression::parse(text);
        const auto all = firings(cron, at("2011-03-01 00:00"), at("2012-03-01 00:00"));
        for (std::size_t index = 1; index < all.size(); ++index) {
            ASSERT_EQ(next_firing(cron, zone_, all[index - 1]), all[index]);
            ASSERT_EQ(next_firing(cron, zone_, all[index] - seconds(1)), all[index]);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Zones, FiringProperties,
                         ::testing::Values("Europe/Berlin", "America/New_York", "Australia/Lord_Howe",
                                           "America/Sao_Paulo", "Asia/Kathmandu", "Africa/Casablanca", "Pacific/Apia",
                                           "America/Havana", "Antarctica/Troll", "America/St_Johns", "Asia/Gaza",
                                           "UTC"));

}  // namespace
}  // namespace foxbench::schedule
