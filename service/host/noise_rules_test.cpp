#include "service/host/noise_rules.hpp"

#include <gmock/gmock.h>

namespace foxbench::host {
namespace {

using document::Json;
using testing::ElementsAre;
using testing::IsEmpty;

/// What a launch on a quiet machine of two processors says.
Json quiet() {
    return Json::parse(R"({
        "before": {"load_1m": 0.4, "pressure": {"cpu": 3.0, "io": 20.0, "memory": 0.0},
                   "stalled_percent": {"cpu": 2.0, "io": 0.5, "memory": 0.0},
                   "memory_available_bytes": 3000000000, "governor": "performance", "turbo": true,
                   "temperature_c": 55.0, "throttle_count": 7, "fsync_probe": {"median_us": 1000.0, "writes": 200}},
        "after": {"load_1m": 1.4, "pressure": {"cpu": 3.0, "io": 60.0, "memory": 0.0},
                  "memory_available_bytes": 2000000000, "governor": "performance", "turbo": true,
                  "temperature_c": 70.0, "throttle_count": 7, "fsync_probe": {"median_us": 1200.0, "writes": 200}},
        "governor": "performance", "other_cpu_ms": 500.0, "other_cpu_percent": 4.0})");
}

std::vector<std::string> flags_of(const Json& noise, std::optional<std::int64_t> processors = 2) {
    document::Launch launch;
    launch.noise = noise;
    document::RunDocument run;
    run.host.emplace();
    run.host->threads = processors;
    return noise_flags(launch, run);
}

/// The quiet launch with one member changed.
std::vector<std::string> flags_with(const char* pointer, const Json& value) {
    Json noise = quiet();
    noise[Json::json_pointer(pointer)] = value;
    return flags_of(noise);
}

TEST(NoiseRules, AQuietMachineHasNoFlags) {
    EXPECT_THAT(flags_of(quiet()), IsEmpty());
}

TEST(NoiseRules, WhatIsNotKnownIsNotHeldAgainstALaunch) {
    EXPECT_THAT(noise_flags({}, {}), IsEmpty());
    EXPECT_THAT(flags_of(Json::object()), IsEmpty());
    EXPECT_THAT(flags_of(Json::parse(R"({"before": {"load_1m": null, "pressure": null}, "after": {"governor": null},
                                         "governor": null, "other_cpu_ms": null, "other_cpu_percent": null})")),
                IsEmpty());
}

TEST(NoiseRules, OddDocumentsAreSurvived) {
    EXPECT_THAT(flags_of(Json::parse(R"({"before": 7, "after": [], "other_cpu_percent": "all of it"})")), IsEmpty());
    EXPECT_THAT(flags_of(Json::parse(R"({"before": {"fsync_probe": {"median_us": 0}},
                                         "after": {"fsync_probe": {"median_us": 1e300}}})")),
                IsEmpty());
}

TEST(NoiseRules, OtherProcesses) {
    EXPECT_THAT(flags_with("/other_cpu_percent", kNoisyOtherCpuPercent), IsEmpty());
    EXPECT_THAT(flags_with("/other_cpu_percent", 37.2), ElementsAre("other processes used 37 % of a processor"));
}

TEST(NoiseRules, LoadCountsForEachProcessor) {
    EXPECT_THAT(flags_with("/before/load_1m", 2.0), IsEmpty());
    EXPECT_THAT(flags_with("/before/load_1m", 2.5), ElementsAre("the load before was 2.50 on 2 processors"));
    // What the launch itself makes is not held against it.
    EXPECT_THAT(flags_with("/after/load_1m", 9.0), IsEmpty());
    Json noise = quiet();
    noise["before"]["load_1m"] = 2.5;
    EXPECT_THAT(flags_of(noise, 16), IsEmpty());
    EXPECT_THAT(flags_of(noise, 1), ElementsAre("the load before was 2.50 on 1 processor"));
    EXPECT_THAT(flags_of(noise, std::nullopt), IsEmpty());
    noise["before"]["load_1m"] = kOwnLoad;
    EXPECT_THAT(flags_of(noise, 1), IsEmpty()) << "what the launch before left behind";
}

TEST(NoiseRules, StallsInThePauseBefore) {
    EXPECT_THAT(flags_with("/before/stalled_percent/cpu", kNoisyCpuStallPercent), IsEmpty());
    EXPECT_THAT(flags_with("/before/stalled_percent/cpu", 30.0),
                ElementsAre("others waited for a processor 30 % of the time before"));
    EXPECT_THAT(flags_with("/before/stalled_percent/io", kNoisyIoStallPercent), IsEmpty());
    EXPECT_THAT(flags_with("/before/stalled_percent/io", 41.0),
                ElementsAre("others waited for the disk 41 % of the time before"));
    EXPECT_THAT(flags_with("/before/stalled_percent/memory", kNoisyMemoryStallPercent), IsEmpty());
    EXPECT_THAT(flags_with("/before/stalled_percent/memory", 2.0),
                ElementsAre("others waited for memory 2 % of the time before"));
}

TEST(NoiseRules, MeanPressureIsNotJudgedSinceItHoldsWhatWasMeasuredBefore) {
    EXPECT_THAT(flags_with("/before/pressure/io", 90.0), IsEmpty());
    EXPECT_THAT(flags_with("/after/pressure/io", 90.0), IsEmpty());
}

TEST(NoiseRules, LittleMemory) {
    EXPECT_THAT(flags_with("/before/memory_available_bytes", kNoisyMemoryBytes), IsEmpty());
    EXPECT_THAT(flags_with("/before/memory_available_bytes", 100000000),
                ElementsAre("only 100 MB of memory were available"));
    EXPECT_THAT(flags_with("/after/memory_available_bytes", 90000000),
                ElementsAre("only 90 MB of memory were available"));
}

TEST(NoiseRules, AChangeOfTheClockSpeedsRules) {
    EXPECT_THAT(flags_with("/after/governor", "powersave"), ElementsAre("the governor of the processors changed"));
    EXPECT_THAT(flags_with("/after/turbo", false), ElementsAre("the turbo of the processors was switched"));
    EXPECT_THAT(flags_with("/after/turbo", nullptr), IsEmpty());
}

TEST(NoiseRules, Heat) {
    EXPECT_THAT(flags_with("/after/throttle_count", 10), ElementsAre("the processors were throttled for heat"));
    EXPECT_THAT(flags_with("/after/temperature_c", 94.0), IsEmpty());
    EXPECT_THAT(flags_with("/after/temperature_c", 97.0), ElementsAre("the machine was at 97 °C"));
}

TEST(NoiseRules, ADiskThatChangedMeanwhile) {
    EXPECT_THAT(flags_with("/after/fsync_probe/median_us", 1000 * kNoisyProbeFactor), IsEmpty());
    EXPECT_THAT(flags_with("/after/fsync_probe/median_us", 2500.0),
                ElementsAre("a write and sync of the disk took 1000 µs before and 2500 µs after"));
    EXPECT_THAT(flags_with("/after/fsync_probe/median_us", 400.0),
                ElementsAre("a write and sync of the disk took 1000 µs before and 400 µs after"));
}

TEST(NoiseRules, SeveralReasonsStandBesideEachOther) {
    Json noise = quiet();
    noise["other_cpu_percent"] = 12.0;
    noise["after"]["throttle_count"] = 8;
    EXPECT_EQ(flags_of(noise).size(), 2U);
}

}  // namespace
}  // namespace foxbench::host
