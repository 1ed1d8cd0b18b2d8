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

}  // namespace
}  // namespace foxbench::run
