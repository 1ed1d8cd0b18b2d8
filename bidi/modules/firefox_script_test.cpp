// The commands of the module script and its channels, against a real Firefox.

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "bidi/modules/firefox_fixture.hpp"

namespace bidi::testing {
namespace {

using namespace script;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ScriptTest : public FirefoxTest {
protected:
    /// What `function` returns for the argument, as the browser wrote it.
    Task<RemoteValue> returned(std::string function, LocalValue argument) {
        CallFunctionOptions options;
        options.arguments.push_back(std::move(argument));
        const EvaluateResult result = co_await call_function(connection(), function, false, page(), options);
        co_return result.value();
    }
    /// Whether the page sees the argument as `expression` says (in it: `x`).
    Task<bool> arrives(LocalValue argument, std::string expression) {
        const std::string function = "x => " + expression;
        const RemoteValue answer = co_await returned(function, std::move(argument));
        co_return answer.plain() == true;
    }
    Task<json> round_trip(LocalValue argument) {
        const std::string identity = "x => x";
        const RemoteValue answer = co_await returned(identity, std::move(argument));
        co_return answer.plain();
    }
};

TEST_F(ScriptTest, ExpressionsAreEvaluated) {
    run([this]() -> Task<> {
        const auto sum = co_await script::evaluate(connection(), "1 + 2", page(), false);
        EXPECT_EQ(sum.value().plain(), 3);
        EXPECT_FALSE(sum.realm().empty());
        const auto awaited = co_await script::evaluate(connection(), "Promise.resolve(4)", page(), true);
        EXPECT_EQ(awaited.value().plain(), 4);
        const auto promise = co_await script::evaluate(connection(), "Promise.resolve(4)", page(), false);
        EXPECT_EQ(promise.value().type, "promise");
        const auto in_realm = co_await script::evaluate(connection(), "5", RealmTarget(sum.realm()), false);
        EXPECT_EQ(in_realm.value().plain(), 5);
        const std::string nowhere = "no context";
        EXPECT_EQ(co_await error_code(script::evaluate(connection(), "1", ContextTarget(nowhere), false)),
                  "no such frame");
    });
}

TEST_F(ScriptTest, ExceptionsAreAnswers) {
    run([this]() -> Task<> {
        const auto thrown = co_await script::evaluate(connection(), "\n  throw new RangeError('far')", page(), false);
        EXPECT_NE(thrown.exception(), nullptr);
        if (!thrown.exception()) co_return;
        EXPECT_THAT(thrown.exception()->text, HasSubstr("far"));
        EXPECT_EQ(thrown.exception()->line_number, 1u);
        EXPECT_EQ(thrown.exception()->exception.type, "error");
        EXPECT_THROW((void)thrown.value(), ScriptError);
        const auto rejected = co_await script::evaluate(connection(), "Promise.reject(7)", page(), true);
        EXPECT_NE(rejected.exception(), nullptr);
        if (!rejected.exception()) co_return;
        EXPECT_EQ(rejected.exception()->exception.plain(), 7);
    });
}

TEST_F(ScriptTest, PrimitivesArrive) {
    run([this]() -> Task<> {
        using Limits = std::numeric_limits<double>;
        EXPECT_TRUE(co_await arrives(undefined_value(), "x === undefined"));
        EXPECT_TRUE(co_await arrives(null_value(), "x === null"));
        EXPECT_TRUE(co_await arrives(boolean_value(true), "x === true"));
        EXPECT_TRUE(co_await arrives(string_value("\u00e4\"\n"), "x === '\u00e4\"\\n'"));
        EXPECT_TRUE(co_await arrives(number_value(2.5), "x === 2.5"));
        EXPECT_TRUE(co_await arrives(number_value(Limits::quiet_NaN()), "Number.isNaN(x)"));
        EXPECT_TRUE(co_await arrives(number_value(Limits::infinity()), "x === Infinity"));
        EXPECT_TRUE(co_await arrives(number_value(-Limits::infinity()), "x === -Infinity"));
        EXPECT_TRUE(co_await arrives(number_value(-0.0), "Object.is(x, -0)"));
        EXPECT_TRUE(co_await arrives(bigint_value("12345678901234567890"), "x === 12345678901234567890n"));
        const json minus_zero = co_await round_trip(number_value(-0.0));
        EXPECT_TRUE(std::signbit(minus_zero.get<double>()));
        EXPECT_EQ(co_await round_trip(bigint_value("12345678901234567890")), "12345678901234567890");
    });
}

TEST_F(ScriptTest, ObjectsArrive) {
    run([this]() -> Task<> {
        EXPECT_TRUE(
            co_await arrives(date_value("2026-01-31T12:00:00.000Z"), "x.getTime() === Date.UTC(2026, 0, 31, 12)"));
        EXPECT_TRUE(co_await arrives(regexp_value("a.c", "i"), "x instanceof RegExp && x.test('ABC')"));
        const std::vector<LocalValue> elements(2, number_value(1));
        EXPECT_TRUE(co_await arrives(array_value(elements), "Array.isArray(x) && x.length === 2"));
        EXPECT_TRUE(co_await arrives(set_value(elements), "x instanceof Set && x.size === 1"));
        const ObjectEntries members(1, {"k", string_value("v")});
        EXPECT_TRUE(co_await arrives(object_value(members), "x.k === 'v'"));
        const MapEntries entries(1, {number_value(1), string_value("one")});
        EXPECT_TRUE(co_await arrives(map_value(entries), "x instanceof Map && x.get(1) === 'one'"));

        EXPECT_EQ(co_await round_trip(date_value("2026-01-31T12:00:00.000Z")), "2026-01-31T12:00:00.000Z");
        EXPECT_EQ(co_await round_trip(regexp_value("a.c", "i")), "/a.c/i");
        EXPECT_EQ(co_await round_trip(map_value(entries)), json::parse(R"({"1": "one"})"));
        const json data = json::parse(R"({"a": [1, 2.5, -3, true, null, "s", []], "b": {"c": {}}})");
        EXPECT_EQ(co_await round_trip(plain_value(data)), data);
    });
}

TEST_F(ScriptTest, ObjectsAreKeptUntilDisowned) {
    run([this]() -> Task<> {
        EvaluateOptions owned;
        owned.result_ownership = ResultOwnership::root;
        const auto object = co_await script::evaluate(connection(), "({count: 1})", page(), false, owned);
        EXPECT_TRUE(object.value().handle);
        const LocalValue reference = reference_value(object.value());
        EXPECT_TRUE(co_await arrives(reference, "++x.count === 2"));

        CallFunctionOptions on_it;
        on_it.this_value = reference;
        on_it.user_activation = true;
        const std::string function = "function() { return [this.count, navigator.userActivation.isActive] }";
        const auto called = co_await call_function(connection(), function, true, page(), on_it);
        EXPECT_EQ(called.value().plain(), json::parse("[2, true]"));

        const std::vector<std::string> handles(1, object.value().handle.value_or(""));
        co_await disown(connection(), handles, page());
        EXPECT_EQ(co_await error_code(returned("x => x", reference)), "no such handle");
    });
}

TEST_F(ScriptTest, SerializationStopsWhereItIsTold) {
    site().serve("/tree.html",
                 "<body><div id=host><p>deep</p></div><script>"
                 "host.attachShadow({mode: 'open'}).innerHTML = '<i>shadow</i>'</script>");
    run([this]() -> Task<> {
        co_await visit("/tree.html");
        EvaluateOptions options;
        SerializationOptions& limits = options.serialization_options.emplace();
        limits.max_object_depth = 1;
        limits.max_dom_depth = 2;
        limits.include_shadow_tree = IncludeShadowTree::open;
        const auto object = co_await script::evaluate(connection(), "({a: {b: 1}})", page(), false, options);
        EXPECT_EQ(object.value().plain(), json::parse(R"({"a": null})"));
        const auto node =
            co_await script::evaluate(connection(), "document.getElementById('host')", page(), false, options);
        const RemoteValue host = node.value();
        EXPECT_EQ(host.type, "node");
        EXPECT_TRUE(host.shared_id);
        EXPECT_EQ(host.value.at("localName"), "div");
        EXPECT_EQ(host.value.at("children").at(0).at("value").at("localName"), "p");
        EXPECT_THAT(host.value.at("shadowRoot").at("value").at("children"), SizeIs(1));
        EXPECT_TRUE(co_await arrives(reference_value(host), "x === document.getElementById('host')"));
    });
}

TEST_F(ScriptTest, SandboxesAreApartFromThePage) {
    run([this]() -> Task<> {
        const ContextTarget sandbox(tab_, "apart");
        co_await script::evaluate(connection(), "window.mine = 1", sandbox, false);
        EXPECT_EQ(co_await evaluate("window.mine"), nullptr);
        const auto inside = co_await script::evaluate(connection(), "window.mine", sandbox, false);
        EXPECT_EQ(inside.value().plain(), 1);

        GetRealmsOptions options;
        options.context = tab_;
        options.type = RealmType::window;
        const auto realms = co_await get_realms(connection(), options);
        EXPECT_THAT(realms.realms, SizeIs(2));
        EXPECT_TRUE(std::any_of(realms.realms.begin(), realms.realms.end(), [&](const RealmInfo& info) {
            return info.sandbox == "apart" && info.context == tab_ && info.realm == inside.realm();
        }));
    });
}

TEST_F(ScriptTest, WorkersAreRealms) {
    site().serve("/worker.html",
                 "<script>worker = new Worker('worker.js');"
                 "started = new Promise(resolve => worker.onmessage = () => resolve(true))</script>");
    site().serve("/worker.js", "postMessage('started')", "Content-Type: text/javascript\r\n");
    run([this]() -> Task<> {
        const auto created = watch<RealmCreated>();
        co_await visit("/worker.html");
        const json started = co_await evaluate("started");
        EXPECT_EQ(started, true);
        GetRealmsOptions options;
        options.type = RealmType::dedicated_worker;
        if (co_await error_code(get_realms(connection(), options)) == "unsupported operation") {
            std::cout << "this browser lacks realms of workers\n";
            for (const RealmCreated& event : created->events) EXPECT_FALSE(event.type == RealmType::dedicated_worker);
            co_return;
        }
        const auto realms = co_await get_realms(connection(), options);
        RealmInfo worker;
        co_await until([&] {
            for (const RealmCreated& event : created->events) {
                if (event.type == RealmType::dedicated_worker) worker = event;
            }
            return !worker.realm.empty();
        });
        EXPECT_THAT(worker.owners, SizeIs(1));
        EXPECT_TRUE(std::any_of(realms.realms.begin(), realms.realms.end(),
                                [&](const RealmInfo& info) { return info.realm == worker.realm; }));
        const auto all = co_await get_realms(connection());
        EXPECT_GT(all.realms.size(), realms.realms.size());
    });
}

TEST_F(ScriptTest, ChannelsSendMessagesInOrderBeforeTheResult) {
    run([this]() -> Task<> {
        const auto messages = watch<Message>();
        co_await returned("send => { for (let i = 0; i < 100; ++i) send({i}) }", channel_value("numbers"));
        EXPECT_THAT(messages->events, SizeIs(100));
        for (std::size_t i = 0; i < messages->size(); ++i) {
            const Message& message = messages->events[i];
            EXPECT_EQ(message.channel, "numbers");
            EXPECT_EQ(message.data.plain(), (json{{"i", i}}));
            EXPECT_EQ(message.source.context, tab_);
        }
        messages->events.clear();
        ChannelProperties shallow("shallow");
        shallow.serialization_options.emplace().max_object_depth = 0;
        shallow.ownership = ResultOwnership::root;
        co_await returned("send => send({a: 1})", channel_value(shallow));
        co_await until([&] { return !messages->empty(); });
        EXPECT_EQ(messages->front().data.plain(), nullptr);
        EXPECT_TRUE(messages->front().data.handle);
    });
}

TEST_F(ScriptTest, PreloadScriptsRunBeforeThePage) {
    site().serve("/preloaded.html", "<script>window.seen = window.early</script>");
    run([this]() -> Task<> {
        const auto messages = watch<Message>();
        AddPreloadScriptOptions options;
        options.arguments.emplace_back("preload");
        options.contexts.push_back(tab_);
        const std::string function = "send => { window.early = 1; send(location.pathname) }";
        const auto added = co_await add_preload_script(connection(), function, options);
        options.sandbox = "apart";
        const auto apart = co_await add_preload_script(connection(), "() => { window.early = 2 }", options);
        co_await visit("/preloaded.html");
        EXPECT_EQ(co_await evaluate("window.seen"), 1);
        const auto inside =
            co_await script::evaluate(connection(), "window.early", ContextTarget(tab_, "apart"), false);
        EXPECT_EQ(inside.value().plain(), 2);
        co_await until([&] {
            return std::any_of(messages->events.begin(), messages->events.end(),
                               [](const Message& message) { return message.data.plain() == "/preloaded.html"; });
        });

        co_await remove_preload_script(connection(), added.script);
        co_await remove_preload_script(connection(), apart.script);
        co_await visit("/preloaded.html");
        EXPECT_EQ(co_await evaluate("window.seen"), nullptr);
        EXPECT_EQ(co_await error_code(remove_preload_script(connection(), added.script)), "no such script");

        AddPreloadScriptOptions everywhere;
        everywhere.user_contexts.emplace_back("default");
        const auto global = co_await add_preload_script(connection(), "() => { window.early = 3 }", everywhere);
        co_await visit("/preloaded.html");
        EXPECT_EQ(co_await evaluate("window.seen"), 3);
        co_await remove_preload_script(connection(), global.script);
    });
}

}  // namespace
}  // namespace bidi::testing
