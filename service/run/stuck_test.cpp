#include "service/run/stuck.hpp"

#include <gmock/gmock.h>

namespace foxbench::run {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

class Stuck : public testing::Test {
protected:
    Stuck() {
        job_.job.run = "nightly";
        job_.last_sign = start_;
        job_.longest_silence = 30min;
    }

    std::string why(std::chrono::minutes after) const { return why_stuck(job_, start_ + after).value_or("it is not"); }

    const std::chrono::steady_clock::time_point start_{std::chrono::hours(1000)};
    CurrentJob job_;
};

TEST_F(Stuck, IsAJobThatIsThereLongAfterItsDeadline) {
    job_.end_by = start_ + 60min;
    EXPECT_EQ(why(70min), "it is not") << "it may be ending";
    EXPECT_EQ(why(71min), "run nightly should have ended 11 min ago");
    job_.last_sign = start_ + 71min;
    EXPECT_THAT(why(71min), HasSubstr("should have ended")) << "whatever it still tells";
}

TEST_F(Stuck, IsAJobThatMeasuresAndIsSilent) {
    job_.progress.emplace();
    EXPECT_EQ(why(30min), "it is not");
    EXPECT_EQ(why(31min), "run nightly measures, and nothing has come of it for 31 min");
    job_.last_sign = start_ + 30min;
    EXPECT_EQ(why(60min), "it is not");
}

TEST_F(Stuck, IsNoJobThatWaits) {
    job_.stage = "waiting: another measurement is going on on this machine";
    EXPECT_EQ(why(3000min), "it is not");
}

TEST_F(Stuck, IsNothingThatItsLongestPassMayTake) {
    workload::Plan plan;
    plan.sequences.resize(2);
    plan.sequences[0].series.emplace_back().calls = 100;
    plan.sequences[1].series.emplace_back().calls = 20'000;
    EXPECT_GT(longest_silence(plan), 20'000 * 250ms) << "as long as such a pass is waited for";
    EXPECT_LT(longest_silence(plan), 2h);
}

}  // namespace
}  // namespace foxbench::run
