#include "service/notify/delivery.hpp"

#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::notify {
namespace {

using namespace std::chrono_literals;

TEST(Retries, BackOffAndEnd) {
    EXPECT_EQ(next_attempt(0), 0ms);
    EXPECT_EQ(next_attempt(1), 10s);
    EXPECT_EQ(next_attempt(2), 1min);
    EXPECT_EQ(next_attempt(3), 5min);
    EXPECT_EQ(next_attempt(4), 30min);
    EXPECT_EQ(next_attempt(5), 2h);
    EXPECT_EQ(next_attempt(6), std::nullopt);
    EXPECT_EQ(next_attempt(1'000'000), std::nullopt);
}

TEST(DeliveryStates, HaveWords) {
    for (const auto state : {DeliveryState::pending, DeliveryState::delivered, DeliveryState::failed})
        EXPECT_EQ(delivery_state_from(to_string(state)), state);
    EXPECT_THROW((void)delivery_state_from("lost"), Error);
}

}  // namespace
}  // namespace foxbench::notify
