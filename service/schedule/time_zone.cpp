#include "service/schedule/time_zone.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <date/tz.h>

#include "service/error.hpp"
#include "service/schedule/quote.hpp"
#include "service/text/words.hpp"

namespace foxbench::schedule {

namespace {

constexpr std::string_view kUtc = "UTC";
constexpr Instant kBeginOfTime = std::chrono::sys_days(std::chrono::year(0) / 1 / 1);
constexpr Instant kEndOfTime = std::chrono::sys_days(std::chrono::year(10'000) / 1 / 1);
/// As many as fit into a message that is read.
constexpr std::size_t kSuggestedNames = 3;

const date::tzdb& database() {
    try {
        return date::get_tzdb();
    } catch (const std::exception& error) {
        throw Error(ErrorCode::environment, std::string("cannot read the system's time zones (") + error.what() +
                                                "); install the package tzdata, or use the zone UTC");
    }
}

/// Variants of the whole database and the machine's own choice lie in the same folder.
bool is_zone_name(std::string_view name) {
    return !name.starts_with("posix/") && !name.starts_with("right/") && name != "posixrules" && name != "localtime";
}

const date::time_zone* find_zone(std::string_view name) {
    if (!is_zone_name(name)) return nullptr;
    const auto& zones = database().zones;
    const auto found =
        std::find_if(zones.begin(), zones.end(), [&](const date::time_zone& zone) { return zone.name() == name; });
    return found == zones.end() ? nullptr : &*found;
}

/// How people write names: "new york" for America/New_York.
std::string folded(std::string_view name) {
    std::string result(name);
    for (char& letter : result)
        letter = letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return result;
}

/// Those that differ only in case or lack the region; else the one that it is probably a slip of.
std::vector<std::string> nearest_names(std::string_view name) {
    const std::string wanted = folded(name);
    std::vector<std::string> all, near;
    for (const auto& zone : database().zones) {
        if (!is_zone_name(zone.name())) continue;
        all.push_back(zone.name());
        const std::string known = folded(zone.name());
        if (known == wanted || (!wanted.empty() && known.ends_with("/" + wanted))) near.push_back(zone.name());
    }
    std::stable_partition(near.begin(), near.end(), [&](const auto& known) { return folded(known) == wanted; });
    if (near.size() > kSuggestedNames) near.resize(kSuggestedNames);
    if (near.empty() && name.size() <= detail::kQuotedLength) {
        if (auto slip = text::nearest(name, all)) near.push_back(std::move(*slip));
    }
    return near;
}

/// "Europe/Berlin" of "/usr/share/zoneinfo/Europe/Berlin", also of "../usr/share/zoneinfo/posix/Europe/Berlin".
std::string name_in_path(const std::string& path) {
    constexpr std::string_view folder = "zoneinfo/";
    const auto at = path.find(folder);
    if (at == std::string::npos) return {};
    std::string name = path.substr(at + folder.size());
    for (const std::string_view variant : {"posix/", "right/"})
        if (name.starts_with(variant)) name.erase(0, variant.size());
    return name;
}

std::string named_by_variable(std::string_view variable) {
    if (variable.starts_with(':')) variable.remove_prefix(1);
    return variable.starts_with('/') ? name_in_path(std::string(variable)) : std::string(variable);
}

std::string named_by_link(const std::filesystem::path& link) {
    std::error_code none;
    const auto target = std::filesystem::read_symlink(link, none);
    if (none) return {};
    const std::string name = name_in_path(target.string());
    if (!name.empty()) return name;
    return name_in_path(std::filesystem::canonical(link, none).string());
}

std::string named_by_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::string name;
    file >> name;
    return name;
}

}  // namespace

TimeZone::TimeZone(std::string name, const date::time_zone* zone) : name_(std::move(name)), zone_(zone) {}

TimeZone TimeZone::utc() {
    return {std::string(kUtc), nullptr};
}

TimeZone TimeZone::find(const std::string& name) {
    if (name == kUtc) return utc();
    if (const auto* zone = find_zone(name)) return {name, zone};
    const auto near = nearest_names(name);
    throw Error(ErrorCode::usage, "there is no time zone " + detail::quote(name) + "." +
                                      (near.empty() ? " A name is like 'Europe/Berlin' or 'UTC'; `timedatectl "
                                                      "list-timezones` lists them."
                                                    : " Did you mean '" + text::join(near, "' or '") + "'?"));
}

TimeZone TimeZone::local() {
    LocalZoneSources sources;
    if (const char* variable = std::getenv("TZ")) sources.tz_variable = variable;
    return local(sources);
}

TimeZone TimeZone::local(const LocalZoneSources& sources) {
    const auto zone_or_utc = [](const std::string& name) {
        try {
            if (const auto* zone = name == kUtc ? nullptr : find_zone(name)) return TimeZone(name, zone);
        } catch (const Error&) {
            // Without a database there is only UTC.
        }
        return utc();
    };
    // A TZ that is set decides, also where it is empty, which the C library takes as UTC.
    if (sources.tz_variable) return zone_or_utc(named_by_variable(*sources.tz_variable));
    const std::string linked = named_by_link(sources.localtime);
    return zone_or_utc(linked.empty() ? named_by_file(sources.timezone_file) : linked);
}

TimeZone::Stretch TimeZone::stretch_at(Instant instant) const {
    Stretch stretch{kBeginOfTime, kEndOfTime, {}};
    if (zone_ != nullptr) {
        const auto info = zone_->get_info(date::sys_seconds(instant.time_since_epoch()));
        stretch.begin = std::max(stretch.begin, Instant(info.begin.time_since_epoch()));
        stretch.end = std::min(stretch.end, Instant(info.end.time_since_epoch()));
        stretch.offset = info.offset;
    }
    return stretch;
}

}  // namespace foxbench::schedule
