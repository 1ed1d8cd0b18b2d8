#include "service/daemon/run_request.hpp"

#include <gmock/gmock.h>

#include "service/http/problem.hpp"

namespace foxbench::daemon {
namespace {

using document::Json;
using testing::HasSubstr;

class RunRequestTest : public testing::Test {
protected:
    RunRequestTest() {
        config_.workloads = FOXBENCH_SOURCE_DIR "/workloads";
        config::Target target;
        target.name = "firefox";
        config_.targets = {target};
    }

    /// "pointer: detail" of each fault, a line each.
    std::string faults(const Json& body) {
        try {
            (void)parse_run_request(body, config_);
        } catch (const http::Problem& problem) {
            EXPECT_EQ(problem.status, 422U);
            std::string text;
            for (const auto& fault : problem.errors) text += fault.pointer + ": " + fault.detail + "\n";
            return text;
        }
        return "(accepted)";
    }

    config::Config config_;
};

TEST_F(RunRequestTest, OfNothingIsTheDefaultRun) {
    const auto asked = parse_run_request(Json::object(), config_);
    EXPECT_EQ(asked.job.request.plan.preset, "quick");
    EXPECT_EQ(asked.job.request.trigger["kind"], "http");
    EXPECT_EQ(asked.priority, 0);
}

TEST_F(RunRequestTest, TakesEverythingThatItMayHave) {
    const auto asked = parse_run_request({{"workload", "opfs-sync-write"},
                                          {"preset", "full"},
                                          {"overrides", {{"calls", 100}, {"cases", {"small-append"}}}},
                                          {"targets", {"firefox"}},
                                          {"launches", 3},
                                          {"label", "l"},
                                          {"note", nullptr},
                                          {"priority", -5}},
                                         config_);
    EXPECT_EQ(asked.job.request.plan.preset, "full+overrides");
    EXPECT_EQ(asked.job.request.launches, 3);
    EXPECT_EQ(asked.priority, -5);
}

TEST_F(RunRequestTest, NamesEveryFaultyMember) {
    EXPECT_EQ(faults({{"launches", "3"}, {"lable", "x"}, {"targets", "firefox"}}),
              "/launches: launches: expected a whole number\n"
              "/lable: there is no member 'lable'. Did you mean 'label'?\n"
              "/targets: targets: expected a list of names\n");
    EXPECT_THAT(faults(Json::array()), HasSubstr("expected an object"));
    EXPECT_THAT(faults({{"launches", 1.5}}), HasSubstr("/launches: "));
    EXPECT_THAT(faults({{"priority", 1001}}), HasSubstr("/priority: "));
}

TEST_F(RunRequestTest, GivesTheConfigurationsRefusalItsPlace) {
    EXPECT_THAT(faults({{"targets", {"firefx"}}}), testing::StartsWith("/targets: "));
    EXPECT_THAT(faults({{"overrides", {{"calls", 0}}}}), testing::StartsWith("/overrides: "));
    EXPECT_THAT(faults({{"preset", "x"}}), testing::StartsWith("/preset: "));
}

TEST_F(RunRequestTest, LetsNobodyNameABinary) {
    EXPECT_THAT(faults({{"binary", "/bin/sh"}}), HasSubstr("/binary: there is no member 'binary'"));
    EXPECT_THAT(faults({{"targets", {{{"name", "firefox"}, {"binary", "/bin/sh"}}}}}), HasSubstr("/targets: "));
}

}  // namespace
}  // namespace foxbench::daemon
