#include "service/run/quiet_wait.hpp"

#include <boost/asio.hpp>
#include <gmock/gmock.h>

#include "bidi/testing/run_task.hpp"

namespace foxbench::run {
namespace {

using std::chrono::milliseconds;

class QuietWaitTest : public testing::Test {
protected:
    /// Loads are given one after the other, the last one for ever.
    QuietOutcome wait(std::vector<std::optional<double>> loads, milliseconds at_most) {
        config::Quiet quiet;
        quiet.load_below = 0.5;
        quiet.wait = at_most;
        std::size_t asked = 0;
        const auto load = [loads, &asked] { return loads[std::min(asked++, loads.size() - 1)]; };
        const auto tell = [this](const std::string& what) { told_.push_back(what); };
        return bidi::testing::run(io_, wait_until_quiet(quiet, tell, load, milliseconds(1)));
    }

    boost::asio::io_context io_;
    std::vector<std::string> told_;
};

TEST_F(QuietWaitTest, IsOverAtOnceOnAQuietMachine) {
    const auto outcome = wait({0.1}, std::chrono::hours(1));
    EXPECT_TRUE(outcome.quiet);
    EXPECT_TRUE(told_.empty());
}

TEST_F(QuietWaitTest, EndsWhenTheLoadHasFallen) {
    const auto outcome = wait({2.0, 1.5, 0.5, 0.49}, std::chrono::hours(1));
    EXPECT_TRUE(outcome.quiet);
    EXPECT_EQ(outcome.load_1m, 0.49);
    EXPECT_THAT(told_, testing::ElementsAre("waiting until the machine is quiet: its load is 2.00, wanted below 0.50"));
}

TEST_F(QuietWaitTest, GivesUpAfterItsTime) {
    const auto outcome = wait({2.0}, milliseconds(5));
    EXPECT_FALSE(outcome.quiet);
    EXPECT_GE(outcome.waited, milliseconds(5));
}

TEST_F(QuietWaitTest, AnUnknownLoadIsNoReasonToWait) {
    EXPECT_TRUE(wait({std::nullopt}, std::chrono::hours(1)).quiet);
}

}  // namespace
}  // namespace foxbench::run
