#include "bidi/event_dispatcher.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace bidi {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventDispatcherTest : public ::testing::Test {
protected:
    void dispatch(const std::string& event) {
        dispatcher.dispatch(event, json::object(), [this](std::string_view what) { failures.emplace_back(what); });
    }
    std::function<void(const json&)> log(const std::string& text) {
        return [this, text](const json&) { calls.push_back(text); };
    }

    EventDispatcher dispatcher;
    std::vector<std::string> calls;
    std::vector<std::string> failures;
};

TEST_F(EventDispatcherTest, CallsTheHandlersOfTheEventInTheirOrder) {
    const auto a = dispatcher.subscribe("x", log("a"));
    const auto b = dispatcher.subscribe("x", log("b"));
    const auto c = dispatcher.subscribe("y", log("c"));
    dispatch("x");
    dispatch("z");
    EXPECT_THAT(calls, ElementsAre("a", "b"));
}

TEST_F(EventDispatcherTest, ASubscriptionEndsWithItsHandle) {
    { const auto a = dispatcher.subscribe("x", log("a")); }
    auto b = dispatcher.subscribe("x", log("b"));
    auto c = dispatcher.subscribe("x", log("c"));
    c = std::move(b);
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("b"));
    c.cancel();
    c.cancel();
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("b"));
}

TEST_F(EventDispatcherTest, AHandlerMayEndItself) {
    std::optional<Subscription> own;
    own = dispatcher.subscribe("x", [&](const json&) {
        calls.emplace_back("once");
        own.reset();
    });
    dispatch("x");
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("once"));
}

TEST_F(EventDispatcherTest, AHandlerEndedByAnotherIsNotCalledAnyMore) {
    Subscription second;
    const auto first = dispatcher.subscribe("x", [&](const json&) { second.cancel(); });
    second = dispatcher.subscribe("x", log("second"));
    const auto third = dispatcher.subscribe("x", log("third"));
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("third"));
}

TEST_F(EventDispatcherTest, AHandlerAddedMeanwhileMissesTheEvent) {
    std::vector<Subscription> added;
    const auto first =
        dispatcher.subscribe("x", [&](const json&) { added.push_back(dispatcher.subscribe("x", log("new"))); });
    dispatch("x");
    EXPECT_THAT(calls, IsEmpty());
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("new"));
}

TEST_F(EventDispatcherTest, AHandlerThatThrowsHarmsNoOther) {
    const auto first = dispatcher.subscribe("x", [](const json&) { throw std::runtime_error("boom"); });
    const auto second = dispatcher.subscribe("x", log("second"));
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("second"));
    EXPECT_THAT(failures, ElementsAre("boom"));
}

TEST_F(EventDispatcherTest, AHandlerMayForgetThemAll) {
    const auto first = dispatcher.subscribe("x", [&](const json&) { dispatcher.clear(); });
    dispatch("x");
    dispatch("x");
    const auto second = dispatcher.subscribe("x", log("second"));
    dispatch("x");
    EXPECT_THAT(calls, ElementsAre("second"));
}

TEST_F(EventDispatcherTest, ASubscriptionMayOutliveTheDispatcher) {
    Subscription subscription;
    {
        EventDispatcher other;
        subscription = other.subscribe("x", log("a"));
    }
    subscription.cancel();
}

}  // namespace
}  // namespace bidi
