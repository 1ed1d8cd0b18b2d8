// Many clients, slow clients, clients that never read, no descriptors: the daemon goes on answering.
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "service/http/limits.hpp"
#include "service/http/test_client.hpp"
#include "tests/support/daemon_fixture.hpp"

namespace foxbench {
namespace {

using http::testing::Answer;
using http::testing::request_text;
using http::testing::TestClient;
using testing::HasSubstr;
using testing_support::DaemonTest;
using namespace std::chrono_literals;

bool is_long() {
    return std::getenv("FOXBENCH_LONG") != nullptr;
}

class DaemonUnderLoad : public DaemonTest {
protected:
    [[nodiscard]] std::uint16_t port() const {
        return static_cast<std::uint16_t>(std::stoul(daemon_->url().substr(daemon_->url().rfind(':') + 1)));
    }
    [[nodiscard]] std::unique_ptr<TestClient> connect() const { return std::make_unique<TestClient>(port()); }
    /// One request on a connection of its own. TestClient has the bound: a daemon that hangs fails the test.
    [[nodiscard]] Answer ask(const std::string& target) const {
        TestClient client(port());
        client.send(request_text(port(), "GET", target, "Connection: close\r\n"));
        return client.receive();
    }
    /// How many descriptors the daemon has open.
    [[nodiscard]] std::size_t descriptors() const {
        const std::filesystem::directory_iterator begin("/proc/" + std::to_string(pid()) + "/fd");
        return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator()));
    }
    [[nodiscard]] pid_t pid() const { return daemon_->program().pid(); }

    /// An event for every listener, which names `what`.
    void announce(const std::string& what) const {
        write_config("schedules: {" + what + ": {cron: '0 2 * * *', time_zone: UTC}}\n");
        static_cast<void>(daemon_->client().post("/v1/reload"));
    }
};

TEST_F(DaemonUnderLoad, AnswersManyShortRequests) {
    const int requests = is_long() ? 10'000 : 1'000;
    ASSERT_EQ(ask("/livez").status, 200U);
    const auto before = descriptors();
    for (int i = 0; i < requests; ++i) {
        const char* target = i % 4 == 0 ? "/v1/runs" : i % 4 == 1 ? "/v1/nothing" : "/livez";
        ASSERT_EQ(ask(target).status, i % 4 == 1 ? 404U : 200U) << "request " << i;
    }
    // The last ones may not have been closed yet.
    while (descriptors() > before) std::this_thread::sleep_for(1ms);
}

TEST_F(DaemonUnderLoad, AnswersBesideSlowClientsAndStreamsThatNobodyReads) {
    std::vector<std::unique_ptr<TestClient>> streams, slow;
    for (std::size_t i = 0; i < http::kMaxEventStreams; ++i) {
        streams.push_back(connect());
        streams.back()->send(request_text(port(), "GET", "/v1/events"));
        ASSERT_THAT(streams.back()->receive_until("retry: "), HasSubstr("200 OK"));
    }
    EXPECT_EQ(ask("/v1/events").status, 503U) << "one too many";

    // Half of them read all of it, the others nothing.
    const int events = is_long() ? 2'000 : 50;
    for (int i = 0; i < events; ++i) {
        const auto name = "s" + std::to_string(i);
        announce(name);
        for (std::size_t reader = 0; reader < streams.size() / 2; ++reader)
            ASSERT_THAT(streams[reader]->receive_until("schedules." + name + ":"), HasSubstr("config.reloaded"));
        if (i % 10 == 0) ASSERT_EQ(ask("/livez").status, 200U);
    }

    for (std::size_t i = 0; i < http::kMaxConnections; ++i) {
        slow.push_back(connect());
        slow.back()->send("GET /v1/ru");
    }
    const int requests = is_long() ? 10'000 : 500;
    for (int i = 0; i < requests; ++i) ASSERT_EQ(ask("/livez").status, 200U) << "request " << i;

    slow.clear();
    while (ask("/v1/runs").status == 503U) std::this_thread::sleep_for(1ms);
    EXPECT_EQ(ask("/v1/runs").status, 200U);
    announce("last");
    EXPECT_THAT(streams.front()->receive_until("schedules.last:"), HasSubstr("config.reloaded"));
}

/// What the process has used of the processor, in clock ticks (proc(5), stat, fields 14 and 15).
long processor_ticks(pid_t pid) {
    const auto stat = testing_support::read_file("/proc/" + std::to_string(pid) + "/stat");
    std::istringstream rest(stat.substr(stat.rfind(')') + 2));
    std::string skipped;
    long user = 0, system = 0;
    for (int field = 3; field < 14; ++field) rest >> skipped;
    rest >> user >> system;
    return user + system;
}

std::size_t count(const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++found;
    return found;
}

TEST_F(DaemonUnderLoad, GoesOnOnceItHasDescriptorsAgain) {
    ASSERT_EQ(ask("/livez").status, 200U);
    rlimit before{};
    ASSERT_EQ(prlimit(pid(), RLIMIT_NOFILE, nullptr, &before), 0);
    constexpr std::size_t kLeft = 4, kClients = 20;
    const rlimit few{descriptors() + kLeft, before.rlim_max};
    ASSERT_EQ(prlimit(pid(), RLIMIT_NOFILE, &few, nullptr), 0);

    std::vector<std::unique_ptr<TestClient>> clients;
    for (std::size_t i = 0; i < kClients; ++i) {
        clients.push_back(connect());
        clients.back()->send(request_text(port(), "GET", "/livez"));
    }
    daemon_->program().wait_for("accept_failed");
    // A loop that spins takes the whole processor for as long as one looks; a busy machine only makes it less.
    constexpr auto kLook = 500ms;
    const auto ticks = processor_ticks(pid());
    std::this_thread::sleep_for(kLook);
    const auto most = sysconf(_SC_CLK_TCK) * kLook / 1s / 2;
    EXPECT_LT(processor_ticks(pid()) - ticks, most) << "it spins";
    EXPECT_EQ(count(daemon_->program().err_so_far(), "accept_failed"), 1U) << "said once, not each time";

    ASSERT_EQ(prlimit(pid(), RLIMIT_NOFILE, &before, nullptr), 0);
    for (auto& client : clients) EXPECT_EQ(client->receive().status, 200U) << "it waited in the backlog";
    clients.clear();
    EXPECT_EQ(ask("/v1/runs").status, 200U);
    EXPECT_EQ(count(daemon_->program().err_so_far(), "accept_failed"), 1U);
}

}  // namespace
}  // namespace foxbench
