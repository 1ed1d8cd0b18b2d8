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
    EXPECT_THAT(faults({{"targets", {{{"name", "firefox"}, {"binary", "/bin/sh"}}}}}),
                HasSubstr("/targets/0/binary: there is no member 'binary'"));
}

TEST_F(RunRequestTest, MayPlantASlowdownInOneTarget) {
    config_.targets.push_back(config_.targets.front());
    config_.targets.back().name = "other";
    const auto asked =
        parse_run_request(Json::parse(R"({"targets": ["firefox", {"name": "other", "planted_us": 50}]})"), config_);
    const auto& targets = asked.job.request.targets;
    ASSERT_EQ(targets.size(), 2u);
    EXPECT_EQ(targets[0].planted_us, std::nullopt);
    EXPECT_EQ(targets[1].planted_us, 50);
    EXPECT_EQ(faults(Json::parse(R"({"targets": ["firefox", {"name": "other", "planted_us": -1}]})")),
              "/targets/1/planted_us: planted_us: expected 0 to 100000\n");
    EXPECT_EQ(faults(Json::parse(R"({"targets": [{"planted_us": 1.5}]})")),
              "/targets/0/planted_us: planted_us: expected a whole number\n/targets/0: name: expected a text\n");
    EXPECT_THAT(faults(Json::parse(R"({"targets": [{"name": null}]})")), HasSubstr("/targets: "));
}

TEST_F(RunRequestTest, MayWaitForAQuietMachine) {
    const auto quiet = [&](const char* body) { return parse_run_request(Json::parse(body), config_).job.terms.quiet; };
    EXPECT_FALSE(quiet("{}").has_value());
    EXPECT_EQ(quiet(R"({"quiet": {}})")->load_below, config::kDefaultQuietLoad);
    EXPECT_EQ(quiet(R"({"quiet": {}})")->wait, config::kDefaultQuietWait);
    EXPECT_EQ(quiet(R"({"quiet": {"load_below": 0.25, "wait_seconds": 90.5}})")->load_below, 0.25);
    EXPECT_EQ(quiet(R"({"quiet": {"load_below": 0.25, "wait_seconds": 90.5}})")->wait,
              std::chrono::milliseconds(90'500));
    config_.quiet = config::Quiet{1.5, std::chrono::minutes(5)};
    EXPECT_EQ(quiet("{}")->load_below, 1.5);
    EXPECT_EQ(quiet(R"({"quiet": null})")->load_below, 1.5);
    EXPECT_EQ(quiet(R"({"quiet": {"load_below": 2}})")->wait, std::chrono::minutes(5));
    EXPECT_THAT(faults(Json::parse(R"({"quiet": {"load_below": 0}})")), HasSubstr("/quiet/load_below: "));
    EXPECT_THAT(faults(Json::parse(R"({"quiet": {"wait_seconds": -1}})")), HasSubstr("/quiet/wait_seconds: "));
    EXPECT_THAT(faults(Json::parse(R"({"quiet": {"wait_seconds": 86401}})")), HasSubstr("/quiet/wait_seconds: "));
    EXPECT_THAT(faults(Json::parse(R"({"quiet": {"wait": 5}})")), HasSubstr("/quiet/wait: there is no member 'wait'"));
    EXPECT_THAT(faults({{"quiet", 0.5}}), HasSubstr("/quiet: quiet: expected an object"));
}

}  // namespace
}  // namespace foxbench::daemon
