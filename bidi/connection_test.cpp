#include "bidi/connection.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/cancellation_signal.hpp>
#include <gmock/gmock.h>

#include "bidi/detail/call_as.hpp"
#include "bidi/testing/connection_fixture.hpp"

namespace bidi {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Outcome;
using testing::run;
using testing::ScriptedServer;

using ConnectionTest = testing::ConnectionFixture;

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

TEST_F(ConnectionTest, BigMessagesComeThroughBothWays) {
    const std::string received(std::size_t{5} << 20, 'r');
    const std::string sent(std::size_t{5} << 20, 's');
    server.answer("test.big", {{"text", received}});
    connect();
    const CallOptions patient(testing::kHangBound);
    EXPECT_TRUE(run(io, connection->call("test.big", {{"text", sent}}, patient)).at("text") == received);
    EXPECT_TRUE(server.commands().at(0).at("params").at("text") == sent);
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

struct Tick {
    static constexpr std::string_view kMethod = "test.tick";
    int n = 0;
};
void from_json(const json& from, Tick& to) {
    from.at("n").get_to(to.n);
}

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
    for (const auto* odd :
         {"", "no JSON", "[1,2]", "\"text\"", "{}", R"({"type":"event"})", R"({"id":"one","type":"success"})",
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
    server.on_command([](const json& command) { return std::vector<json>{{{"id", command["id"]}, {"extra", 1}}}; });
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
