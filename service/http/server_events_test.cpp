#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/http/test_client.hpp"

namespace foxbench::http {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::request_text;
using testing::TestClient;
using testing::TestServer;

std::unique_ptr<TestClient> listen(const TestServer& server, const std::string& target = "/v1/events",
                                   const std::string& fields = "") {
    auto client = std::make_unique<TestClient>(server.port());
    client->send(request_text(server.port(), "GET", target, fields));
    return client;
}

TEST(EventStream, SendsEventsWithIds) {
    TestServer server;
    const auto client = listen(server);
    const auto header = client->receive_until("\r\n\r\n");
    EXPECT_THAT(header, HasSubstr("Content-Type: text/event-stream\r\n"));
    EXPECT_THAT(header, HasSubstr("Cache-Control: no-store\r\n"));
    EXPECT_THAT(client->receive_until("\n\n"), HasSubstr("retry: 2000"));
    server.publish("run.started", "a", Json{{"id", "a"}, {"note", "line\nbreak"}});
    EXPECT_THAT(client->receive_until("\n\n"),
                HasSubstr("id: 1\nevent: run.started\ndata: {\"id\":\"a\",\"note\":\"line\\nbreak\"}\n\n"));
    server.publish("run.finished", "a", Json{{"id", "a"}});
    EXPECT_THAT(client->receive_until("\n\n"), HasSubstr("id: 2\nevent: run.finished\n"));
}

TEST(EventStream, IsOfOneRunWhereAsked) {
    TestServer server;
    const auto client = listen(server, "/v1/events?run=a");
    client->receive_until("retry: 2000\n\n");
    server.publish("progress", "b", Json::object());
    server.publish("progress", std::nullopt, Json::object());
    server.publish("progress", "a", Json::object());
    EXPECT_THAT(client->receive_until("\n\n"), HasSubstr("id: 3\n"));
}

TEST(EventStream, ResumesAfterTheLastEventThatTheClientHas) {
    TestServer server;
    for (int i = 0; i < 5; ++i) server.publish("progress", "a", Json{{"i", i}});
    const auto client = listen(server, "/v1/events", "Last-Event-ID: 3\r\n");
    const auto text = client->receive_until("{\"i\":4}\n\n");
    EXPECT_THAT(text, HasSubstr("id: 4\n"));
    EXPECT_THAT(text, Not(HasSubstr("id: 3\n")));
    EXPECT_THAT(text, Not(HasSubstr("gap")));
}

TEST(EventStream, SaysWhereEventsAreMissing) {
    EventHubOptions events;
    events.ring = 2;
    TestServer server({}, events);
    for (int i = 0; i < 5; ++i) server.publish("progress", "a", Json{{"i", i}});
    const auto text = listen(server, "/v1/events", "Last-Event-ID: 1\r\n")->receive_until("{\"i\":4}\n\n");
    EXPECT_THAT(text, HasSubstr("id: 3\nevent: gap\ndata: {\"after\":1,\"oldest\":4}\n\nid: 4\n"));
}

TEST(EventStream, SendsCommentsWhileNothingHappens) {
    EventHubOptions events;
    events.comment = 10ms;
    TestServer server({}, events);
    const auto client = listen(server);
    client->receive_until("retry: 2000\n\n");
    for (int i = 0; i < 3; ++i) EXPECT_THAT(client->receive_until("\n\n"), HasSubstr(":\n\n"));
}

TEST(EventStream, AClientThatDoesNotReadIsToldSoAndClosed) {
    TestServer server;
    const auto slow = listen(server), fast = listen(server);
    slow->receive_until("retry: 2000\n\n");
    fast->receive_until("retry: 2000\n\n");
    const Json large{{"text", std::string(64 * 1024, 'x')}};
    // The kernel's buffers take some 6 MiB, the queue 256 events.
    for (int i = 1; i <= 600; ++i) {
        server.publish("progress", "a", large);
        fast->receive_until("id: " + std::to_string(i) + "\n");
    }
    const auto all = slow->receive_until("event: overflow\n");
    EXPECT_THAT(all.substr(all.size() - 16), "event: overflow\n");
    slow->receive_until("0\r\n\r\n");
    EXPECT_TRUE(slow->is_closed());
    server.publish("last", "a", Json::object());
    EXPECT_THAT(fast->receive_until("event: last\n"), HasSubstr("event: last\n"));
}

TEST(EventStream, BeyondTheLimitIsRefused) {
    TestServer server;
    std::vector<std::unique_ptr<TestClient>> clients;
    for (std::size_t i = 0; i < kMaxEventStreams; ++i) {
        clients.push_back(listen(server));
        clients.back()->receive_until("retry: 2000\n\n");
    }
    const auto refused = server.ask("GET", "/v1/events");
    EXPECT_EQ(refused.status, 503u);
    EXPECT_EQ(refused.field("Retry-After"), "15");
    clients.pop_back();
    while (server.event_streams() == kMaxEventStreams) std::this_thread::sleep_for(1ms);
    const auto next = listen(server);
    EXPECT_THAT(next->receive_until("retry: 2000\n\n"), HasSubstr("200 OK"));
}

TEST(EventStream, DoesNotCountAmongTheConnections) {
    ServerOptions options;
    options.limits.connections = 1;
    TestServer server(options);
    const auto first = listen(server);
    first->receive_until("retry: 2000\n\n");
    const auto second = listen(server);
    EXPECT_THAT(second->receive_until("retry: 2000\n\n"), HasSubstr("200 OK"));
    EXPECT_EQ(server.ask("GET", "/v1/things").status, 200u);
}

TEST(EventStream, IsOnlyItsHeaderForHead) {
    TestServer server;
    const auto answer = server.ask("HEAD", "/v1/events");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Content-Type"), "text/event-stream");
    EXPECT_EQ(server.event_streams(), 0u);
}

TEST(EventStream, NeedsAClientThatTakesEvents) {
    const TestServer server;
    EXPECT_EQ(server.ask("GET", "/v1/events", "Accept: application/json\r\n").status, 406u);
}

TEST(EventStream, IsNotChunkedForHttp10) {
    TestServer server;
    TestClient client(server.port());
    client.send("GET /v1/events HTTP/1.0\r\nHost: localhost:" + std::to_string(server.port()) + "\r\n\r\n");
    const auto header = client.receive_until("\r\n\r\n");
    EXPECT_THAT(header, Not(HasSubstr("Transfer-Encoding")));
    EXPECT_EQ(client.receive_until("\n\n"), "retry: 2000\n\n");
}

}  // namespace
}  // namespace foxbench::http
