// Slow clients, too many of them, no descriptors, the end.
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "service/http/test_client.hpp"

namespace foxbench::http {
namespace {

using namespace std::chrono_literals;
using testing::request_text;
using testing::TestClient;
using testing::TestServer;

constexpr auto kShort = 50ms;

ServerOptions with(const std::function<void(Limits&)>& change) {
    ServerOptions options;
    change(options.limits);
    return options;
}

TEST(Deadlines, ASlowHeaderIsGivenUp) {
    const TestServer server(with([](Limits& limits) { limits.header = kShort; }));
    TestClient client(server.port());
    client.send("GET /livez HTTP/1.1\r\nHost: ");
    EXPECT_EQ(client.receive().status, 408u);
    client.end_sending();
    EXPECT_TRUE(client.is_closed());
}

TEST(Deadlines, ASlowBodyIsGivenUp) {
    const TestServer server(with([](Limits& limits) { limits.body = kShort; }));
    TestClient client(server.port());
    client.send(
        request_text(server.port(), "POST", "/v1/things", "Content-Type: application/json\r\nContent-Length: 10\r\n") +
        "{");
    EXPECT_EQ(client.receive().status, 408u);
    EXPECT_EQ(server.changes, 0);
}

TEST(Deadlines, AnIdleConnectionIsClosedWithoutAWord) {
    const TestServer server(with([](Limits& limits) { limits.idle = kShort; }));
    TestClient fresh(server.port());
    EXPECT_TRUE(fresh.is_closed());
    TestClient used(server.port());
    used.send(request_text(server.port(), "GET", "/livez"));
    EXPECT_EQ(used.receive().status, 200u);
    EXPECT_TRUE(used.is_closed());
}

TEST(Deadlines, AClientThatTakesNoAnswerIsLetGo) {
    TestServer server(with([](Limits& limits) {
        limits.idle = kShort;
        limits.linger = kShort;
    }));
    TestClient client(server.port());
    client.send(request_text(server.port(), "GET", "/v1/big"));
    EXPECT_THAT(client.receive_until("\r\n\r\n"), ::testing::HasSubstr("200 OK"));
    EXPECT_EQ(server.ask("GET", "/livez").status, 200u) << "others are not held up";
    while (server.connections() > 0) std::this_thread::sleep_for(1ms);
}

TEST(Connections, BeyondTheLimitAreToldToComeBack) {
    TestServer server(with([](Limits& limits) { limits.connections = 3; }));
    std::vector<std::unique_ptr<TestClient>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<TestClient>(server.port()));
        clients.back()->send(request_text(server.port(), "GET", "/livez"));
        ASSERT_EQ(clients.back()->receive().status, 200u);
    }
    const auto refused = server.ask("GET", "/v1/things");
    EXPECT_EQ(refused.status, 503u);
    EXPECT_EQ(refused.field("Retry-After"), "15");
    EXPECT_EQ(refused.field("Connection"), "close");
    EXPECT_EQ(server.ask("GET", "/livez").status, 200u) << "how the process is, is always told";
    clients.pop_back();
    // The server sees the close when it next looks at that socket, which is before it accepts again or soon after.
    unsigned status = 503;
    for (int i = 0; i < 100 && status == 503; ++i) status = server.ask("GET", "/v1/things").status;
    EXPECT_EQ(status, 200u);
}

TEST(Connections, BeyondTheLimitThatSayNothingAreToldAsWell) {
    const TestServer server(with([](Limits& limits) {
        limits.connections = 0;
        limits.refusal = kShort;
    }));
    TestClient client(server.port());
    EXPECT_EQ(client.receive().status, 503u);
}

TEST(Connections, SixtyFourSlowOnesDoNotHideTheProcess) {
    const TestServer server;
    std::vector<std::unique_ptr<TestClient>> slow;
    for (std::size_t i = 0; i < kMaxConnections; ++i) {
        slow.push_back(std::make_unique<TestClient>(server.port()));
        slow.back()->send("GET /v1/th");
    }
    EXPECT_EQ(server.ask("GET", "/livez").status, 200u);
    EXPECT_EQ(server.ask("GET", "/v1/things").status, 503u);
}

TEST(Connections, TenThousandShortOnesLeaveNothingBehind) {
    const TestServer server;
    const auto descriptors = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    EXPECT_EQ(server.ask("GET", "/livez").status, 200u);
    const auto before = descriptors();
    for (int i = 0; i < 10'000; ++i) ASSERT_EQ(server.ask("GET", "/livez", "Connection: close\r\n").status, 200u);
    EXPECT_LE(descriptors(), before + 2);
}

/// As many descriptors as there are, taken and given back.
class NoDescriptors {
public:
    NoDescriptors() {
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit few{256, before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
        for (int taken; (taken = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken_.push_back(taken);
    }
    ~NoDescriptors() {
        give_back(taken_.size());
        setrlimit(RLIMIT_NOFILE, &before_);
    }
    void give_back(std::size_t count) {
        for (; count > 0 && !taken_.empty(); --count, taken_.pop_back()) close(taken_.back());
    }

private:
    rlimit before_{};
    std::vector<int> taken_;
};

TEST(Connections, AreAcceptedAgainAfterDescriptorsRanOut) {
    TestServer server;
    {
        NoDescriptors none;
        none.give_back(1);  // for the client's side
        TestClient client(server.port());
        client.send(request_text(server.port(), "GET", "/livez"));
        std::size_t faults = 0;
        while (faults == 0) {
            std::this_thread::sleep_for(1ms);
            server.on_loop([&] { faults = server.faults.size(); });
        }
        none.give_back(8);
        EXPECT_EQ(client.receive().status, 200u) << "it waited in the backlog";
    }
    std::vector<std::string> faults;
    server.on_loop([&] { faults = server.faults; });
    EXPECT_THAT(faults, ::testing::ElementsAre(::testing::StartsWith("accept_failed: "))) << "said once, not each time";
}

TEST(Stop, EndsIdleConnectionsAndStreamsAndWaitsForAnswers) {
    TestServer server;
    TestClient idle(server.port()), stream(server.port()), asked(server.port());
    idle.send(request_text(server.port(), "GET", "/livez"));
    EXPECT_EQ(idle.receive().status, 200u);
    stream.send(request_text(server.port(), "GET", "/v1/events"));
    EXPECT_THAT(stream.receive_until("retry: 2000\n\n"), ::testing::HasSubstr("200 OK"));
    asked.send(request_text(server.port(), "GET", "/v1/wait"));
    while (server.waiting == 0) std::this_thread::sleep_for(1ms);

    std::thread stopping([&] { server.stop(30s); });
    EXPECT_TRUE(idle.is_closed());
    EXPECT_EQ(stream.receive_until("0\r\n\r\n"), "\r\n0\r\n\r\n");
    EXPECT_TRUE(stream.is_closed());
    server.release();
    const auto answer = asked.receive();
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Connection"), "close");
    asked.end_sending();
    stopping.join();
    EXPECT_THROW(TestClient(server.port()), std::runtime_error) << "nobody listens any more";
}

TEST(Stop, ClosesWhatDoesNotEndInTime) {
    TestServer server;
    TestClient asked(server.port());
    asked.send(request_text(server.port(), "GET", "/v1/wait"));
    while (server.waiting == 0) std::this_thread::sleep_for(1ms);
    server.stop(kShort);
    EXPECT_TRUE(asked.is_closed());
}

}  // namespace
}  // namespace foxbench::http
