#include "service/host/procfs.hpp"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace foxbench::host {
namespace {

constexpr const char* kStat =
    "6087 (firefox-esr) S 6085 6085 3244 0 -1 4194304 97812 41322 21 3 214 71 55 12 20 0 83 0 148220 11811160064 98301 "
    "18446744073709551615 1 1 0 0 0 0 0 16781312 1082131704 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

TEST(ProcessStat, ReadsTheFieldsByTheirPlace) {
    const auto stat = parse_process_stat(kStat);
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->pid, 6087);
    EXPECT_EQ(stat->command, "firefox-esr");
    EXPECT_EQ(stat->state, 'S');
    EXPECT_EQ(stat->parent, 6085);
    EXPECT_EQ(stat->group, 6085);
    EXPECT_EQ(stat->session, 3244);
    EXPECT_EQ(stat->user_ticks, 214u);
    EXPECT_EQ(stat->system_ticks, 71u);
    EXPECT_EQ(stat->children_user_ticks, 55u);
    EXPECT_EQ(stat->children_system_ticks, 12u);
    EXPECT_EQ(stat->started_ticks, 148220u);
}

TEST(ProcessStat, TakesAnyCommand) {
    const auto stat = parse_process_stat("7 (Web) Content (x) Z 1 2 3 0 -1 0 0 0 0 0 4 5 6 7 20 0 1 0 99 0 0");
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->command, "Web) Content (x");
    EXPECT_EQ(stat->state, 'Z');
    EXPECT_EQ(stat->started_ticks, 99u);
}

TEST(ProcessStat, OfTextThatIsCutShortIsNothing) {
    EXPECT_FALSE(parse_process_stat(""));
    EXPECT_FALSE(parse_process_stat("12 (firefox) S 1 2"));
    EXPECT_FALSE(parse_process_stat("no parentheses at all"));
}

TEST(ProcessStat, OfThisProcessTellsItsParent) {
    const auto stat = read_process_stat(::getpid());
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->pid, ::getpid());
    EXPECT_EQ(stat->parent, ::getppid());
    EXPECT_GT(stat->started_ticks, 0u);
}

TEST(ProcessStat, OfEveryProcessHasThisOne) {
    EXPECT_THAT(read_all_process_stats(), testing::Contains(testing::Field(&ProcessStat::pid, ::getpid())));
}

TEST(ProcessesWithEnvironment, MatchesWholeEntriesOnly) {
    const char* path = std::getenv("PATH");
    ASSERT_NE(path, nullptr);
    EXPECT_THAT(processes_with_environment(std::string("PATH=") + path), testing::Contains(::getpid()));
    EXPECT_THAT(processes_with_environment("PATH="), testing::Not(testing::Contains(::getpid())));
    EXPECT_THAT(processes_with_environment("FOXBENCH_NOBODY_HAS_THIS=1"), testing::IsEmpty());
}

TEST(ReadText, GivesNothingForWhatIsNotThere) {
    EXPECT_FALSE(read_text("/proc/nonexistent"));
    EXPECT_TRUE(read_text("/proc/self/stat"));
}

TEST(Trimmed, TakesWhiteSpaceOffBothEnds) {
    EXPECT_EQ(trimmed(" \t a b \n"), "a b");
    EXPECT_EQ(trimmed(" \n"), "");
}

}  // namespace
}  // namespace foxbench::host
