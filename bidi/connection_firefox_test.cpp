// The connection against a real Firefox: what no scripted server can promise.

#include <memory>
#include <string>

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>

#include "bidi/connection.hpp"
#include "bidi/testing/firefox_process.hpp"
#include "bidi/testing/run_task.hpp"

namespace bidi {
namespace {

using namespace std::chrono_literals;
using testing::run;

CallOptions patient() {
    return CallOptions(testing::kHangBound);
}

class ConnectionFirefoxTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        firefox_ = std::make_unique<testing::FirefoxProcess>();
        io_ = std::make_unique<boost::asio::io_context>(1);
        connection_ = run(*io_, Connection::open(firefox_->url()));
        call("session.new", {{"capabilities", json::object()}});
    }
    static void TearDownTestSuite() {
        if (connection_) run(*io_, connection_->close());
        connection_ = nullptr;
        io_ = nullptr;
        firefox_ = nullptr;
    }

    static json call(std::string method, json params = json::object()) {
        return run(*io_, connection_->call(std::move(method), std::move(params), patient()));
    }
    static std::string page() { return call("browsingContext.getTree").at("contexts").at(0).at("context"); }
    static json evaluate(const std::string& expression) {
        return call("script.evaluate",
                    {{"expression", expression}, {"target", {{"context", page()}}}, {"awaitPromise", true}});
    }

    static inline std::unique_ptr<testing::FirefoxProcess> firefox_;
    static inline std::unique_ptr<boost::asio::io_context> io_;
    static inline std::shared_ptr<Connection> connection_;
};

TEST_F(ConnectionFirefoxTest, ABusyFirefoxIsNotReadyForASecondSession) {
    EXPECT_EQ(call("session.status").at("ready"), false);
    const auto second = run(*io_, Connection::open(firefox_->url()));
    EXPECT_EQ(run(*io_, second->call("session.status")).at("ready"), false);
    try {
        run(*io_, second->call("session.new", {{"capabilities", json::object()}}));
        FAIL() << "no error";
    } catch (const ProtocolError& error) {
        EXPECT_EQ(error.code(), "session not created");
    }
    run(*io_, second->close());
}

TEST_F(ConnectionFirefoxTest, AnUnknownCommandIsToldByItsCode) {
    try {
        call("no.such");
        FAIL() << "no error";
    } catch (const ProtocolError& error) {
        EXPECT_EQ(error.code(), "unknown command");
    }
}

TEST_F(ConnectionFirefoxTest, AResultOf32MebibytesComesThrough) {
    const auto result = evaluate("'m'.repeat(32 * 1024 * 1024)");
    EXPECT_TRUE(result.at("result").at("value") == std::string(std::size_t{32} << 20, 'm'));
}

TEST_F(ConnectionFirefoxTest, TwentyThousandMessagesOfAChannelComeInOrderBeforeTheResult) {
    constexpr int kMessages = 20'000;
    call("session.subscribe", {{"events", {"script.message"}}});
    int expected = 0;
    bool in_order = true;
    const auto subscription = connection_->on("script.message", [&](const json& message) {
        in_order = in_order && message.at("channel") == "ticks" && message.at("data").at("value") == expected;
        ++expected;
    });
    call("script.callFunction",
         {{"functionDeclaration", "(channel, count) => { for (let i = 0; i < count; ++i) channel(i); }"},
          {"arguments",
           {{{"type", "channel"}, {"value", {{"channel", "ticks"}}}}, {{"type", "number"}, {"value", kMessages}}}},
          {"target", {{"context", page()}}},
          {"awaitPromise", false}});
    EXPECT_EQ(expected, kMessages);
    EXPECT_TRUE(in_order);
}

// cases.md, row 16
TEST_F(ConnectionFirefoxTest, AScriptThatWaitsIsDiscardedByANavigation) {
    call("session.subscribe", {{"events",
                                {"browsingContext.navigationStarted", "browsingContext.contextDestroyed",
                                 "script.realmCreated", "script.realmDestroyed"}}});
    EXPECT_THROW(evaluate("new Promise(() => { location.href = 'data:text/html,elsewhere'; })"), DiscardedError);
    EXPECT_EQ(evaluate("1 + 1").at("result").at("value"), 2);
}

// The last one: it ends the browser.
TEST_F(ConnectionFirefoxTest, ClosingTheBrowserEndsTheConnectionAsExpected) {
    call("browser.close");
    ASSERT_TRUE(firefox_->wait_for_exit(30s));
    EXPECT_THROW(call("session.status"), ClosedError);
    EXPECT_THAT(connection_->reason()->what(), ::testing::HasSubstr("WebSocket close 1000"));
}

}  // namespace
}  // namespace bidi
