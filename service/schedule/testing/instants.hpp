#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "service/schedule/time_zone.hpp"

/// Moments as the tests of schedules write them. Kept apart from the code under test, which knows no such text.
namespace foxbench::schedule::testing {

/// "2024-03-31 01:00" or "2024-03-31 01:00:30", in UTC.
[[nodiscard]] inline Instant at(const std::string& text) {
    int year = 0;
    unsigned month = 0, day = 0;
    int hour = 0, minute = 0, second = 0;
    if (std::sscanf(text.c_str(), "%d-%u-%u %d:%d:%d", &year, &month, &day, &hour, &minute, &second) < 5)
        throw std::invalid_argument("not a moment: " + text);
    return std::chrono::sys_days(std::chrono::year(year) / static_cast<int>(month) / static_cast<int>(day)) +
           std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
}

/// "2024-03-31 01:00, 2024-04-01 00:30", in UTC; seconds only where there are some.
[[nodiscard]] inline std::string written(const std::vector<Instant>& instants) {
    std::string result;
    for (const Instant instant : instants) {
        const auto day = std::chrono::floor<std::chrono::days>(instant);
        const std::chrono::year_month_day date(day);
        const std::chrono::hh_mm_ss time(instant - day);
        char buffer[64];
        std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02u %02d:%02d", static_cast<int>(date.year()),
                      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()));
        result += (result.empty() ? "" : ", ") + std::string(buffer);
        if (time.seconds().count() != 0) result += ':' + std::to_string(time.seconds().count());
    }
    return result;
}

}  // namespace foxbench::schedule::testing
