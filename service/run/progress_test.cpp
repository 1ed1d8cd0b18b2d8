#include "service/run/progress.hpp"

#include <gtest/gtest.h>

namespace foxbench::run {
namespace {

workload::Plan two_sequences() {
    workload::Plan plan;
    plan.passes = 1;
    plan.sequences.resize(2);
    return plan;
}

TEST(PassClock, SaysNothingBeforeEverySequenceWasSeen) {
    PassClock clock(two_sequences(), 1);
    EXPECT_EQ(clock.eta_seconds(), std::nullopt);
    clock.finished(0, 1);
    EXPECT_EQ(clock.eta_seconds(), std::nullopt);
    clock.finished(0, 3);
    clock.finished(1, 10);
    EXPECT_EQ(clock.eta_seconds(), 10);
}

TEST(PassClock, TakesTheMeanOfEachSequencesPasses) {
    PassClock clock(two_sequences(), 2);
    for (const double seconds : {1.0, 3.0}) clock.finished(0, seconds);
    for (const double seconds : {10.0, 20.0}) clock.finished(1, seconds);
    EXPECT_EQ(clock.eta_seconds(), 2 * 2.0 + 2 * 15.0);
    clock.launch_ended();
    EXPECT_EQ(clock.eta_seconds(), 2 * 2.0 + 2 * 15.0);
    clock.finished(0, 2);
    EXPECT_EQ(clock.eta_seconds(), 1 * 2.0 + 2 * 15.0);
}

TEST(PassClock, ForgetsWhatALaunchThatFailedHadLeft) {
    PassClock clock(two_sequences(), 2);
    clock.finished(0, 2);
    clock.finished(0, 2);
    clock.finished(1, 4);
    clock.launch_ended();
    EXPECT_EQ(clock.eta_seconds(), 2 * 2.0 + 2 * 4.0);
    clock.launch_ended();
    EXPECT_EQ(clock.eta_seconds(), 0);
}

}  // namespace
}  // namespace foxbench::run
