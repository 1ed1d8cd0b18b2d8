#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace date {
class time_zone;
}

namespace foxbench::schedule {

/// A moment, the same all over the world; whole seconds since 1970 in UTC, without leap seconds.
using Instant = std::chrono::sys_seconds;

/// Where a machine says which zone it is in; TimeZone::local() reads it.
struct LocalZoneSources {
    std::optional<std::string> tz_variable;                 ///< the environment's TZ
    std::filesystem::path localtime = "/etc/localtime";     ///< a link into the zone files; localtime(5)
    std::filesystem::path timezone_file = "/etc/timezone";  ///< Debian's, for where that is a copy
};

/// A zone of the IANA time zone database, as installed on the system (tzdata). The database is read once, so a zone
/// whose rules are changed by an update of tzdata is seen after a restart.
///
/// The database is compiled up to 2037; later the last offset stays.
///
/// A small value; const operations may run on several threads.
class TimeZone {
public:
    /// "Europe/Berlin". Throws Error (usage) with the nearest names for one that is unknown (names are matched
    /// exactly), Error (environment) where the system has no database.
    [[nodiscard]] static TimeZone find(const std::string& name);
    /// "UTC"; needs no database.
    [[nodiscard]] static TimeZone utc();
    /// The machine's: what TZ names, else what /etc/localtime links to, else the name in /etc/timezone. UTC where none
    /// of them names a zone of the database, as for TZ=CET-1CEST, which describes one without naming it.
    [[nodiscard]] static TimeZone local();
    [[nodiscard]] static TimeZone local(const LocalZoneSources& sources);

    [[nodiscard]] const std::string& name() const noexcept { return name_; }

    /// A time [begin, end) during which the wall clock keeps its distance from UTC. Two in a row may have the same one.
    struct Stretch {
        Instant begin;
        Instant end;
        std::chrono::seconds offset{};  ///< wall clock - UTC

        [[nodiscard]] std::chrono::local_seconds wall(Instant instant) const {
            return std::chrono::local_seconds(instant.time_since_epoch() + offset);
        }
        [[nodiscard]] Instant instant(std::chrono::local_seconds wall) const {
            return Instant(wall.time_since_epoch() - offset);
        }
    };
    /// The stretch that `instant` lies in. Its ends are as far away as the years 0 and 10,000 where nothing changes.
    [[nodiscard]] Stretch stretch_at(Instant instant) const;

    [[nodiscard]] friend bool operator==(const TimeZone& left, const TimeZone& right) {
        return left.name_ == right.name_;
    }

private:
    TimeZone(std::string name, const date::time_zone* zone);

    std::string name_;
    const date::time_zone* zone_ = nullptr;  ///< the database's, which lives as long as the process; none for UTC
};

}  // namespace foxbench::schedule
