#include "service/schedule/planner.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/schedule/testing/instants.hpp"

namespace foxbench::schedule {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using ::testing::AllOf;
using testing::at;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Act = Decision::Act;

/// A schedule and its past; each test changes what it is about.
struct Situation {
    std::string cron = "0 2 * * *";
    std::string zone = "UTC";
    Missed missed = Missed::run_once;
    Overlap overlap = Overlap::skip;
    Instant last_handled = at("2024-05-01 02:00");
    Instant now = at("2024-05-02 02:00");
    bool paused = false;
    bool busy = false;

    [[nodiscard]] std::vector<Decision> decide() const {
        return schedule::decide(CronExpression::parse(cron), TimeZone::find(zone), missed, overlap, last_handled, now,
                                paused, busy);
    }
};

std::size_t queued(const std::vector<Decision>& decisions) {
    return static_cast<std::size_t>(
        std::count_if(decisions.begin(), decisions.end(), [](const auto& one) { return one.act == Act::queue; }));
}

TEST(Planner, HasNothingToDoWhereNothingIsDue) {
    Situation situation;
    situation.now = at("2024-05-02 01:59:59");
    EXPECT_THAT(situation.decide(), IsEmpty());
    situation.now = situation.last_handled;
    EXPECT_THAT(situation.decide(), IsEmpty());
}

TEST(Planner, QueuesWhatIsOnTimeWithoutAWord) {
    Situation situation;
    for (const seconds late : {seconds(0), seconds(1), seconds(60)}) {
        situation.now = at("2024-05-02 02:00") + late;
        const auto decisions = situation.decide();
        ASSERT_EQ(decisions.size(), 1U);
        EXPECT_EQ(decisions[0].due, at("2024-05-02 02:00"));
        EXPECT_EQ(decisions[0].act, Act::queue);
        EXPECT_EQ(decisions[0].reason, "");
    }
}

TEST(Planner, DecidesEachFiringOnce) {
    Situation situation;
    situation.last_handled = at("2024-05-02 02:00");
    situation.now = at("2024-05-02 02:00:30");
    EXPECT_THAT(situation.decide(), IsEmpty());
}

TEST(Planner, DoesNothingWhileTheClockIsBehindWhatWasHandled) {
    Situation situation;
    situation.now = at("2024-04-01 02:00");
    EXPECT_THAT(situation.decide(), IsEmpty());
}

TEST(Planner, QueuesOneThatWasMissedLateAndSaysSo) {
    Situation situation;
    situation.now = at("2024-05-02 05:20");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 1U);
    EXPECT_EQ(decisions[0].act, Act::queue);
    EXPECT_EQ(decisions[0].reason, "late: noticed 3 h 20 min after it was due");
    situation.now = at("2024-05-02 02:01:01");
    EXPECT_EQ(situation.decide().at(0).reason, "late: noticed 1 min 1 s after it was due");
}

TEST(Planner, SkipsTheMissedWhereTheScheduleSaysSo) {
    Situation situation;
    situation.missed = Missed::skip;
    situation.now = at("2024-05-03 03:00");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 2U);
    EXPECT_EQ(queued(decisions), 0U);
    EXPECT_THAT(decisions[0].reason, AllOf(StartsWith("missed: "), HasSubstr("1 d 1 h late")));
    EXPECT_THAT(decisions[1].reason, AllOf(StartsWith("missed: "), HasSubstr("1 h late")));
}

TEST(Planner, RunsOnceForAllThatWasMissed) {
    Situation situation;
    situation.now = at("2024-05-06 12:00");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 5U);
    EXPECT_TRUE(std::is_sorted(decisions.begin(), decisions.end(),
                               [](const auto& left, const auto& right) { return left.due < right.due; }));
    EXPECT_EQ(queued(decisions), 1U);
    EXPECT_EQ(decisions.back().due, at("2024-05-06 02:00"));
    EXPECT_EQ(decisions.back().act, Act::queue);
    for (std::size_t index = 0; index + 1 < decisions.size(); ++index)
        EXPECT_THAT(decisions[index].reason, AllOf(StartsWith("missed: "), HasSubstr("a newer one stands for it")));
}

TEST(Planner, LetsOneOnTimeStandForTheMissed) {
    Situation situation;
    situation.overlap = Overlap::queue;
    situation.now = at("2024-05-04 02:00:05");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 3U);
    EXPECT_EQ(queued(decisions), 1U);
    EXPECT_EQ(decisions.back().act, Act::queue);
    EXPECT_EQ(decisions.back().reason, "");
}

TEST(Planner, QueuesOneOnTimeWhereTheMissedAreSkipped) {
    Situation situation;
    situation.missed = Missed::skip;
    situation.now = at("2024-05-03 02:00:05");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 2U);
    EXPECT_EQ(decisions[0].act, Act::skip);
    EXPECT_EQ(decisions[1].act, Act::queue);
}

TEST(Planner, SkipsWhileThePreviousJobIsNotDone) {
    Situation situation;
    situation.busy = true;
    ASSERT_EQ(situation.decide().size(), 1U);
    EXPECT_EQ(situation.decide()[0].act, Act::skip);
    EXPECT_THAT(situation.decide()[0].reason, StartsWith("overlap: "));
    situation.now = at("2024-05-02 05:00");  // late as well
    EXPECT_THAT(situation.decide().at(0).reason, StartsWith("overlap: "));
    situation.overlap = Overlap::queue;
    EXPECT_EQ(situation.decide().at(0).act, Act::queue);
}

TEST(Planner, CountsWhatItHasJustQueuedAsThePreviousJob) {
    Situation situation;
    situation.cron = "* * * * *";
    situation.last_handled = at("2024-05-01 02:00");
    situation.now = at("2024-05-01 02:02");  // 02:01 and 02:02 are both on time
    auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 2U);
    EXPECT_EQ(decisions[0].act, Act::queue);
    EXPECT_THAT(decisions[1].reason, StartsWith("overlap: "));
    situation.overlap = Overlap::queue;
    EXPECT_EQ(queued(situation.decide()), 2U);
}

TEST(Planner, SkipsAllWhilePaused) {
    Situation situation;
    situation.paused = true;
    situation.busy = true;
    situation.now = at("2024-05-04 02:00");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 3U);
    for (const auto& decision : decisions) {
        EXPECT_EQ(decision.act, Act::skip);
        EXPECT_EQ(decision.reason, "paused");
    }
}

TEST(Planner, RecordsTheNewestSkipsAndSumsUpTheOthers) {
    Situation situation;
    situation.cron = "*/15 * * * *";
    situation.last_handled = at("2024-05-01 00:00");
    situation.now = at("2024-05-11 00:10");  // 960 firings, none on time
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), kRecordedSkips + 1);
    EXPECT_EQ(decisions.back().act, Act::queue);
    EXPECT_EQ(decisions.back().due, at("2024-05-11 00:00"));
    EXPECT_EQ(decisions.front().due, at("2024-05-11 00:00") - minutes(15) * 100);
    EXPECT_THAT(decisions.front().reason, HasSubstr("; so were 859 earlier, from 9 d 23 h ago on"));
    EXPECT_EQ(decisions[1].reason.find("earlier"), std::string::npos);
}

TEST(Planner, SumsUpFromTheHundredAndFirstOn) {
    Situation situation;
    situation.missed = Missed::skip;
    situation.last_handled = at("2024-01-01 02:00");
    situation.now = situation.last_handled + days(100) + hours(1);
    EXPECT_EQ(situation.decide().size(), 100U);
    EXPECT_EQ(situation.decide().front().reason.find("earlier"), std::string::npos);
    situation.now += days(1);
    EXPECT_EQ(situation.decide().size(), 100U);
    EXPECT_THAT(situation.decide().front().reason, HasSubstr("; so was 1 earlier, from 100 d 1 h ago on"));
    situation.paused = true;
    EXPECT_THAT(situation.decide().front().reason, StartsWith("paused; so was 1 earlier"));
}

TEST(Planner, ForgetsWhatIsOlderThanTheHorizon) {
    Situation situation;
    situation.cron = "@monthly";
    situation.missed = Missed::skip;
    situation.last_handled = Instant::min();
    const auto decisions = situation.decide();
    EXPECT_EQ(decisions.size(), 97U);  // of 8 years, and the first of this month
    EXPECT_GT(decisions.front().due, situation.now - kHorizon);
}

TEST(Planner, GoesByTheScheduleZone) {
    Situation situation;
    situation.zone = "Europe/Berlin";
    situation.cron = "30 2 * * *";  // in the gap of that night
    situation.last_handled = at("2024-03-30 01:30");
    situation.now = at("2024-03-31 01:00:10");
    const auto decisions = situation.decide();
    ASSERT_EQ(decisions.size(), 1U);
    EXPECT_EQ(decisions[0].due, at("2024-03-31 01:00"));
    EXPECT_EQ(decisions[0].reason, "");
}

}  // namespace
}  // namespace foxbench::schedule
