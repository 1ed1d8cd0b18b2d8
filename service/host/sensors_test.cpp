#include "service/host/sensors.hpp"

#include <gtest/gtest.h>

#include "service/host/test_tree.hpp"

namespace foxbench::host {
namespace {

using testing_support::Tree;

TEST(Sensors, OfAMachineThatTellsNothingAreEmpty) {
    const Tree sys;
    sys.write("devices/system/cpu/cpu0/topology/core_id", "0");
    const auto sensors = read_sensors(sys.path());
    EXPECT_EQ(sensors.governor, std::nullopt);
    EXPECT_EQ(sensors.turbo, std::nullopt);
    EXPECT_EQ(sensors.temperature_c, std::nullopt);
    EXPECT_EQ(sensors.throttle_count, std::nullopt);
}

TEST(Sensors, NameEachGovernorOnce) {
    const Tree sys;
    for (const char* cpu : {"cpu0", "cpu1", "cpu10"})
        sys.write(std::string("devices/system/cpu/") + cpu + "/cpufreq/scaling_governor", "performance");
    EXPECT_EQ(read_sensors(sys.path()).governor, "performance");
    sys.write("devices/system/cpu/cpu11/cpufreq/scaling_governor", "powersave");
    EXPECT_EQ(read_sensors(sys.path()).governor, "performance, powersave");
}

TEST(Sensors, KnowTheTurboOfEitherDriver) {
    const Tree intel, other;
    intel.write("devices/system/cpu/intel_pstate/no_turbo", "1");
    EXPECT_EQ(read_sensors(intel.path()).turbo, false);
    intel.write("devices/system/cpu/intel_pstate/no_turbo", "0");
    EXPECT_EQ(read_sensors(intel.path()).turbo, true);
    other.write("devices/system/cpu/cpufreq/boost", "0");
    EXPECT_EQ(read_sensors(other.path()).turbo, false);
    other.write("devices/system/cpu/cpufreq/boost", "no number");
    EXPECT_EQ(read_sensors(other.path()).turbo, std::nullopt);
}

TEST(Sensors, TakeTheHottestOfTheProcessorsNotOfTheDisks) {
    const Tree sys;
    sys.write("class/hwmon/hwmon0/name", "nvme");
    sys.write("class/hwmon/hwmon0/temp1_input", "99000");
    EXPECT_EQ(read_sensors(sys.path()).temperature_c, std::nullopt);
    sys.write("class/hwmon/hwmon1/name", "coretemp");
    sys.write("class/hwmon/hwmon1/temp1_input", "51000");
    sys.write("class/hwmon/hwmon1/temp2_input", "62500");
    sys.write("class/hwmon/hwmon1/temp2_max", "100000");
    EXPECT_EQ(read_sensors(sys.path()).temperature_c, 62.5);
}

TEST(Sensors, FallBackToThermalZones) {
    const Tree sys;
    sys.write("class/thermal/thermal_zone0/type", "acpitz");
    sys.write("class/thermal/thermal_zone0/temp", "90000");
    sys.write("class/thermal/thermal_zone1/type", "cpu-thermal");
    sys.write("class/thermal/thermal_zone1/temp", "48312");
    EXPECT_EQ(read_sensors(sys.path()).temperature_c, 48.312);
}

TEST(Sensors, AddUpHowOftenProcessorsWereThrottled) {
    const Tree sys;
    sys.write("devices/system/cpu/cpu0/thermal_throttle/core_throttle_count", "3");
    sys.write("devices/system/cpu/cpu1/thermal_throttle/core_throttle_count", "4");
    EXPECT_EQ(read_sensors(sys.path()).throttle_count, 7U);
}

TEST(Sensors, OfThisMachineAreReadWithoutAFault) {
    const auto sensors = read_sensors();
    EXPECT_LT(sensors.temperature_c.value_or(0), 200);
    EXPECT_NE(sensors.governor, "");
}

}  // namespace
}  // namespace foxbench::host
