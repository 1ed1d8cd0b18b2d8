#include "bidi/pending_table.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace bidi {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const PendingTable::TimePoint kNow{};

class NoCompletion final : public Completion {
public:
    void complete(std::exception_ptr, json) override {}
};

std::vector<std::uint64_t> ids(const PendingTable::Calls& calls) {
    std::vector<std::uint64_t> result;
    for (const auto& call : calls) result.push_back(call.id);
    return result;
}

class PendingTableTest : public ::testing::Test {
protected:
    std::uint64_t add(std::chrono::milliseconds timeout, std::optional<ScriptScope> scope = std::nullopt) {
        PendingCall call;
        call.id = table.next_id();
        call.method = scope ? "script.evaluate" : "session.status";
        call.timeout = timeout;
        call.deadline = kNow + timeout;
        if (scope) scope->expected_realm = realms.current(scope->context, scope->sandbox);
        call.scope = std::move(scope);
        call.completion = std::make_unique<NoCompletion>();
        const auto id = call.id;
        table.add(std::move(call));
        return id;
    }
    std::uint64_t add_script(const json& params, std::string_view context = {}) {
        return add(30s, script_scope("script.evaluate", params, context));
    }

    PendingTable table;
    ScriptRealms realms;
};

TEST_F(PendingTableTest, ACallIsTakenOnce) {
    const auto id = add(5s);
    const auto call = table.take(id);
    ASSERT_TRUE(call);
    EXPECT_EQ(call->method, "session.status");
    EXPECT_TRUE(call->completion);
    EXPECT_FALSE(table.take(id));
    EXPECT_EQ(table.stray(id), PendingTable::Stray::late);
}

TEST_F(PendingTableTest, IdsThatWereNeverUsedAreUnknown) {
    add(5s);
    EXPECT_FALSE(table.take(77));
    EXPECT_EQ(table.stray(77), PendingTable::Stray::unknown);
    EXPECT_EQ(table.stray(0), PendingTable::Stray::unknown);
    EXPECT_EQ(table.size(), 1U);
}

TEST_F(PendingTableTest, ExpiresAtTheDeadlineAndNotBefore) {
    const auto slow = add(30s);
    const auto quick = add(5s);
    EXPECT_EQ(table.next_deadline(), kNow + 5s);
    EXPECT_THAT(table.take_expired(kNow + 5s - 1ns), IsEmpty());
    EXPECT_THAT(ids(table.take_expired(kNow + 5s)), ElementsAre(quick));
    EXPECT_EQ(table.next_deadline(), kNow + 30s);
    EXPECT_THAT(ids(table.take_expired(kNow + 60s)), ElementsAre(slow));
    EXPECT_EQ(table.next_deadline(), std::nullopt);
}

TEST_F(PendingTableTest, EverythingIsTakenInTheOrderOfSending) {
    const auto first = add(30s);
    const auto second = add(5s);
    EXPECT_THAT(ids(table.take_all()), ElementsAre(first, second));
    EXPECT_EQ(table.size(), 0U);
}

TEST_F(PendingTableTest, ANavigationTakesTheScriptsThatWaitInThatContext) {
    const auto waiting = add_script({{"target", {{"context", "A"}}}, {"awaitPromise", true}});
    const auto unsaid = add_script({{"target", {{"context", "A"}}}});
    const auto immediate = add_script({{"target", {{"context", "A"}}}, {"awaitPromise", false}});
    const auto elsewhere = add_script({{"target", {{"context", "B"}}}, {"awaitPromise", true}});
    const auto no_script = add(5s);
    EXPECT_THAT(ids(table.take_of_context("A", true)), ElementsAre(waiting, unsaid));
    EXPECT_THAT(ids(table.take_of_context("A", false)), ElementsAre(immediate));
    EXPECT_THAT(ids(table.take_all()), ElementsAre(elsewhere, no_script));
}

TEST_F(PendingTableTest, TheCallersContextWinsOverTheTarget) {
    const auto call = add_script({{"target", {{"realm", "R"}}}}, "A");
    EXPECT_THAT(ids(table.take_of_context("A", true)), ElementsAre(call));
}

TEST_F(PendingTableTest, ARealmTakesTheScriptsThatNameIt) {
    const auto call = add_script({{"target", {{"realm", "R"}}}});
    EXPECT_THAT(table.take_of_realm("S", realms), IsEmpty());
    EXPECT_THAT(ids(table.take_of_realm("R", realms)), ElementsAre(call));
}

TEST_F(PendingTableTest, ARealmTakesTheScriptsOfItsContextAndSandboxOnly) {
    realms.created({{"realm", "page"}, {"type", "window"}, {"context", "A"}});
    realms.created({{"realm", "box"}, {"type", "window"}, {"context", "A"}, {"sandbox", "s"}});
    realms.created({{"realm", "worker"}, {"type", "dedicated-worker"}, {"owners", {"page"}}});
    const auto page = add_script({{"target", {{"context", "A"}}}});
    const auto box = add_script({{"target", {{"context", "A"}, {"sandbox", "s"}}}});
    EXPECT_THAT(table.take_of_realm("worker", realms), IsEmpty());
    EXPECT_THAT(ids(table.take_of_realm("box", realms)), ElementsAre(box));
    EXPECT_THAT(ids(table.take_of_realm("page", realms)), ElementsAre(page));
}

TEST_F(PendingTableTest, TheOldRealmsEndDoesNotTakeScriptsOfTheNewPage) {
    realms.created({{"realm", "old"}, {"context", "A"}});
    const auto before = add_script({{"target", {{"context", "A"}}}});
    realms.created({{"realm", "new"}, {"context", "A"}});
    const auto after = add_script({{"target", {{"context", "A"}}}});
    EXPECT_THAT(ids(table.take_of_realm("old", realms)), ElementsAre(before));
    EXPECT_THAT(ids(table.take_of_realm("new", realms)), ElementsAre(after));
}

TEST_F(PendingTableTest, ARealmIsLearntFromAResult) {
    const json params{{"target", {{"context", "A"}}}};
    realms.learn(*script_scope("script.evaluate", params, ""), {{"type", "success"}, {"realm", "R"}});
    const auto call = add_script(params);
    EXPECT_THAT(ids(table.take_of_realm("R", realms)), ElementsAre(call));
}

TEST(ScriptRealmsTest, ForgetsWhatIsGone) {
    ScriptRealms realms;
    realms.created({{"realm", "R"}, {"context", "A"}});
    realms.created({{"realm", "S"}, {"context", "B"}});
    realms.destroyed("R");
    EXPECT_EQ(realms.current("A", ""), "");
    realms.context_destroyed("B");
    EXPECT_EQ(realms.current("B", ""), "");
}

TEST(ScriptScopeTest, OnlyScriptsCanBeDiscarded) {
    EXPECT_TRUE(script_scope("script.callFunction", json::object(), ""));
    EXPECT_FALSE(script_scope("browsingContext.navigate", {{"context", "A"}}, ""));
    EXPECT_FALSE(script_scope("script.getRealms", {{"context", "A"}}, ""));
}

TEST(ScriptScopeTest, OddParametersAreNoFault) {
    EXPECT_TRUE(script_scope("script.evaluate", json(), ""));
    EXPECT_TRUE(script_scope("script.evaluate", {{"target", 5}, {"awaitPromise", "yes"}}, ""));
    EXPECT_EQ(script_scope("script.evaluate", {{"target", {{"context", 5}}}}, "")->context, "");
}

}  // namespace
}  // namespace bidi
