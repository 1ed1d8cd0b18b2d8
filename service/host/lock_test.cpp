#include "service/host/lock.hpp"

#include <fstream>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bidi/testing/run_task.hpp"
#include "service/error.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::host {
namespace {

namespace fs = std::filesystem;

class HostLockTest : public testing::Test {
protected:
    HostLockTest() {
        std::string pattern = testing::TempDir() + "foxbench-lock-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
        file_ = folder_ / "foxbench.lock";
    }
    ~HostLockTest() override { fs::remove_all(folder_); }

    fs::path folder_, file_;
    boost::asio::io_context io_;
};

TEST_F(HostLockTest, IsHeldByOneAtATime) {
    auto first = HostLock::try_acquire(file_);
    ASSERT_TRUE(first);
    EXPECT_FALSE(HostLock::try_acquire(file_));
    first.reset();
    EXPECT_TRUE(HostLock::try_acquire(file_));
}

TEST_F(HostLockTest, NamesItsHolderWhileItIsHeld) {
    auto lock = HostLock::try_acquire(file_);
    EXPECT_EQ(read_text(file_), std::to_string(::getpid()) + "\n");
    EXPECT_FALSE(HostLock::try_acquire(file_));
    EXPECT_EQ(read_text(file_), std::to_string(::getpid()) + "\n") << "a try that fails must not take the pid away";
    lock.reset();
    EXPECT_EQ(read_text(file_), "");
}

TEST_F(HostLockTest, MovesWithItsObject) {
    auto first = HostLock::try_acquire(file_);
    HostLock moved = std::move(*first);
    first.reset();
    EXPECT_FALSE(HostLock::try_acquire(file_));
    moved = HostLock();
    EXPECT_TRUE(HostLock::try_acquire(file_));
}

TEST_F(HostLockTest, WaitsForTheHolderAndTellsOnceWhoItIs) {
    auto holder = HostLock::try_acquire(file_);
    std::vector<std::optional<pid_t>> told;
    const HostLock lock = bidi::testing::run(io_, acquire_host_lock(file_, [&](std::optional<pid_t> pid) {
                                                 told.push_back(pid);
                                                 boost::asio::post(io_, [&] { holder.reset(); });
                                             }));
    EXPECT_THAT(told, testing::ElementsAre(testing::Optional(::getpid())));
    EXPECT_FALSE(HostLock::try_acquire(file_));
}

TEST_F(HostLockTest, DoesNotTellOfAWaitThatIsNone) {
    const HostLock lock = bidi::testing::run(io_, acquire_host_lock(file_, [](std::optional<pid_t>) { FAIL(); }));
    EXPECT_EQ(lock.file(), file_);
}

TEST_F(HostLockTest, IsGivenBackByTheKernelWhenItsHolderIsKilled) {
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const auto lock = HostLock::try_acquire(file_);
        static_cast<void>(::write(ready[1], lock ? "y" : "n", 1) == 0);
        ::pause();
        ::_exit(0);
    }
    char answer = 0;
    ASSERT_EQ(::read(ready[0], &answer, 1), 1);
    ASSERT_EQ(answer, 'y');
    std::vector<std::optional<pid_t>> told;
    const HostLock lock = bidi::testing::run(io_, acquire_host_lock(file_, [&](std::optional<pid_t> pid) {
                                                 told.push_back(pid);
                                                 ::kill(child, SIGKILL);
                                             }));
    EXPECT_THAT(told, testing::ElementsAre(testing::Optional(child)));
    ::waitpid(child, nullptr, 0);
    ::close(ready[0]);
    ::close(ready[1]);
}

TEST_F(HostLockTest, WaitCanBeCancelled) {
    const auto holder = HostLock::try_acquire(file_);
    boost::asio::cancellation_signal cancel;
    bool ended = false;
    boost::asio::co_spawn(
        io_,
        acquire_host_lock(file_,
                          [&](std::optional<pid_t>) {
                              boost::asio::post(io_, [&] { cancel.emit(boost::asio::cancellation_type::terminal); });
                          }),
        boost::asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, HostLock) {
            ended = true;
            EXPECT_TRUE(error);
        }));
    io_.run_for(bidi::testing::kHangBound);
    EXPECT_TRUE(ended);
}

TEST_F(HostLockTest, SaysWhichFileCannotBeOpened) {
    try {
        static_cast<void>(HostLock::try_acquire(folder_ / "missing" / "foxbench.lock"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::environment);
        EXPECT_THAT(error.what(), testing::HasSubstr("missing/foxbench.lock: No such file or directory"));
    }
}

TEST_F(HostLockTest, DoesNotFollowALink) {
    fs::create_symlink(folder_ / "elsewhere", file_);
    EXPECT_THROW(static_cast<void>(HostLock::try_acquire(file_)), Error);
    EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
}

TEST(DefaultLockPath, CanBeOpened) {
    EXPECT_EQ(default_lock_path().extension(), ".lock");
}

}  // namespace
}  // namespace foxbench::host
