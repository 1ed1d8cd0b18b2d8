#include "service/host/noise.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace foxbench::host {
namespace {

TEST(LoadAverage, IsTheFirstNumber) {
    EXPECT_EQ(parse_load_1m("0.09 0.06 0.03 2/97 5695\n"), 0.09);
    EXPECT_EQ(parse_load_1m(""), std::nullopt);
}

TEST(PressureFile, GivesTheLastTenSecondsOfSomeTasks) {
    EXPECT_EQ(parse_pressure(
                  "some avg10=3.44 avg60=1.17 avg300=0.50 total=5227497\nfull avg10=9.00 avg60=0 avg300=0 total=0\n"),
              3.44);
    EXPECT_EQ(parse_pressure(""), std::nullopt);
}

TEST(PressureFile, GivesTheWholeTimeOfSomeTasks) {
    EXPECT_EQ(parse_stalled_us("some avg10=3.44 avg60=1.17 avg300=0.50 total=5227497\nfull avg10=9.00 total=1\n"),
              5227497u);
    EXPECT_EQ(parse_stalled_us("full avg10=9.00 avg60=0 avg300=0 total=7\n"), std::nullopt);
    EXPECT_EQ(parse_stalled_us("some avg10=3.44 total=\n"), std::nullopt);
    EXPECT_EQ(parse_stalled_us(""), std::nullopt);
}

TEST(Stalls, AreTheShareOfTheTimeBetween) {
    StallTimes begin, end;
    begin.taken_at_ms = 1000;
    end.taken_at_ms = 1200;
    begin.cpu_us = 500;
    end.cpu_us = 50'500;
    begin.io_us = 7;
    end.io_us = 7;
    end.memory_us = 9;
    const auto stalled = stalled_between(begin, end);
    EXPECT_EQ(stalled.cpu, 25.0);
    EXPECT_EQ(stalled.io, 0.0);
    EXPECT_EQ(stalled.memory, std::nullopt) << "it was not known before";
    end.cpu_us = 1'000'000;
    EXPECT_EQ(stalled_between(begin, end).cpu, 100.0) << "two clocks never agree to the microsecond";
    EXPECT_EQ(stalled_between(end, end).cpu, std::nullopt);
}

TEST(BusyTicks, LeaveIdleTimeOut) {
    EXPECT_EQ(parse_busy_ticks("cpu  100 2 30 4000 500 6 7 8 90 1\ncpu0 1 2 3 4 5 6 7 8 9 10\n"),
              100u + 2 + 30 + 6 + 7 + 8);
    EXPECT_EQ(parse_busy_ticks("cpu0 1 2 3 4 5 6 7 8 9 10\n"), std::nullopt);
    EXPECT_EQ(parse_busy_ticks("cpu  100 2"), std::nullopt);
}

NoiseSnapshot snapshot(double busy_ms, double own_ms, double at_ms) {
    NoiseSnapshot result;
    result.load_1m = 0.5;
    result.pressure.io = 1.25;
    result.memory_available_bytes = 1024;
    result.sensors.governor = "performance";
    result.busy_cpu_ms = busy_ms;
    result.own_cpu_ms = own_ms;
    result.taken_at_ms = at_ms;
    return result;
}

TEST(Noise, CountsWhatOtherProcessesUsed) {
    const auto noise = noise_between(snapshot(1000, 100, 0), snapshot(4000, 2600, 2000));
    EXPECT_EQ(noise, document::Json::parse(R"({
        "before": {"load_1m": 0.5, "pressure": {"cpu": null, "io": 1.25, "memory": null},
                   "memory_available_bytes": 1024, "governor": "performance"},
        "after": {"load_1m": 0.5, "pressure": {"cpu": null, "io": 1.25, "memory": null},
                  "memory_available_bytes": 1024, "governor": "performance"},
        "governor": "performance", "other_cpu_ms": 500.0, "other_cpu_percent": 25.0})"));
}

TEST(Noise, HasWhatTheMachineTellsAndNothingElse) {
    NoiseSnapshot before;
    before.stalled.io = 2.5;
    before.sensors.turbo = false;
    before.sensors.temperature_c = 51.5;
    before.sensors.throttle_count = 3;
    before.probe = {1234.5678, 90};
    const auto noise = noise_between(before, {});
    EXPECT_EQ(noise["before"]["stalled_percent"], document::Json({{"io", 2.5}}));
    EXPECT_EQ(noise["before"]["turbo"], false);
    EXPECT_EQ(noise["before"]["temperature_c"], 51.5);
    EXPECT_EQ(noise["before"]["throttle_count"], 3);
    EXPECT_EQ(noise["before"]["fsync_probe"], document::Json({{"median_us", 1234.568}, {"writes", 90}}));
    for (const char* name : {"stalled_percent", "governor", "turbo", "temperature_c", "throttle_count", "fsync_probe"})
        EXPECT_FALSE(noise["after"].contains(name)) << name;
}

TEST(Noise, IsNeverLessThanNothing) {
    EXPECT_EQ(noise_between(snapshot(0, 0, 0), snapshot(100, 110, 1000))["other_cpu_ms"], 0.0);
}

TEST(Noise, OfAMachineThatTellsNothingIsNull) {
    const auto noise = noise_between({}, {});
    for (const char* name : {"governor", "other_cpu_ms", "other_cpu_percent"})
        EXPECT_TRUE(noise.at(name).is_null()) << name;
    EXPECT_TRUE(noise.at("before").at("load_1m").is_null());
}

TEST(NoiseSnapshot, CountsTheBrowsersGroupAsOurs) {
    const auto without = take_noise_snapshot();
    const auto with_own_group = take_noise_snapshot(::getpgrp());
    EXPECT_GE(with_own_group.own_cpu_ms, without.own_cpu_ms);
    EXPECT_TRUE(without.load_1m.has_value());
    EXPECT_TRUE(without.busy_cpu_ms.has_value());
    EXPECT_GE(with_own_group.taken_at_ms, without.taken_at_ms);
}

}  // namespace
}  // namespace foxbench::host
