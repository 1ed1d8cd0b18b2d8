#include "service/run/request.hpp"

#include <gmock/gmock.h>

namespace foxbench::run {
namespace {

using testing::HasSubstr;

class RequestTest : public testing::Test {
protected:
    RequestTest() {
        config_.workloads = FOXBENCH_SOURCE_DIR "/workloads";
        for (const char* name : {"base", "patched"}) {
            config::Target target;
            target.name = name;
            config_.targets.push_back(target);
        }
        config_.settle = std::chrono::milliseconds(70);
    }

    /// "member: message".
    std::string fault(const Wanted& wanted) {
        try {
            (void)resolve(wanted, config_);
        } catch (const RequestError& error) {
            return error.member() + ": " + error.what();
        }
        return "(none)";
    }

    config::Config config_;
    Wanted wanted_;
};

TEST_F(RequestTest, ThatAsksForNothingGetsTheDefaults) {
    config_.defaults.launches = 2;
    const auto request = resolve(wanted_, config_);
    EXPECT_EQ(request.plan.workload, "opfs-sync-write");
    EXPECT_EQ(request.plan.preset, "quick");
    ASSERT_EQ(request.targets.size(), 1U);
    EXPECT_EQ(request.targets[0].name, "base");
    EXPECT_EQ(request.launches, 2);
    EXPECT_EQ(request.settle, std::chrono::milliseconds(70));
}

TEST_F(RequestTest, FaultsNameTheirMember) {
    wanted_.workload = "opfs";
    EXPECT_THAT(fault(wanted_), HasSubstr("workload: "));
    wanted_ = {};
    wanted_.preset = "quik";
    EXPECT_THAT(fault(wanted_), testing::AllOf(HasSubstr("preset: "), HasSubstr("quick")));
    wanted_ = {};
    wanted_.overrides = {{"calls", -1}};
    EXPECT_THAT(fault(wanted_), HasSubstr("overrides: "));
    wanted_ = {};
    wanted_.targets = {"patchd"};
    EXPECT_THAT(fault(wanted_), testing::AllOf(HasSubstr("targets: "), HasSubstr("patched")));
    wanted_ = {};
    wanted_.launches = 0;
    EXPECT_THAT(fault(wanted_), HasSubstr("launches: launches: 0 is out of range, 1 to 100"));
}

TEST_F(RequestTest, TextsAreLimitedInCharactersNotBytes) {
    for (int i = 0; i < 100; ++i) wanted_.label += "\u00e4";
    EXPECT_EQ(fault(wanted_), "(none)");
    wanted_.label += "b";
    EXPECT_EQ(fault(wanted_), "label: label: at most 100 characters, not 101");
    wanted_.label.clear();
    wanted_.note = std::string(2001, 'n');
    EXPECT_THAT(fault(wanted_), HasSubstr("note: note: at most 2000"));
}

TEST_F(RequestTest, TextsSteerNoTerminal) {
    for (const char* label : {"\x1b[31m", "a\nb", "a\tb", "\u009b", "a\x7f"}) {
        wanted_.label = label;
        EXPECT_EQ(fault(wanted_), "label: label: it has control characters");
    }
    wanted_.label.clear();
    wanted_.note = "two\r\nlines\tand a tab";
    EXPECT_EQ(fault(wanted_), "(none)");
    wanted_.note = "\x1b]0;x\x07";
    EXPECT_THAT(fault(wanted_), HasSubstr("note: it has control characters other than line breaks"));
}

TEST_F(RequestTest, MayPlantASlowdownIntoTheRunOrIntoOneTarget) {
    wanted_.targets = {"base", "patched"};
    EXPECT_FALSE(resolve(wanted_, config_).plan.config().contains("planted_us"));

    wanted_.overrides = {{"planted_us", 50}};
    auto request = resolve(wanted_, config_);
    EXPECT_EQ(request.plan.config()["planted_us"], 50);
    EXPECT_EQ(plan_of(request, request.targets[1]).for_worker(), request.plan.for_worker());

    wanted_.overrides = document::Json::object();
    wanted_.planted_us = {{"patched", 30}};
    request = resolve(wanted_, config_);
    EXPECT_FALSE(request.plan.config().contains("planted_us"));
    EXPECT_FALSE(plan_of(request, request.targets[0]).for_worker()["parameters"].contains("planted_us"));
    EXPECT_EQ(plan_of(request, request.targets[1]).for_worker()["parameters"]["planted_us"], 30);
    EXPECT_EQ(plan_of(request, request.targets[1]).preset, request.plan.preset);
}

TEST_F(RequestTest, WhatIsPlantedIntoATargetHoldsInPlaceOfTheRuns) {
    config_.targets[0].planted_us = 0;
    config_.targets[1].planted_us = 50;
    wanted_.targets = {"base", "patched"};
    wanted_.overrides = {{"planted_us", 50}};
    const auto request = resolve(wanted_, config_);
    EXPECT_FALSE(plan_of(request, request.targets[0]).for_worker()["parameters"].contains("planted_us"));
    EXPECT_EQ(plan_of(request, request.targets[1]).for_worker()["parameters"]["planted_us"], 50);
    EXPECT_EQ(request.targets[1].planted_us, std::nullopt) << "it says no more than the run does";
}

TEST_F(RequestTest, ThatPlantsTooMuchIsRefused) {
    wanted_.planted_us = {{"base", 100'001}};
    EXPECT_THAT(fault(wanted_), HasSubstr("targets: target base: planted_us: 100001 is out of range, 0 to 100000"));
}

}  // namespace
}  // namespace foxbench::run
