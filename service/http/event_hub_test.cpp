#include "service/http/event_hub.hpp"

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bidi/testing/run_task.hpp"

namespace foxbench::http {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr auto kRetry = "retry: 2000\n\n";

class EventHubTest : public testing::Test {
protected:
    EventHub hub(EventHubOptions options = {}) {
        return EventHub(
            loop_.get_executor(), [this] { return std::exchange(next_, next_ + EventHub::kBlock); }, options);
    }
    std::string read(Subscription& subscription) {
        return bidi::testing::run(loop_, subscription.next()).value_or("(end)");
    }

    boost::asio::io_context loop_{1};
    std::int64_t next_ = 1;
};

TEST_F(EventHubTest, GivesEachEventToEverybody) {
    auto hub = this->hub();
    const auto one = hub.subscribe({}, {}), other = hub.subscribe({}, {});
    hub.publish("a", {}, 1);
    EXPECT_EQ(read(*one), std::string(kRetry) + "id: 1\nevent: a\ndata: 1\n\n");
    EXPECT_EQ(read(*other), std::string(kRetry) + "id: 1\nevent: a\ndata: 1\n\n");
    EXPECT_EQ(hub.subscribers(), 2u);
}

TEST_F(EventHubTest, WakesWhoWaits) {
    auto hub = this->hub();
    const auto subscription = hub.subscribe({}, {});
    read(*subscription);
    boost::asio::post(loop_, [&] { hub.publish("a", {}, 1); });
    EXPECT_THAT(read(*subscription), HasSubstr("event: a"));
}

TEST_F(EventHubTest, NumbersGrowAcrossRestarts) {
    std::int64_t before = 0;
    {
        auto first = hub();
        for (int i = 0; i < EventHub::kBlock + 5; ++i) first.publish("a", {}, i);
        before = first.last_id();
        EXPECT_EQ(before, EventHub::kBlock + 5);
    }
    auto second = hub();
    const auto resumed = second.subscribe({}, before);
    second.publish("a", {}, 1);
    EXPECT_GT(second.last_id(), before);
    // What the process before has sent after that number is not known: it says so once.
    EXPECT_THAT(read(*resumed), HasSubstr("event: gap\n"));
}

TEST_F(EventHubTest, AGapIsToldOnce) {
    auto hub = this->hub();
    for (int i = 0; i < 3; ++i) hub.publish("a", {}, i);
    EXPECT_THAT(read(*hub.subscribe({}, 99)), HasSubstr("id: 0\nevent: gap\n"));
    EXPECT_THAT(read(*hub.subscribe({}, 0)), Not(HasSubstr("gap")));
    EXPECT_EQ(read(*hub.subscribe({}, 3)), kRetry);
}

TEST_F(EventHubTest, ASlowClientGetsWhatWaitedAndIsLetGo) {
    EventHubOptions options;
    options.queue = 2;
    auto hub = this->hub(options);
    const auto slow = hub.subscribe({}, {});
    read(*slow);
    for (int i = 0; i < 5; ++i) hub.publish("a", {}, i);
    EXPECT_TRUE(slow->overflowed());
    const auto text = read(*slow);
    EXPECT_THAT(text, HasSubstr("id: 2\n"));
    EXPECT_THAT(text, Not(HasSubstr("id: 3\n")));
    EXPECT_THAT(text, EndsWith("event: overflow\ndata: {\"reason\":\"client too slow\"}\n\n"));
    EXPECT_EQ(read(*slow), "(end)");
    EXPECT_EQ(hub.subscribers(), 0u);
    EXPECT_THAT(read(*hub.subscribe({}, 2)), HasSubstr("id: 3\n")) << "it resumes where it was";
}

TEST_F(EventHubTest, WhatIsResumedDoesNotCountAsSlowness) {
    EventHubOptions options;
    options.queue = 2;
    auto hub = this->hub(options);
    for (int i = 0; i < 5; ++i) hub.publish("a", {}, i);
    const auto resumed = hub.subscribe({}, 0);
    hub.publish("a", {}, 5);
    EXPECT_FALSE(resumed->overflowed());
    EXPECT_THAT(read(*resumed), HasSubstr("id: 6\n"));
}

TEST_F(EventHubTest, ItsEndEndsTheStreams) {
    std::shared_ptr<Subscription> subscription;
    {
        auto hub = this->hub();
        subscription = hub.subscribe({}, {});
        hub.close();
        EXPECT_TRUE(hub.subscribe({}, {})->is_closed());
    }
    EXPECT_EQ(read(*subscription), kRetry);
    EXPECT_EQ(read(*subscription), "(end)");
}

TEST(EventText, IsOneEventWhateverTheDataHolds) {
    EXPECT_EQ(event_text(5, "a", Json{{"t", "x\n\nevent: b\r\n"}}),
              "id: 5\nevent: a\ndata: {\"t\":\"x\\n\\nevent: b\\r\\n\"}\n\n");
}

TEST(EventId, IsAWholeNumber) {
    EXPECT_EQ(event_id_from("17"), 17);
    for (const auto* bad : {"", "-1", "1x", " 1", "99999999999999999999"}) EXPECT_FALSE(event_id_from(bad)) << bad;
}

}  // namespace
}  // namespace foxbench::http
