#include "service/schedule/time_zone.hpp"

#include <fstream>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"
#include "service/schedule/testing/instants.hpp"

namespace foxbench::schedule {
namespace {

namespace fs = std::filesystem;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::at;
using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal(const std::string& name) {
    try {
        (void)TimeZone::find(name);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        return error.what();
    }
    return {};
}

TEST(TimeZones, AreFoundByTheirNames) {
    for (const char* name : {"Europe/Berlin", "America/Argentina/Buenos_Aires", "UTC", "Etc/UTC", "Etc/GMT+5"})
        EXPECT_EQ(TimeZone::find(name).name(), name);
    EXPECT_EQ(TimeZone::utc().name(), "UTC");
    EXPECT_EQ(TimeZone::find("UTC"), TimeZone::utc());
}

TEST(TimeZones, UnknownOnesAreRefusedWithTheNearestNames) {
    EXPECT_THAT(refusal("Europe/Berln"), HasSubstr("Did you mean 'Europe/Berlin'?"));
    EXPECT_THAT(refusal("europe/berlin"), HasSubstr("Did you mean 'Europe/Berlin'?"));
    EXPECT_THAT(refusal("Berlin"), HasSubstr("Did you mean 'Europe/Berlin'?"));
    EXPECT_THAT(refusal("new york"), HasSubstr("Did you mean 'America/New_York'?"));
    EXPECT_THAT(refusal("utc"), HasSubstr("Did you mean 'UTC' or 'Etc/UTC'?"));
    for (const char* name : {"", "Nowhere/Atall", "+02:00", "/etc/localtime", "../Europe/Berlin"})
        EXPECT_THAT(refusal(name), HasSubstr("there is no time zone")) << name;
}

TEST(TimeZones, OfLeapSecondsAndOfTheMachineAreNone) {
    for (const char* name : {"right/Europe/Berlin", "posix/Europe/Berlin", "localtime", "posixrules"})
        EXPECT_NE(refusal(name), "") << name;
}

TEST(TimeZones, AreRefusedOnOneLineOfBoundedLength) {
    EXPECT_THAT(refusal("Europe/\nBerlin\x1b"), Not(::testing::AnyOf(HasSubstr("\n"), HasSubstr("\x1b"))));
    EXPECT_LT(refusal(std::string(100'000, 'x')).size(), 300U);
}

TEST(TimeZones, KeepTheirOffsetForAStretch) {
    const auto summer = TimeZone::find("Europe/Berlin").stretch_at(at("2024-07-01 00:00"));
    EXPECT_EQ(summer.begin, at("2024-03-31 01:00"));
    EXPECT_EQ(summer.end, at("2024-10-27 01:00"));
    EXPECT_EQ(summer.offset, hours(2));
    const auto now = at("2024-07-01 10:00");
    EXPECT_EQ(summer.wall(now).time_since_epoch(), now.time_since_epoch() + hours(2));
    EXPECT_EQ(summer.instant(summer.wall(now)), now);

    EXPECT_EQ(TimeZone::find("Asia/Kathmandu").stretch_at(now).offset, hours(5) + minutes(45));
    EXPECT_EQ(TimeZone::utc().stretch_at(now).offset, seconds(0));
    EXPECT_GT(TimeZone::utc().stretch_at(now).end, at("9999-01-01 00:00"));
}

/// A machine's files, in a folder of their own.
class LocalZone : public ::testing::Test {
protected:
    LocalZone() {
        std::random_device random;
        folder_ = fs::path(::testing::TempDir()) / ("foxbench-zone-" + std::to_string(random()));
        fs::create_directory(folder_);
        sources_.localtime = folder_ / "localtime";
        sources_.timezone_file = folder_ / "timezone";
    }
    ~LocalZone() override {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    [[nodiscard]] std::string name() const { return TimeZone::local(sources_).name(); }
    void link(const fs::path& target) { fs::create_symlink(target, sources_.localtime); }
    void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

    fs::path folder_;
    LocalZoneSources sources_;
};

TEST_F(LocalZone, IsWhatTheVariableNames) {
    link("/usr/share/zoneinfo/Europe/Berlin");
    for (const char* variable :
         {"Asia/Tokyo", ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo", ":/usr/share/zoneinfo/Asia/Tokyo"}) {
        sources_.tz_variable = variable;
        EXPECT_EQ(name(), "Asia/Tokyo") << variable;
    }
}

TEST_F(LocalZone, IsUtcWhereTheVariableNamesNone) {
    link("/usr/share/zoneinfo/Europe/Berlin");
    for (const char* variable :
         {"", ":", "CET-1CEST,M3.5.0,M10.5.0/3", "Europe/Nowhere", "/tmp/Berlin", "UTC0", "localtime"}) {
        sources_.tz_variable = variable;
        EXPECT_EQ(name(), "UTC") << variable;
    }
}

TEST_F(LocalZone, IsWhatTheLinkLeadsTo) {
    link("../usr/share/zoneinfo/Europe/Berlin");
    write(sources_.timezone_file, "Asia/Tokyo\n");
    EXPECT_EQ(name(), "Europe/Berlin");
}

TEST_F(LocalZone, IsWhatALinkToALinkLeadsTo) {
    fs::create_directories(folder_ / "zoneinfo" / "Europe");
    write(folder_ / "zoneinfo" / "Europe" / "Berlin", "");
    fs::create_symlink(folder_ / "zoneinfo" / "Europe" / "Berlin", folder_ / "chosen");
    link(folder_ / "chosen");
    EXPECT_EQ(name(), "Europe/Berlin");
}

TEST_F(LocalZone, IsWhatTheFileNamesWhereTheLinkIsACopy) {
    write(sources_.localtime, "TZif2");
    write(sources_.timezone_file, "Asia/Tokyo\n");
    EXPECT_EQ(name(), "Asia/Tokyo");
}

TEST_F(LocalZone, IsUtcWhereNothingTells) {
    EXPECT_EQ(name(), "UTC");
    write(sources_.timezone_file, "\n");
    EXPECT_EQ(name(), "UTC");
    link(folder_ / "nowhere");
    EXPECT_EQ(name(), "UTC");
}

}  // namespace
}  // namespace foxbench::schedule
