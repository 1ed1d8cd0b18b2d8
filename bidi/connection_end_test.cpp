#include <memory>
#include <string>
#include <vector>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <gmock/gmock.h>

#include "bidi/connection.hpp"
#include "bidi/testing/connection_fixture.hpp"

namespace bidi {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run;
using testing::ScriptedServer;

using ConnectionEndTest = testing::ConnectionFixture;

// cases.md, row 18
TEST_F(ConnectionEndTest, WhenThePeerClosesEveryPendingCallFailsOnceWithTheCloseCode) {
    stay_silent();
    connect();
    const std::vector<std::shared_ptr<Outcome>> calls{start_call("a"), start_call("b"), start_call("c")};
    until([&] { return server.commands().size() == 3; });
    server.close(1001, "leaving");
    for (const auto& call : calls) wait_for(call);
    EXPECT_FALSE(connection->is_open());
    run(io, connection->close());
    for (const auto& call : calls) {
        EXPECT_EQ(call->completions, 1);
        EXPECT_EQ(call->kind(), ErrorKind::closed);
        EXPECT_THAT(call->message(), HasSubstr("WebSocket close 1001, \"leaving\""));
        EXPECT_THAT(call->message(), HasSubstr(server.url()));
    }
    EXPECT_STREQ(connection->reason()->what(), calls[0]->message().c_str());
}

TEST_F(ConnectionEndTest, AResetFailsThePendingCalls) {
    stay_silent();
    connect();
    const auto call = start_call("session.status");
    until([&] { return server.commands().size() == 1; });
    server.reset();
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::closed);
    EXPECT_THAT(call->message(), HasSubstr("1006): Connection reset by peer"));
}

TEST_F(ConnectionEndTest, ACallAfterTheEndFailsWithTheSameReason) {
    connect();
    run(io, connection->close());
    const auto sent = server.commands().size();
    const auto call = start_call("session.status");
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::closed);
    EXPECT_EQ(call->message(), connection->reason()->what());
    EXPECT_EQ(server.commands().size(), sent);
}

TEST_F(ConnectionEndTest, ClosingIsPoliteAndFailsThePendingCalls) {
    stay_silent();
    std::uint16_t code = 0;
    server.on_closed([&](std::uint16_t received) { code = received; });
    connect();
    const auto call = start_call("script.evaluate");
    until([&] { return server.commands().size() == 1; });
    run(io, connection->close());
    until([&] { return code != 0; });
    EXPECT_EQ(code, 1000);
    EXPECT_EQ(call->kind(), ErrorKind::closed);
    EXPECT_FALSE(connection->is_open());
    run(io, connection->close());
}

TEST_F(ConnectionEndTest, AbortCountsOnceAndOnlyWithTheFirstReason) {
    stay_silent();
    connect();
    const auto call = start_call("session.status");
    until([&] { return server.commands().size() == 1; });
    connection->abort(std::make_shared<CrashedError>("the browser ended with exit status 245"));
    connection->abort(std::make_shared<ClosedError>("second reason"));
    wait_for(call);
    run(io, connection->close());
    EXPECT_EQ(call->completions, 1);
    EXPECT_EQ(call->kind(), ErrorKind::crashed);
    EXPECT_EQ(connection->reason()->kind(), ErrorKind::crashed);
    connection->abort(nullptr);
    EXPECT_EQ(connection->reason()->kind(), ErrorKind::crashed);
}

TEST_F(ConnectionEndTest, TheOwnerOfTheBrowserExplainsALoss) {
    stay_silent();
    int asked = 0;
    ConnectionOptions options;
    options.explain_loss = [&]() -> Task<std::shared_ptr<Error>> {
        ++asked;
        asio::steady_timer exit_status(co_await asio::this_coro::executor, 5ms);
        co_await exit_status.async_wait(asio::use_awaitable);
        co_return std::make_shared<CrashedError>("Firefox ended with exit status 245");
    };
    connect(options);
    const auto before = start_call("session.status");
    until([&] { return server.commands().size() == 1; });
    server.reset();
    until([&] { return asked == 1; });
    const auto meanwhile = start_call("session.status");
    wait_for(before);
    wait_for(meanwhile);
    EXPECT_EQ(before->kind(), ErrorKind::crashed);
    EXPECT_EQ(meanwhile->kind(), ErrorKind::crashed);
    EXPECT_EQ(connection->reason()->kind(), ErrorKind::crashed);
    EXPECT_EQ(asked, 1);
}

TEST_F(ConnectionEndTest, AnExplanationThatFailsOrTakesTooLongIsDoneWithout) {
    stay_silent();
    ConnectionOptions options;
    options.explain_deadline = 20ms;
    options.explain_loss = []() -> Task<std::shared_ptr<Error>> {
        asio::steady_timer never(co_await asio::this_coro::executor, std::chrono::hours(1));
        co_await never.async_wait(asio::use_awaitable);
        co_return nullptr;
    };
    connect(options);
    const auto too_late = start_call("session.status");
    until([&] { return server.commands().size() == 1; });
    server.reset();
    wait_for(too_late);
    EXPECT_EQ(too_late->kind(), ErrorKind::closed);

    const auto throws_later = []() -> Task<std::shared_ptr<Error>> {
        throw std::runtime_error("no idea");
        co_return nullptr;
    };
    const auto throws_at_once = []() -> Task<std::shared_ptr<Error>> { throw std::runtime_error("no idea"); };
    for (const auto& explain :
         {decltype(options.explain_loss)(throws_later), decltype(options.explain_loss)(throws_at_once)}) {
        options.explain_loss = explain;
        connect(options);
        const auto sent = server.commands().size();
        const auto failed = start_call("session.status");
        until([&] { return server.commands().size() > sent; });
        server.reset();
        wait_for(failed);
        EXPECT_EQ(failed->kind(), ErrorKind::closed);
    }
}

TEST_F(ConnectionEndTest, AnExpectedEndNeedsNoExplanation) {
    int asked = 0;
    ConnectionOptions options;
    options.explain_loss = [&]() -> Task<std::shared_ptr<Error>> {
        ++asked;
        co_return nullptr;
    };
    server.answer("browser.close");
    connect(options);
    run(io, connection->call("browser.close"));
    server.close(1000);
    until([&] { return connection->reason() != nullptr; });
    connect(options);
    run(io, connection->close());
    EXPECT_EQ(asked, 0);
}

// cases.md, row 20
TEST_F(ConnectionEndTest, AMessageOverTheLimitClosesWith1009AndSaysSo) {
    server.answer("test.big", {{"text", std::string(5'000'000, 'x')}});
    std::uint16_t code = 0;
    server.on_closed([&](std::uint16_t received) { code = received; });
    ConnectionOptions options;
    options.max_message_bytes = 100'000;
    connect(options);
    const auto call = start_call("test.big");
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::closed);
    EXPECT_THAT(call->message(), HasSubstr("longer than the limit of 100000 bytes"));
    until([&] { return code != 0; });
    EXPECT_EQ(code, 1009);
}

TEST_F(ConnectionEndTest, AHandlerMayDropTheConnection) {
    stay_silent();
    connect();
    int seen = 0;
    const auto subscription = connection->on("test.event", [&](const json&) {
        ++seen;
        connection.reset();
    });
    std::uint16_t code = 0;
    server.on_closed([&](std::uint16_t received) { code = received; });
    server.send_event("test.event", json::object());
    server.send_event("test.event", json::object());
    until([&] { return code != 0; });
    EXPECT_EQ(seen, 1);
}

TEST_F(ConnectionEndTest, AHandlerMayAbortWithCallsPending) {
    stay_silent();
    connect();
    const auto call = start_call("session.status");
    const auto subscription =
        connection->on("test.event", [&](const json&) { connection->abort(std::make_shared<ClosedError>("enough")); });
    server.send_event("test.event", json::object());
    wait_for(call);
    EXPECT_EQ(call->message(), "enough");
}

TEST_F(ConnectionEndTest, APendingCallKeepsTheConnection) {
    json held;
    server.on_command([&](const json& command) -> std::vector<json> {
        held = ScriptedServer::success(command);
        return {};
    });
    connect();
    const auto call = start_call("session.status");
    until([&] { return !held.is_null(); });
    connection.reset();
    server.send(held);
    wait_for(call);
    EXPECT_EQ(call->error, nullptr);
}

TEST(EventLoopEndTest, TheEventLoopMayEndWithCallsPending) {
    bool resumed = false;
    {
        asio::io_context io(1);
        ScriptedServer server(io);
        server.on_command([](const json&) { return std::vector<json>(); });
        auto connection = run(io, Connection::open(server.url()));
        asio::co_spawn(io, connection->call("session.status"),
                       [&](std::exception_ptr, const json&) { resumed = true; });
        asio::co_spawn(io, connection->call("script.evaluate"),
                       [&, connection](std::exception_ptr, const json&) { resumed = true; });
        while (server.commands().size() < 2) io.run_one();
    }
    EXPECT_FALSE(resumed);
}

TEST(EventLoopEndTest, AConnectionMayOutliveItsEventLoop) {
    std::shared_ptr<Connection> open;
    std::shared_ptr<Connection> closed;
    Subscription subscription;
    {
        asio::io_context io(1);
        ScriptedServer server(io);
        closed = run(io, Connection::open(server.url()));
        run(io, closed->close());
        open = run(io, Connection::open(server.url()));
        subscription = open->on("test.event", [](const json&) {});
    }
    EXPECT_FALSE(open->is_open());
    EXPECT_EQ(open->reason()->kind(), ErrorKind::closed);
}

// ---- opening

class OpeningTest : public ::testing::Test {
protected:
    std::string url() const {
        return "ws://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/session";
    }

    /// Accepts one connection, reads the request and answers with this text, if any; keeps the socket.
    Task<> serve(std::string answer) {
        co_await acceptor.async_accept(socket, asio::use_awaitable);
        std::string request;
        co_await asio::async_read_until(socket, asio::dynamic_buffer(request), "\r\n\r\n", asio::use_awaitable);
        co_await asio::async_write(socket, asio::buffer(answer), asio::use_awaitable);
    }

    asio::io_context io{1};
    asio::ip::tcp::acceptor acceptor{io, {asio::ip::address_v4::loopback(), 0}};
    asio::ip::tcp::socket socket{io};
};

TEST_F(OpeningTest, ARefusedConnectionSaysSo) {
    const auto address = url();
    acceptor.close();
    try {
        run(io, Connection::open(address));
        FAIL() << "no error";
    } catch (const ClosedError& error) {
        EXPECT_THAT(error.what(), HasSubstr(address + ": Connection refused"));
    }
}

TEST_F(OpeningTest, AnHttpAnswerSaysItsStatus) {
    asio::co_spawn(io, serve("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"), asio::detached);
    try {
        run(io, Connection::open(url()));
        FAIL() << "no error";
    } catch (const ClosedError& error) {
        EXPECT_THAT(error.what(), HasSubstr("HTTP status 404 Not Found"));
    }
}

TEST_F(OpeningTest, ANameIsLookedUp) {
    const ScriptedServer server(io);
    std::string named = server.url();
    named.replace(named.find("127.0.0.1"), 9, "localhost");
    const auto connection = run(io, Connection::open(named));
    EXPECT_TRUE(connection->is_open());
}

TEST_F(OpeningTest, ASilentServerTimesOut) {
    asio::co_spawn(io, serve(""), asio::detached);
    ConnectionOptions options;
    options.handshake_deadline = 20ms;
    EXPECT_THROW(run(io, Connection::open(url(), options)), TimeoutError);
}

TEST_F(OpeningTest, ItCanBeCancelled) {
    asio::cancellation_signal signal;
    std::exception_ptr error;
    bool done = false;
    asio::co_spawn(io, serve(""), asio::detached);
    asio::co_spawn(
        io, Connection::open(url()),
        asio::bind_cancellation_slot(signal.slot(), [&](std::exception_ptr e, const std::shared_ptr<Connection>&) {
            error = std::move(e);
            done = true;
        }));
    while (!socket.is_open()) io.run_one();
    signal.emit(asio::cancellation_type::terminal);
    while (!done) io.run_one();
    EXPECT_THROW(std::rethrow_exception(error), CancelledError);
}

TEST_F(OpeningTest, AnAddressThatIsNoneIsRefused) {
    EXPECT_THROW(run(io, Connection::open("http://127.0.0.1/")), ClosedError);
}

}  // namespace
}  // namespace bidi
