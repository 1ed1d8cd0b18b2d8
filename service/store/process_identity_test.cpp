#include "service/store/process_identity.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace foxbench::store {
namespace {

TEST(ProcessIdentity, OfALivingProcessIsNotGone) {
    EXPECT_FALSE(is_gone(identify_self()));
    EXPECT_FALSE(is_gone(identify_process(getppid())));
    EXPECT_EQ(pid_of(identify_self()), std::to_string(getpid()));
}

TEST(ProcessIdentity, OfAnEndedProcessIsGone) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        pause();
        _exit(0);
    }
    const std::string identity = identify_process(child);
    EXPECT_FALSE(is_gone(identity));
    kill(child, SIGKILL);
    siginfo_t info{};
    ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
    EXPECT_TRUE(is_gone(identity)) << "a zombie";
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    EXPECT_TRUE(is_gone(identity));
}

TEST(ProcessIdentity, KnowsAPidThatWasUsedAgainAndAMachineThatStartedAgain) {
    std::string self = identify_self();
    EXPECT_TRUE(is_gone(self + "0")) << "another start";
    EXPECT_TRUE(is_gone("another-boot" + self.substr(self.find(' '))));
}

TEST(ProcessIdentity, OfAnotherContainerCannotBeSeenAndCountsAsAlive) {
    std::string self = identify_self();
    const auto begin = self.find("pid:[");
    ASSERT_NE(begin, std::string::npos);
    self.replace(begin, self.find(']') - begin, "pid:[1");
    EXPECT_FALSE(is_gone(self));
}

TEST(ProcessIdentity, ThatIsNoneIsGone) {
    for (const char* text : {"", "x", "a b c d", "a b 1 2 3"}) EXPECT_TRUE(is_gone(text)) << text;
    EXPECT_EQ(pid_of("nonsense"), "?");
}

}  // namespace
}  // namespace foxbench::store
