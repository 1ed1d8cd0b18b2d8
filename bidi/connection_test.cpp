#include "bidi/connection.hpp"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bidi/detail/call_as.hpp"
#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"

namespace bidi {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::run;
using testing::ScriptedServer;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// How a call that runs beside the test has ended.
struct Outcome {
    int completions = 0;
    json result;
    std::exception_ptr error;

    [[nodiscard]] std::optional<ErrorKind> kind() const {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const Error& thrown) {
            return thrown.kind();
        } catch (const std::exception& thrown) {
            ADD_FAILURE() << "not an error of the library: " << thrown.what();
        }
        return std::nullopt;
    }
    [[nodiscard]] std::string message() const {
        try {
            if (error) std::rethrow_exception(error);
        } catch (const std::exception& thrown) {
            return thrown.what();
        }
        return {};
    }
};

class ConnectionTest : public ::testing::Test {
protected:
    void connect(ConnectionOptions options = {}) { connection = run(io, Connection::open(server.url(), std::move(options))); }

    std::shared_ptr<Outcome> start_call(std::string method, json params = json::object(), CallOptions options = {},
                                        asio::cancellation_slot slot = {}) {
        auto outcome = std::make_shared<Outcome>();
        auto call = connection->call(std::move(method), std::move(params), std::move(options));
        asio::co_spawn(io, std::move(call),
                       asio::bind_cancellation_slot(slot, [outcome](std::exception_ptr error, json result) {
                           ++outcome->completions;
                           outcome->error = std::move(error);
                           outcome->result = std::move(result);
                       }));
        return outcome;
    }

    /// Runs the loop until the condition holds.
    template <class Condition>
    void until(Condition condition) {
        const auto give_up_at = std::chrono::steady_clock::now() + testing::kHangBound;
        io.restart();
        while (!condition() && io.run_one_until(give_up_at) != 0) {
        }
        ASSERT_TRUE(condition()) << "the loop ran dry or the test hangs";
    }
    void wait_for(const std::shared_ptr<Outcome>& outcome) {
        until([&] { return outcome->completions > 0; });
    }
    /// A round trip: everything that was sent before has arrived.
    void settle() {
        server.answer("test.settle");
        run(io, connection->call("test.settle"));
    }
    void stay_silent() {
        server.on_command([](const json&) { return std::vector<json>(); });
    }

    asio::io_context io{1};
    ScriptedServer server{io};
    std::shared_ptr<Connection> connection;
};

TEST_F(ConnectionTest, ACommandIsAnsweredWithItsResult) {
    server.answer("session.status", {{"ready", true}, {"message", ""}});
    connect();
    EXPECT_TRUE(connection->is_open());
    EXPECT_EQ(run(io, connection->call("session.status")).at("ready"), true);
    EXPECT_EQ(server.commands().at(0), json::parse(R"({"id":1,"method":"session.status","params":{}})"));
}

TEST_F(ConnectionTest, AbsentParametersAreSentAsAnEmptyObject) {
    server.answer("session.end");
    connect();
    run(io, connection->call("session.end", nullptr));
    EXPECT_EQ(server.commands().at(0).at("params"), json::object());
}

TEST_F(ConnectionTest, AnswersMayComeInAnyOrder) {
    std::vector<json> held;
    server.on_command([&](const json& command) -> std::vector<json> {
        held.insert(held.begin(), ScriptedServer::success(command, command["params"]));
        return held.size() == 3 ? held : std::vector<json>();
    });
    connect();
    const std::vector<std::shared_ptr<Outcome>> calls{start_call("a", {{"n", 1}}), start_call("b", {{"n", 2}}),
                                                      start_call("c", {{"n", 3}})};
    for (const auto& call : calls) wait_for(call);
    EXPECT_EQ(calls[0]->result["n"], 1);
    EXPECT_EQ(calls[1]->result["n"], 2);
    EXPECT_EQ(calls[2]->result["n"], 3);
}

TEST_F(ConnectionTest, AnErrorAnswerKeepsItsCodeMessageAndMethod) {
    server.on_command([](const json& command) {
        json answer = ScriptedServer::error(command, "no such frame", "gone");
        answer["stacktrace"] = "at line 1";
        return std::vector<json>{answer};
    });
    connect();
    try {
        run(io, connection->call("browsingContext.navigate"));
        FAIL() << "no error";
    } catch (const ProtocolError& error) {
        EXPECT_EQ(error.kind(), ErrorKind::protocol);
        EXPECT_EQ(error.code(), "no such frame");
        EXPECT_EQ(error.remote_message(), "gone");
        EXPECT_EQ(error.stacktrace(), "at line 1");
        EXPECT_EQ(error.method(), "browsingContext.navigate");
        EXPECT_STREQ(error.what(), "browsingContext.navigate: no such frame: gone");
    }
}

TEST_F(ConnectionTest, ADuplicateAnswerIsCountedAndIgnored) {
    server.on_command([](const json& command) {
        return std::vector<json>{ScriptedServer::success(command, {{"first", true}}),
                                 ScriptedServer::success(command, {{"first", false}})};
    });
    connect();
    EXPECT_EQ(run(io, connection->call("session.status")).at("first"), true);
    settle();
    EXPECT_EQ(connection->counters().late_answers, 1U);
}

TEST_F(ConnectionTest, AnswersToUnknownIdsAreCountedAndIgnored) {
    server.on_command([](const json& command) {
        json stranger = ScriptedServer::success(command);
        stranger["id"] = 4711;
        return std::vector<json>{stranger, ScriptedServer::success(command)};
    });
    connect();
    run(io, connection->call("session.status"));
    EXPECT_EQ(connection->counters().unknown_answers, 1U);
}

// cases.md, row 25
TEST_F(ConnectionTest, ACommandThatIsNeverAnsweredTimesOut) {
    stay_silent();
    connect();
    const auto call = start_call("script.evaluate", {{"expression", "1"}}, CallOptions(20ms));
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::timeout);
    EXPECT_EQ(call->message(), "script.evaluate: no answer within 20 ms");
    EXPECT_TRUE(connection->is_open());
}

TEST_F(ConnectionTest, EveryDeadlineIsKeptWhicheverCallCameFirst) {
    stay_silent();
    ConnectionOptions options;
    options.deadlines.cheap = 30ms;
    options.deadlines.script = 60ms;
    connect(options);
    const auto script = start_call("script.callFunction");
    const auto cheap = start_call("storage.getCookies");
    const auto given = start_call("storage.getCookies", json::object(), CallOptions(90ms));
    wait_for(cheap);
    EXPECT_EQ(script->completions + given->completions, 0);
    wait_for(script);
    EXPECT_EQ(given->completions, 0);
    wait_for(given);
    EXPECT_EQ(given->kind(), ErrorKind::timeout);
}

TEST_F(ConnectionTest, ALateAnswerIsCountedAndIgnored) {
    json late;
    server.on_command([&](const json& command) -> std::vector<json> {
        late = ScriptedServer::success(command);
        return {};
    });
    connect();
    const auto call = start_call("session.status", json::object(), CallOptions(10ms));
    wait_for(call);
    server.send(late);
    settle();
    EXPECT_EQ(call->completions, 1);
    EXPECT_EQ(connection->counters().late_answers, 1U);
}

TEST_F(ConnectionTest, ACancelledCallEndsAtOnceAndItsAnswerIsIgnored) {
    json held;
    server.on_command([&](const json& command) -> std::vector<json> {
        held = ScriptedServer::success(command);
        return {};
    });
    connect();
    asio::cancellation_signal signal;
    const auto call = start_call("script.evaluate", json::object(), {}, signal.slot());
    until([&] { return !held.is_null(); });
    signal.emit(asio::cancellation_type::terminal);
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::cancelled);
    signal.emit(asio::cancellation_type::terminal);
    server.send(held);
    settle();
    EXPECT_EQ(call->completions, 1);
    EXPECT_EQ(connection->counters().late_answers, 1U);
}

// cases.md, row 18
TEST_F(ConnectionTest, WhenThePeerClosesEveryPendingCallFailsOnceWithTheCloseCode) {
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

TEST_F(ConnectionTest, AResetFailsThePendingCalls) {
    stay_silent();
    connect();
    const auto call = start_call("session.status");
    until([&] { return server.commands().size() == 1; });
    server.reset();
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::closed);
    EXPECT_THAT(call->message(), HasSubstr("1006"));
}

TEST_F(ConnectionTest, ACallAfterTheEndFailsWithTheSameReason) {
    connect();
    run(io, connection->close());
    const auto sent = server.commands().size();
    const auto call = start_call("session.status");
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::closed);
    EXPECT_EQ(call->message(), connection->reason()->what());
    EXPECT_EQ(server.commands().size(), sent);
}

TEST_F(ConnectionTest, ClosingIsPoliteAndFailsThePendingCalls) {
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

TEST_F(ConnectionTest, AbortCountsOnceAndOnlyWithTheFirstReason) {
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

// cases.md, row 16
TEST_F(ConnectionTest, ANavigationDiscardsTheScriptsThatWaitInItsContext) {
    stay_silent();
    connect();
    const json in_a{{"target", {{"context", "A"}}}, {"awaitPromise", true}};
    const auto script = start_call("script.evaluate", in_a);
    const auto by_option = start_call("script.callFunction", {{"target", {{"realm", "R"}}}}, CallOptions({}, "A"));
    const auto elsewhere = start_call("script.evaluate", {{"target", {{"context", "B"}}}, {"awaitPromise", true}});
    const auto navigation = start_call("browsingContext.navigate", {{"context", "A"}, {"url", "about:blank"}});
    until([&] { return server.commands().size() == 4; });
    server.send_event("browsingContext.navigationStarted", {{"context", "A"}, {"url", "about:blank"}});
    wait_for(script);
    wait_for(by_option);
    EXPECT_EQ(script->kind(), ErrorKind::discarded);
    EXPECT_THAT(script->message(), HasSubstr("script.evaluate"));
    EXPECT_THAT(script->message(), HasSubstr("browsingContext.navigationStarted"));
    EXPECT_EQ(by_option->kind(), ErrorKind::discarded);
    settle();
    EXPECT_EQ(elsewhere->completions + navigation->completions, 0);
}

TEST_F(ConnectionTest, TheEndOfAContextDiscardsAllItsScripts) {
    stay_silent();
    connect();
    const auto script = start_call("script.evaluate", {{"target", {{"context", "A"}}}, {"awaitPromise", false}});
    const auto in_frame = start_call("script.evaluate", {{"target", {{"context", "frame"}}}});
    until([&] { return server.commands().size() == 2; });
    const json frame{{"context", "frame"}, {"children", nullptr}};
    server.send_event("browsingContext.contextDestroyed", {{"context", "A"}, {"children", json::array({frame, 5})}});
    wait_for(script);
    wait_for(in_frame);
    EXPECT_EQ(script->kind(), ErrorKind::discarded);
    EXPECT_EQ(in_frame->kind(), ErrorKind::discarded);
}

// cases.md, row 17: all that is heard of a crashed content process
TEST_F(ConnectionTest, TheEndOfARealmDiscardsItsScripts) {
    stay_silent();
    connect();
    server.send_event("script.realmCreated", {{"realm", "R"}, {"type", "window"}, {"context", "A"}});
    settle();
    const auto by_context = start_call("script.evaluate", {{"target", {{"context", "A"}}}});
    const auto by_realm = start_call("script.evaluate", {{"target", {{"realm", "R"}}}});
    const auto other = start_call("script.evaluate", {{"target", {{"realm", "S"}}}});
    until([&] { return server.commands().size() == 4; });
    server.send_event("script.realmDestroyed", {{"realm", "R"}});
    wait_for(by_context);
    wait_for(by_realm);
    EXPECT_EQ(by_context->kind(), ErrorKind::discarded);
    EXPECT_EQ(by_realm->kind(), ErrorKind::discarded);
    EXPECT_EQ(other->completions, 0);
}

TEST_F(ConnectionTest, TheOwnerOfTheBrowserExplainsALoss) {
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

TEST_F(ConnectionTest, AnExplanationThatFailsOrTakesTooLongIsDoneWithout) {
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

    options.explain_loss = []() -> Task<std::shared_ptr<Error>> {
        throw std::runtime_error("no idea");
        co_return nullptr;
    };
    connect(options);
    const auto failed = start_call("session.status");
    until([&] { return server.commands().size() == 2; });
    server.reset();
    wait_for(failed);
    EXPECT_EQ(failed->kind(), ErrorKind::closed);
}

TEST_F(ConnectionTest, AnExpectedEndNeedsNoExplanation) {
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

TEST_F(ConnectionTest, BigMessagesComeThroughBothWays) {
    const std::string received(std::size_t{5} << 20, 'r');
    const std::string sent(std::size_t{5} << 20, 's');
    server.answer("test.big", {{"text", received}});
    connect();
    const CallOptions patient(testing::kHangBound);
    EXPECT_TRUE(run(io, connection->call("test.big", {{"text", sent}}, patient)).at("text") == received);
    EXPECT_TRUE(server.commands().at(0).at("params").at("text") == sent);
}

// cases.md, row 20
TEST_F(ConnectionTest, AMessageOverTheLimitClosesWith1009AndSaysSo) {
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

TEST_F(ConnectionTest, TwentyThousandEventsComeInOrder) {
    constexpr int kEvents = 20'000;
    server.on_command([](const json& command) {
        std::vector<json> messages;
        for (int i = 0; i < kEvents; ++i) messages.push_back(ScriptedServer::event("test.tick", {{"n", i}}));
        messages.push_back(ScriptedServer::success(command));
        return messages;
    });
    connect();
    int expected = 0;
    bool in_order = true;
    const auto subscription = connection->on("test.tick", [&](const json& params) {
        in_order = in_order && params.at("n") == expected;
        ++expected;
    });
    run(io, connection->call("test.ticks", json::object(), CallOptions(testing::kHangBound)));
    EXPECT_EQ(expected, kEvents);
    EXPECT_TRUE(in_order);
}

TEST_F(ConnectionTest, HandlersMayUnsubscribeCallAndThrow) {
    stay_silent();
    connect();
    std::vector<std::string> seen;
    std::optional<Subscription> once;
    once = connection->on("test.event", [&](const json&) {
        seen.emplace_back("once");
        once.reset();
    });
    const auto thrower = connection->on("test.event", [](const json&) { throw std::runtime_error("boom"); });
    std::shared_ptr<Outcome> nested;
    const auto caller = connection->on("test.event", [&](const json&) {
        seen.emplace_back("caller");
        nested = start_call("test.settle");
    });
    server.send_event("test.event", json::object());
    server.send_event("test.event", json::object());
    until([&] { return seen.size() == 3; });
    settle();
    EXPECT_THAT(seen, ElementsAre("once", "caller", "caller"));
    EXPECT_EQ(nested->completions, 1);
    EXPECT_EQ(connection->counters().handler_failures, 2U);
}

TEST_F(ConnectionTest, AHandlerMayDropTheConnection) {
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

TEST_F(ConnectionTest, AHandlerMayAbortWithCallsPending) {
    stay_silent();
    connect();
    const auto call = start_call("session.status");
    const auto subscription = connection->on("test.event", [&](const json&) {
        connection->abort(std::make_shared<ClosedError>("enough"));
    });
    server.send_event("test.event", json::object());
    wait_for(call);
    EXPECT_EQ(call->message(), "enough");
}

struct Tick {
    static constexpr std::string_view kMethod = "test.tick";
    int n = 0;
};
void from_json(const json& from, Tick& to) { from.at("n").get_to(to.n); }

TEST_F(ConnectionTest, TypedEventsAreReadAndOddOnesCounted) {
    connect();
    std::vector<int> seen;
    const auto subscription = on<Tick>(*connection, [&](const Tick& tick) { seen.push_back(tick.n); });
    server.send_event("test.tick", {{"n", 1}, {"unknown", "member"}});
    server.send_event("test.tick", {{"n", "text"}});
    server.send({{"type", "event"}, {"method", "test.tick"}, {"params", 5}});
    server.send_event("test.tick", {{"n", 2}});
    settle();
    EXPECT_THAT(seen, ElementsAre(1, 2));
    EXPECT_EQ(connection->counters().malformed_events, 2U);
}

TEST_F(ConnectionTest, TypedResultsAreReadAndOddOnesAreErrors) {
    server.answer("test.good", {{"n", 7}});
    server.answer("test.odd", {{"m", 7}});
    connect();
    EXPECT_EQ(run(io, detail::call_as<Tick>(*connection, "test.good", json::object())).n, 7);
    run(io, detail::call_as<void>(*connection, "test.odd", json::object()));
    try {
        run(io, detail::call_as<Tick>(*connection, "test.odd", json::object()));
        FAIL() << "no error";
    } catch (const ProtocolError& error) {
        EXPECT_EQ(error.code(), ProtocolError::kMalformedAnswer);
        EXPECT_EQ(error.method(), "test.odd");
    }
}

TEST_F(ConnectionTest, OddMessagesAreIgnoredCountedAndTold) {
    std::vector<std::string> told;
    ConnectionOptions options;
    options.on_anomaly = [&](std::string_view what) { told.emplace_back(what); };
    connect(options);
    for (const auto* odd : {"", "no JSON", "[1,2]", "\"text\"", "{}", R"({"type":"event"})", R"({"id":"one","type":"success"})",
                            R"({"id":-1,"type":"success"})", R"({"id":1.5,"type":"error"})", R"({"id":null})"}) {
        server.send_raw(odd);
    }
    server.send_binary("\x01\x02");
    server.send_raw(R"({"type":"error","id":null,"error":"invalid argument","message":"what was that?"})");
    server.ping("hello");
    settle();
    EXPECT_TRUE(connection->is_open());
    EXPECT_EQ(connection->counters().malformed_messages, 11U);
    EXPECT_EQ(connection->counters().errors_without_id, 1U);
    ASSERT_EQ(told.size(), 12U);
    EXPECT_THAT(told.back(), HasSubstr("invalid argument: what was that?"));
}

TEST_F(ConnectionTest, LenientAnswersAreTakenAsTheyAre) {
    server.on_command([](const json& command) {
        return std::vector<json>{{{"id", command["id"]}, {"extra", 1}}};
    });
    connect();
    EXPECT_EQ(run(io, connection->call("test.bare")), json::object());
}

TEST_F(ConnectionTest, TextThatIsNoUtf8IsRefusedBeforeItIsSent) {
    connect();
    const auto call = start_call("script.evaluate", {{"expression", "\xff"}});
    wait_for(call);
    EXPECT_EQ(call->kind(), ErrorKind::protocol);
    settle();
    EXPECT_EQ(server.commands().size(), 1U);
}

TEST_F(ConnectionTest, APendingCallKeepsTheConnection) {
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

TEST(ConnectionEndTest, TheEventLoopMayEndWithCallsPending) {
    bool resumed = false;
    {
        asio::io_context io(1);
        ScriptedServer server(io);
        server.on_command([](const json&) { return std::vector<json>(); });
        auto connection = run(io, Connection::open(server.url()));
        asio::co_spawn(io, connection->call("session.status"), [&](std::exception_ptr, const json&) { resumed = true; });
        asio::co_spawn(io, connection->call("script.evaluate"), [&, connection](std::exception_ptr, const json&) { resumed = true; });
        while (server.commands().size() < 2) io.run_one();
    }
    EXPECT_FALSE(resumed);
}

TEST(ConnectionEndTest, AConnectionMayOutliveItsEventLoop) {
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

// GCC 12 would break the strings of aggregates here.
TEST_F(ConnectionTest, DefaultArgumentsMayStandInACoAwait) {
    server.answer("test.plain");
    run(io, [](std::string url) -> Task<> {
        const auto opened = co_await Connection::open(url);
        co_await opened->call("test.plain");
        co_await opened->call("test.plain", json::object(), CallOptions(5s, "a context whose name is no short text"));
        co_await opened->close();
    }(server.url()));
}

// ---- opening

class OpeningTest : public ::testing::Test {
protected:
    std::string url() const { return "ws://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/session"; }

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
    asio::co_spawn(io, Connection::open(url()),
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

TEST(DeadlinesTest, EveryCommandHasOneByItsClass) {
    const Deadlines deadlines;
    EXPECT_EQ(deadlines.of("session.status"), 5s);
    EXPECT_EQ(deadlines.of("vendor:unknown"), 5s);
    EXPECT_EQ(deadlines.of("browsingContext.navigate"), 30s);
    EXPECT_EQ(deadlines.of("session.new"), 30s);
    EXPECT_EQ(deadlines.of("script.evaluate"), 30s);
    EXPECT_EQ((Deadlines{.script = 90s}).of("script.callFunction"), 90s);
}

TEST(ErrorTest, AReasonIsThrownAgainWithItsType) {
    const std::shared_ptr<const Error> reason = std::make_shared<CrashedError>("exit status 245");
    EXPECT_THROW(std::rethrow_exception(reason->as_exception()), CrashedError);
    EXPECT_EQ(to_string(reason->kind()), "crashed");
    const ScriptError thrown(json{{"text", "Error: no"}, {"lineNumber", 0}});
    EXPECT_STREQ(thrown.what(), "the script threw: Error: no");
    EXPECT_STREQ(ScriptError(json()).what(), "the script threw an exception");
}

}  // namespace
}  // namespace bidi
