#include "service/document/purpose.hpp"

#include <gtest/gtest.h>

namespace foxbench::document {
namespace {

RunDocument two_targets() {
    RunDocument run;
    run.targets.resize(2);
    return run;
}

TEST(Planted, IsNothingUnlessItIsSaid) {
    EXPECT_FALSE(is_planted({}));
    auto run = two_targets();
    EXPECT_FALSE(is_planted(run));
    run.config[kPlanted] = 0;
    EXPECT_FALSE(is_planted(run));
    run.config[kPlanted] = "50";
    EXPECT_FALSE(is_planted(run)) << "a document may hold anything";
}

TEST(Planted, OfTheRunHoldsForEachTarget) {
    auto run = two_targets();
    run.config[kPlanted] = 50;
    EXPECT_TRUE(is_planted(run));
    EXPECT_EQ(planted_us(run, run.targets[0]), 50);
    EXPECT_EQ(planted_us(run, run.targets[1]), 50);
}

TEST(Planted, OfATargetHoldsInPlaceOfTheRuns) {
    auto run = two_targets();
    run.targets[1].extra[kPlanted] = 30;
    EXPECT_TRUE(is_planted(run));
    EXPECT_EQ(planted_us(run, run.targets[0]), 0);
    EXPECT_EQ(planted_us(run, run.targets[1]), 30);
    run.config[kPlanted] = 50;
    run.targets[1].extra[kPlanted] = 0;
    EXPECT_EQ(planted_us(run, run.targets[0]), 50);
    EXPECT_EQ(planted_us(run, run.targets[1]), 0);
}

TEST(Purpose, OfAnAaRunIsTold) {
    RunDocument run;
    EXPECT_FALSE(is_aa(run));
    run.extra[kPurpose] = "aa";
    EXPECT_TRUE(is_aa(run));
    run.extra[kPurpose] = 7;
    EXPECT_FALSE(is_aa(run));
}

}  // namespace
}  // namespace foxbench::document
