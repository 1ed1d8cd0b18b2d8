// How long a measurement waits for the worker.
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "bidi/testing/run_task.hpp"
#include "service/error.hpp"
#include "service/measure/launch.hpp"
#include "service/measure/mailbox.hpp"

namespace foxbench::measure {
namespace {

using bidi::testing::kHangBound;
using bidi::testing::run;
using namespace std::chrono_literals;

class MailboxTest : public testing::Test {
protected:
    std::optional<int> take(std::chrono::milliseconds patience = kHangBound) { return run(io_, box_.take(patience)); }

    boost::asio::io_context io_{1};
    Mailbox<int> box_{io_.get_executor()};
};

TEST_F(MailboxTest, GivesWhatCameInOrderAndThenTheFirstFailure) {
    box_.put(1);
    box_.put(2);
    box_.fail(std::make_exception_ptr(Error(ErrorCode::browser, "the first")));
    box_.fail(std::make_exception_ptr(Error(ErrorCode::browser, "the second")));
    EXPECT_EQ(take(), 1);
    EXPECT_EQ(take(), 2);
    for (int again = 0; again < 2; ++again) {
        try {
            static_cast<void>(take());
            ADD_FAILURE() << "no failure";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), "the first");
        }
    }
}

TEST_F(MailboxTest, GivesNothingWhenPatienceIsOver) {  // cases.md 19: a browser that says nothing any more
    EXPECT_EQ(take(1ms), std::nullopt);
    box_.put(3);
    EXPECT_EQ(take(1ms), 3) << "and goes on";
}

TEST_F(MailboxTest, WakesWhoWaits) {
    std::optional<int> taken;
    boost::asio::co_spawn(io_, box_.take(kHangBound),
                          [&](std::exception_ptr, std::optional<int> item) { taken = item; });
    io_.poll();
    EXPECT_EQ(taken, std::nullopt);
    box_.put(4);
    io_.restart();
    io_.poll();
    EXPECT_EQ(taken, 4);
}

TEST_F(MailboxTest, IsLeftByWhoIsCancelled) {
    boost::asio::cancellation_signal cancel;
    std::exception_ptr failure;
    boost::asio::co_spawn(io_, box_.take(kHangBound),
                          boost::asio::bind_cancellation_slot(
                              cancel.slot(), [&](std::exception_ptr error, std::optional<int>) { failure = error; }));
    io_.poll();
    cancel.emit(boost::asio::cancellation_type::terminal);
    io_.restart();
    io_.poll();
    EXPECT_TRUE(failure);
}

TEST(PassPatience, GrowsWithTheWorkAndBeginsFarAboveAnyPass) {  // cases.md 19: no fixed deadline for long work
    workload::Sequence sequence;
    sequence.series.resize(1);
    sequence.series.front().calls = 1;
    const auto least = pass_patience(sequence);
    EXPECT_GE(least, 2min);
    sequence.series.front().calls = 1'000'000;
    EXPECT_GE(pass_patience(sequence) - least, 1h);
}

}  // namespace
}  // namespace foxbench::measure
