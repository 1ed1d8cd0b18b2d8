#include "service/store/deliveries.hpp"

#include "service/store/sqlite.hpp"
#include "service/store/store_fixture.hpp"

namespace foxbench::store {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Delivery delivery_due_at(std::int64_t due_at_ms) {
    Delivery delivery;
    delivery.url = "http://127.0.0.1:9000/hook";
    delivery.run = "run";
    delivery.event = "run.finished";
    delivery.body = std::string("{\"text\": \"\0 and \xFF\"}", 20);
    delivery.created_at_ms = 50;
    delivery.next_attempt_at_ms = due_at_ms;
    return delivery;
}

std::vector<std::int64_t> ids_of(const std::vector<Delivery>& deliveries) {
    std::vector<std::int64_t> ids;
    for (const Delivery& delivery : deliveries) ids.push_back(delivery.id);
    return ids;
}

using StoreDeliveries = StoreTest;

TEST_F(StoreDeliveries, ArePendingUntilTheyArrive) {
    const std::int64_t id = store_.add_delivery(delivery_due_at(100));
    EXPECT_EQ(store_.next_delivery_at_ms(), 100);
    EXPECT_THAT(store_.due_deliveries(99, 10), IsEmpty());
    auto due = Store(path()).due_deliveries(100, 10);
    ASSERT_EQ(due.size(), 1u);
    EXPECT_EQ(due[0].id, id);
    EXPECT_EQ(due[0].url, "http://127.0.0.1:9000/hook");
    EXPECT_EQ(due[0].run, "run");
    EXPECT_EQ(due[0].event, "run.finished");
    EXPECT_EQ(due[0].body, delivery_due_at(0).body) << "byte for byte: it is signed";
    EXPECT_EQ(due[0].state, kDeliveryPending);
    EXPECT_EQ(due[0].created_at_ms, 50);
    EXPECT_FALSE(due[0].last_status);

    Delivery refused = due[0];
    refused.attempts = 1;
    refused.last_status = 503;
    refused.last_error = "503 Service Unavailable";
    refused.next_attempt_at_ms = 10'100;
    store_.update_delivery(refused);
    EXPECT_THAT(store_.due_deliveries(10'099, 10), IsEmpty());
    due = store_.due_deliveries(10'100, 10);
    ASSERT_EQ(due.size(), 1u);
    EXPECT_EQ(due[0].attempts, 1);
    EXPECT_EQ(due[0].last_status, 503);
    EXPECT_EQ(due[0].last_error, "503 Service Unavailable");

    Delivery arrived = due[0];
    arrived.attempts = 2;
    arrived.state = kDeliveryDelivered;
    arrived.last_status = 204;
    arrived.last_error.reset();
    store_.update_delivery(arrived);
    EXPECT_THAT(store_.due_deliveries(1'000'000, 10), IsEmpty());
    EXPECT_FALSE(store_.next_delivery_at_ms());
    const auto all = store_.deliveries(10);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].state, kDeliveryDelivered);
    EXPECT_EQ(all[0].attempts, 2);
    EXPECT_FALSE(all[0].last_error);
}

TEST_F(StoreDeliveries, AreDueInOrderAndListedNewestFirst) {
    const auto second = store_.add_delivery(delivery_due_at(200));
    const auto first = store_.add_delivery(delivery_due_at(100));
    const auto given_up = store_.add_delivery(delivery_due_at(50));
    Delivery failed = delivery_due_at(50);
    failed.id = given_up;
    failed.state = kDeliveryFailed;
    store_.update_delivery(failed);
    EXPECT_THAT(ids_of(store_.due_deliveries(1000, 10)), ElementsAre(first, second));
    EXPECT_THAT(ids_of(store_.due_deliveries(1000, 1)), ElementsAre(first));
    EXPECT_THAT(ids_of(store_.deliveries(2)), ElementsAre(given_up, first));
    EXPECT_EQ(store_.next_delivery_at_ms(), 100);
}

TEST_F(StoreDeliveries, OldOnesAreForgottenUnlessPending) {
    static_assert(kKeptDeliveries == 10'000);
    Database(path() / "foxbench.db", false)
        .execute({"store many",
                  "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
                  "INSERT INTO deliveries (url, run, event, body, attempts, state, created_at_ms, next_attempt_at_ms) "
                  "SELECT 'u', 'r', 'e', x'', 1, iif(i IN (1, 3), 'pending', 'delivered'), 0, i FROM n"});
    store_.add_delivery(delivery_due_at(20'000));
    EXPECT_EQ(store_.deliveries(20'000).size(), 10'001u) << "the oldest one is pending";
    store_.add_delivery(delivery_due_at(20'000));
    store_.add_delivery(delivery_due_at(20'000));
    const auto left = ids_of(store_.deliveries(20'000));
    EXPECT_EQ(left.size(), 10'002u);
    EXPECT_THAT(std::vector<std::int64_t>(left.end() - 3, left.end()), ElementsAre(4, 3, 1));
}

TEST_F(StoreDeliveries, ThatDoNotExistAreRefused) {
    refusal(ErrorCode::not_found, [&] { store_.update_delivery(delivery_due_at(1)); });
}

TEST_F(StoreDeliveries, KnowWhichOfTheWebhooksWithTheirUrlTheyAreFor) {
    for (const auto& file :
         {std::optional<std::string>("/etc/a.secret"), std::optional<std::string>(""), std::optional<std::string>()}) {
        Delivery delivery = delivery_due_at(100);
        delivery.secret_file = file;
        store_.add_delivery(delivery);
    }
    const auto due = store_.due_deliveries(100, 10);
    ASSERT_EQ(due.size(), 3u);
    EXPECT_EQ(due[0].secret_file, "/etc/a.secret");
    EXPECT_EQ(due[1].secret_file, "");
    EXPECT_EQ(due[2].secret_file, std::nullopt);
}

TEST_F(StoreDeliveries, AboutARunAreStoredWithItsEnd) {
    store_.set_outbox([](const document::RunDocument& run) {
        Delivery delivery = delivery_due_at(100);
        delivery.run = run.id;
        delivery.body = std::string(document::to_string(run.state)) + " " + run.reason.value_or("-") + " " +
                        run.finished_at.value_or("-") + " " + run.targets.at(0).name;
        return std::vector<Delivery>{delivery, delivery};
    });
    const std::string run = store_.begin_run(skeleton("run"));
    EXPECT_THAT(store_.deliveries(10), IsEmpty()) << "it has not ended";
    store_.finish_run(run, document::RunState::failed, "no browser", "2026-09-16T05:23:01.982Z");
    auto stored = Store(path()).deliveries(10);
    ASSERT_EQ(stored.size(), 2u);
    EXPECT_EQ(stored[0].body, "failed no browser 2026-09-16T05:23:01.982Z firefox");
    refusal(ErrorCode::conflict, [&] { store_.finish_run(run, document::RunState::failed, "x", std::nullopt); });
    EXPECT_EQ(store_.deliveries(10).size(), 2u) << "told once";

    // One whose process was lost.
    const std::string lost = store_.begin_run(skeleton("lost"));
    Database(path() / "foxbench.db", false).execute({"", "UPDATE runs SET owner = 'gone' WHERE id = 'lost'"});
    EXPECT_THAT(store_.recover(), ElementsAre(lost));
    stored = store_.deliveries(10);
    ASSERT_EQ(stored.size(), 4u);
    EXPECT_THAT(stored[0].body, ::testing::StartsWith("failed foxbench (process ?) was gone"));
}

TEST_F(StoreDeliveries, AboutARunThatCannotBeMadeKeepItFromEnding) {
    store_.set_outbox([](const document::RunDocument&) -> std::vector<Delivery> { throw std::runtime_error("no"); });
    const std::string run = store_.begin_run(skeleton("run"));
    EXPECT_THROW(store_.finish_run(run, document::RunState::failed, "no browser", std::nullopt), std::runtime_error);
    EXPECT_EQ(store_.load_summary(run).state, document::RunState::running) << "both or neither";
    store_.set_outbox({});
    store_.finish_run(run, document::RunState::failed, "no browser", std::nullopt);
    EXPECT_THAT(store_.deliveries(10), IsEmpty());
}

}  // namespace
}  // namespace foxbench::store
