#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/client/daemon_client.hpp"
#include "service/client/scripted_daemon.hpp"
#include "service/error.hpp"

namespace foxbench::client {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::ScriptedDaemon;
using namespace std::chrono_literals;

/// Only against hanging.
constexpr auto kLong = 20s;

EventStream events_of(const ScriptedDaemon& daemon, std::string last_event_id = {}) {
    ClientOptions options;
    options.url = daemon.url();
    return DaemonClient(options).events("/v1/events", std::move(last_event_id));
}

TEST(EventStreamTest, GivesOneEventAfterTheOther) {
    const ScriptedDaemon daemon({ScriptedDaemon::stream({"id: 1\nevent: run.queued\nda", "ta: {}\n\n: still here\n\n",
                                                         "id: 2\nevent: run.started\ndata: {}\n\n"}),
                                 ScriptedDaemon::kSilence});
    auto events = events_of(daemon);
    const auto first = events.next(kLong);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->type, "run.queued");
    EXPECT_EQ(first->data, "{}");
    EXPECT_EQ(events.last_event_id(), "1");
    EXPECT_EQ(events.next(kLong).value().type, "run.started");
    EXPECT_EQ(events.last_event_id(), "2");
    EXPECT_FALSE(events.next(1ms));
    EXPECT_FALSE(events.ended());
    const auto request = daemon.requests().at(0);
    EXPECT_THAT(request, HasSubstr("\r\nAccept: text/event-stream\r\n"));
    EXPECT_THAT(request, Not(HasSubstr("Last-Event-ID")));
}

TEST(EventStreamTest, GoesOnAfterACutWhereItWas) {
    const ScriptedDaemon daemon({ScriptedDaemon::stream({"retry: 1\nid: 41\ndata: a\n\nid: 42\ndata: half"}),
                                 ScriptedDaemon::answer("503 Service Unavailable", "text/plain", ""),
                                 ScriptedDaemon::stream({"id: 42\ndata: b\n\n"}), ScriptedDaemon::kSilence});
    auto events = events_of(daemon, "40");
    EXPECT_EQ(events.next(kLong).value().data, "a");
    EXPECT_EQ(events.next(kLong).value().data, "b");
    const auto requests = daemon.requests();
    EXPECT_THAT(requests.at(0), HasSubstr("\r\nLast-Event-ID: 40\r\n"));
    EXPECT_THAT(requests.at(1), HasSubstr("\r\nLast-Event-ID: 41\r\n"));
    EXPECT_THAT(requests.at(2), HasSubstr("\r\nLast-Event-ID: 41\r\n"));
}

TEST(EventStreamTest, WhatTheDaemonRefusesEndsIt) {
    const ScriptedDaemon daemon(
        {ScriptedDaemon::answer("404 Not Found", "application/problem+json", R"({"detail":"there is no run 'x'"})")});
    auto events = events_of(daemon);
    try {
        (void)events.next(kLong);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_found);
        EXPECT_THAT(error.what(), HasSubstr("there is no run 'x'"));
    }
}

TEST(EventStreamTest, ADaemonThatWasNeverThereIsNotWaitedFor) {
    std::string url;
    {
        const ScriptedDaemon gone({});
        url = gone.url();
    }
    ClientOptions options;
    options.url = url;
    auto events = DaemonClient(options).events("/v1/events");
    try {
        (void)events.next(kLong);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::environment);
        EXPECT_THAT(error.what(), HasSubstr("Connection refused"));
    }
}

TEST(EventStreamTest, NoContentMeansThatThereWillBeNoMore) {
    const ScriptedDaemon daemon({ScriptedDaemon::stream({"retry: 1\ndata: a\n\n"}), "HTTP/1.1 204 No Content\r\n\r\n"});
    auto events = events_of(daemon);
    EXPECT_EQ(events.next(kLong).value().data, "a");
    EXPECT_FALSE(events.next(kLong));
    EXPECT_TRUE(events.ended());
}

TEST(EventStreamTest, WhatIsNoEventStreamIsAnError) {
    const ScriptedDaemon daemon({ScriptedDaemon::answer("200 OK", "text/html", "data: a\n\n")});
    auto events = events_of(daemon);
    EXPECT_THROW((void)events.next(kLong), Error);
}

}  // namespace
}  // namespace foxbench::client
