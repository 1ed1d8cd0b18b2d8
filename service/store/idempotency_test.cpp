#include "service/store/idempotency.hpp"

#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using StoreAnswers = StoreTest;

constexpr std::int64_t kDay_ms = 24 * 60 * 60 * 1000;

TEST_F(StoreAnswers, AreKeptForADayAcrossRestarts) {
    const StoredAnswer answer{202, R"({"Location": "/v1/runs/x"})", std::string("a\0b", 3), "5f2c"};
    EXPECT_FALSE(store_.find_answer("key", 1000));
    EXPECT_TRUE(store_.remember_answer("key", answer, 1000));
    for (const std::int64_t now : {std::int64_t{1000}, 1000 + kDay_ms - 1}) {
        const auto found = Store(path()).find_answer("key", now);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->status, 202);
        EXPECT_EQ(found->headers_json, answer.headers_json);
        EXPECT_EQ(found->body, answer.body);
        EXPECT_EQ(found->request_hash, "5f2c");
    }
    EXPECT_FALSE(store_.find_answer("key", 1000 + kDay_ms));
    EXPECT_FALSE(store_.find_answer("another", 1000));
}

TEST_F(StoreAnswers, AreNotReplacedWithinTheDay) {
    EXPECT_TRUE(store_.remember_answer("key", {202, "", "first", "a"}, 1000));
    EXPECT_FALSE(store_.remember_answer("key", {409, "", "second", "b"}, 2000));
    EXPECT_EQ(store_.find_answer("key", 2000)->body, "first");
    EXPECT_TRUE(store_.remember_answer("key", {201, "", "third", "c"}, 1000 + kDay_ms));
    EXPECT_EQ(store_.find_answer("key", 1000 + kDay_ms)->body, "third");
}

TEST_F(StoreAnswers, EventIdsGrowAcrossRestartsAndConnections) {
    EXPECT_EQ(store_.reserve_event_ids(100), 1);
    EXPECT_EQ(Store(path()).reserve_event_ids(1), 101);
    EXPECT_EQ(store_.reserve_event_ids(1000), 102);
    EXPECT_EQ(store_.reserve_event_ids(1), 1102);
    refusal(ErrorCode::internal, [&] { store_.reserve_event_ids(0); });
}

}  // namespace
}  // namespace foxbench::store
