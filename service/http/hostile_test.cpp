// Requests that mean harm, each with the status that it gets. None of them changes anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/http/hostile_requests.hpp"
#include "service/http/test_client.hpp"

namespace foxbench::http {
namespace {

using testing::hostile_requests;
using testing::TestClient;
using testing::TestServer;
using testing::with_host;

TEST(Hostile, RequestsAreRefusedAndChangeNothing) {
    ServerOptions options;
    options.idempotency = std::make_shared<testing::MemoryAnswers>();
    const TestServer server(options);
    const auto host = "localhost:" + std::to_string(server.port());
    const auto requests = hostile_requests("/v1/things");
    EXPECT_GE(requests.size(), 60u);
    for (const auto& request : requests) {
        SCOPED_TRACE(request.name);
        TestClient client(server.port());
        client.send_if_open(with_host(request.bytes, host));
        client.end_sending();
        const auto answer = client.receive();
        EXPECT_EQ(answer.status, request.status) << answer.body;
        EXPECT_EQ(answer.field("Content-Type"), "application/problem+json");
        EXPECT_EQ(answer.field("Access-Control-Allow-Origin"), "");
        EXPECT_EQ(answer.field("Connection") == "close", request.closes);
        EXPECT_EQ(answer.body.find('\x1b'), std::string::npos);
        EXPECT_TRUE(client.is_closed()) << "a second answer: something was smuggled";
    }
    EXPECT_EQ(server.changes, 0);
    EXPECT_EQ(server.ask("GET", "/livez").status, 200u);
}

}  // namespace
}  // namespace foxbench::http
