#include "service/notify/webhooks.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <boost/asio.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/notify/signature.hpp"
#include "service/notify/test_receiver.hpp"

namespace foxbench::notify {
namespace {

namespace asio = boost::asio;
using document::RunState;
using ::testing::HasSubstr;
using testing_support::Received;
using testing_support::Receiver;
using testing_support::Reply;
using namespace std::chrono_literals;

/// A log in memory, which can be told to fail.
class MemoryLog final : public DeliveryLog {
public:
    std::int64_t add(const Delivery& delivery) {
        const std::lock_guard guard(mutex_);
        const auto id = static_cast<std::int64_t>(deliveries_.size()) + 1;
        deliveries_[id] = delivery;
        deliveries_[id].id = id;
        return id;
    }
    std::vector<Delivery> due(std::int64_t now_ms, std::size_t limit) override {
        const std::lock_guard guard(mutex_);
        if (failing_) {
            ++failures_;
            throw std::runtime_error("disk full");
        }
        std::vector<Delivery> found;
        for (const auto& [id, delivery] : deliveries_) {
            if (delivery.state == DeliveryState::pending && delivery.next_attempt_at_ms <= now_ms)
                found.push_back(delivery);
        }
        std::ranges::sort(found, {}, &Delivery::next_attempt_at_ms);
        if (found.size() > limit) found.resize(limit);
        return found;
    }
    void update(const Delivery& delivery) override {
        const std::lock_guard guard(mutex_);
        if (const auto found = deliveries_.find(delivery.id); found != deliveries_.end()) found->second = delivery;
    }
    std::optional<std::int64_t> next_at_ms() override {
        const std::lock_guard guard(mutex_);
        std::optional<std::int64_t> next;
        for (const auto& [id, delivery] : deliveries_) {
            if (delivery.state == DeliveryState::pending)
                next = std::min(next.value_or(delivery.next_attempt_at_ms), delivery.next_attempt_at_ms);
        }
        return next;
    }

    Delivery get(std::int64_t id) const {
        const std::lock_guard guard(mutex_);
        return deliveries_.at(id);
    }
    void fail(bool failing) {
        const std::lock_guard guard(mutex_);
        failing_ = failing;
    }
    int failures() const {
        const std::lock_guard guard(mutex_);
        return failures_;
    }

private:
    mutable std::mutex mutex_;
    std::map<std::int64_t, Delivery> deliveries_;
    bool failing_ = false;
    int failures_ = 0;
};

document::RunDocument run_in(RunState state) {
    document::RunDocument run;
    run.id = "2026-09-16-a";
    run.workload = "opfs-sync-write";
    run.state = state;
    return run;
}

class WebhooksTest : public ::testing::Test {
protected:
    WebhooksTest() {
        options_.on_attempt = [this](const Delivery& delivery) { attempts_.push_back(delivery); };
        // Six attempts as in the real schedule, at once.
        options_.back_off = [](int attempts) {
            return next_attempt(attempts) ? std::optional(std::chrono::milliseconds(1)) : std::nullopt;
        };
    }

    Webhooks& start(std::vector<Webhook> webhooks) {
        webhooks_ = std::make_unique<Webhooks>(loop_.get_executor(), pool_, log_, options_);
        configured_ = webhooks;
        webhooks_->configure(std::move(webhooks));
        asio::co_spawn(loop_, webhooks_->run(), [this](const std::exception_ptr& error) {
            ended_ = true;
            if (error) std::rethrow_exception(error);
        });
        return *webhooks_;
    }

    /// Ends a run as the daemon does: its messages are in the log, and then it says so. How many there are.
    std::size_t finish(const document::RunDocument& run) {
        const auto messages = messages_about(run, configured_, "", 1);
        for (const auto& message : messages) log_.add(message);
        webhooks_->wake();
        return messages.size();
    }

    template <class Condition>
    void until(Condition condition) {
        const auto hang = std::chrono::steady_clock::now() + 20s;
        while (!condition() && std::chrono::steady_clock::now() < hang) loop_.run_one_for(1s);
        ASSERT_TRUE(condition());
    }

    void TearDown() override {
        if (!webhooks_) return;
        webhooks_->stop();
        until([&] { return ended_; });
    }

    asio::io_context loop_;
    asio::thread_pool pool_{2};
    MemoryLog log_;
    WebhooksOptions options_;
    std::vector<Delivery> attempts_;
    std::vector<Webhook> configured_;
    std::unique_ptr<Webhooks> webhooks_;
    bool ended_ = false;
};

TEST_F(WebhooksTest, TellOfTheStatesThatAreAskedFor) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{}; });
    start({{receiver.url(), "secret", {RunState::failed, RunState::partial}}});
    EXPECT_EQ(finish(run_in(RunState::completed)), 0U);
    EXPECT_EQ(finish(run_in(RunState::partial)), 1U);
    until([&] { return attempts_.size() == 1; });

    ASSERT_EQ(receiver.received().size(), 1U);
    const auto& received = receiver.received().front();
    EXPECT_EQ(received.headers.at("x-foxbench-event"), "run.finished");
    EXPECT_EQ(received.headers.at("x-foxbench-delivery"), "1");
    EXPECT_EQ(received.headers.at("x-foxbench-signature"), signature_header("secret", received.body));
    EXPECT_EQ(document::Json::parse(received.body)["state"], "partial");

    const auto delivery = log_.get(1);
    EXPECT_EQ(delivery.state, DeliveryState::delivered);
    EXPECT_EQ(delivery.attempts, 1);
    EXPECT_EQ(delivery.last_status, 204);
    EXPECT_EQ(delivery.last_error, std::nullopt);
}

TEST_F(WebhooksTest, WithoutASecretNothingIsSigned) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{}; });
    start({{receiver.url(), "", {RunState::failed}}});
    finish(run_in(RunState::failed));
    until([&] { return attempts_.size() == 1; });
    EXPECT_FALSE(receiver.received().front().headers.contains("x-foxbench-signature"));
}

TEST_F(WebhooksTest, AreRetriedWithTheSameBytesUntilDelivered) {
    int refused = 0;
    const Receiver receiver(loop_.get_executor(), [&](const Received&) {
        return Reply{++refused < 3 ? 503U : 200U, {}, 0, false};
    });
    start({{receiver.url(), "secret", {RunState::failed}}});
    finish(run_in(RunState::failed));
    until([&] { return attempts_.size() == 3; });
    EXPECT_EQ(attempts_[0].state, DeliveryState::pending);
    EXPECT_EQ(attempts_[0].last_status, 503);
    EXPECT_THAT(attempts_[0].last_error.value_or(""), HasSubstr("answered 503"));
    EXPECT_GT(attempts_[0].next_attempt_at_ms, attempts_[0].created_at_ms);
    EXPECT_EQ(log_.get(1).state, DeliveryState::delivered);
    EXPECT_EQ(log_.get(1).attempts, 3);
    EXPECT_EQ(receiver.received()[0].body, receiver.received()[2].body);
    EXPECT_EQ(receiver.received()[0].headers.at("x-foxbench-delivery"),
              receiver.received()[2].headers.at("x-foxbench-delivery"));
}

TEST_F(WebhooksTest, AreGivenUpAfterTheLastRetry) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{500, {}, 0, false}; });
    start({{receiver.url(), "secret", {RunState::failed}}});
    finish(run_in(RunState::failed));
    until([&] { return log_.get(1).state == DeliveryState::failed; });
    EXPECT_EQ(log_.get(1).attempts, 6);
    EXPECT_EQ(log_.next_at_ms(), std::nullopt);
}

TEST_F(WebhooksTest, OneSilentReceiverDoesNotHoldUpAnother) {
    const Receiver silent(loop_.get_executor(), [](const Received&) { return Reply{204, {}, 0, true}; });
    const Receiver quick(loop_.get_executor(), [](const Received&) { return Reply{}; });
    start({{silent.url(), "", {RunState::failed}}, {quick.url(), "", {RunState::failed}}});
    EXPECT_EQ(finish(run_in(RunState::failed)), 2U);
    until([&] { return attempts_.size() == 1 && silent.received().size() == 1; });
    EXPECT_EQ(log_.get(2).state, DeliveryState::delivered);
    EXPECT_EQ(log_.get(1).state, DeliveryState::pending);
}

TEST_F(WebhooksTest, WhatIsPendingIsSentAfterARestart) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{}; });
    Delivery left;
    left.url = receiver.url();
    left.run = "a";
    left.event = "run.finished";
    left.body = "{}";
    log_.add(left);
    start({{receiver.url(), "", {RunState::failed}}});
    until([&] { return attempts_.size() == 1; });
    EXPECT_EQ(log_.get(1).state, DeliveryState::delivered);
}

TEST_F(WebhooksTest, StoppingAbandonsWhatIsGoingOnAndLeavesItPending) {
    const Receiver silent(loop_.get_executor(), [](const Received&) { return Reply{204, {}, 0, true}; });
    start({{silent.url(), "", {RunState::failed}}});
    finish(run_in(RunState::failed));
    until([&] { return silent.received().size() == 1; });
    webhooks_->stop();
    until([&] { return ended_; });
    EXPECT_EQ(log_.get(1).state, DeliveryState::pending);
    EXPECT_EQ(log_.get(1).attempts, 0);
    EXPECT_TRUE(attempts_.empty());
}

TEST_F(WebhooksTest, AnAddressThatIsConfiguredNoMoreIsGivenUp) {
    Delivery left;
    left.url = "http://127.0.0.1:9/gone";
    log_.add(left);
    start({});
    until([&] { return attempts_.size() == 1; });
    EXPECT_EQ(log_.get(1).state, DeliveryState::failed);
    EXPECT_THAT(log_.get(1).last_error.value_or(""), HasSubstr("no webhook with this address"));
}

TEST_F(WebhooksTest, OfOneAddressAreEachSignedWithTheirOwnSecret) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{}; });
    start({{receiver.url(), "one key", {RunState::failed}, "/etc/one"},
           {receiver.url(), "other key", {RunState::failed}, "/etc/other"},
           {receiver.url(), "", {RunState::failed}, ""}});
    EXPECT_EQ(finish(run_in(RunState::failed)), 3U);
    until([&] { return attempts_.size() == 3; });
    std::vector<std::string> signatures;
    for (const auto& received : receiver.received()) {
        const auto signature = received.headers.find("x-foxbench-signature");
        signatures.push_back(signature == received.headers.end() ? "" : signature->second);
    }
    const auto body = receiver.received().front().body;
    EXPECT_THAT(signatures, ::testing::UnorderedElementsAre(signature_header("one key", body),
                                                            signature_header("other key", body), ""));
}

TEST_F(WebhooksTest, WhoseSecretHasMovedToAnotherFileAreSignedWithIt) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{}; });
    Delivery left;
    left.url = receiver.url();
    left.secret_file = "/etc/old";
    log_.add(left);
    start({{receiver.url(), "new key", {}, "/etc/new"}});
    until([&] { return attempts_.size() == 1; });
    EXPECT_EQ(log_.get(1).state, DeliveryState::delivered);
    EXPECT_EQ(receiver.received().front().headers.at("x-foxbench-signature"), signature_header("new key", ""));

    // Where there are several, nobody knows which one it has become.
    webhooks_->configure({{receiver.url(), "a", {}, "/etc/a"}, {receiver.url(), "b", {}, "/etc/b"}});
    log_.add(left);
    webhooks_->wake();
    until([&] { return attempts_.size() == 2; });
    EXPECT_EQ(log_.get(2).state, DeliveryState::failed);
}

TEST_F(WebhooksTest, ALogThatFailsDoesNotEndTheSending) {
    const Receiver receiver(loop_.get_executor(), [](const Received&) { return Reply{}; });
    log_.fail(true);
    start({{receiver.url(), "", {RunState::failed}}});
    until([&] { return log_.failures() == 1; });
    log_.fail(false);
    finish(run_in(RunState::failed));
    until([&] { return attempts_.size() == 1; });
    EXPECT_EQ(log_.get(1).state, DeliveryState::delivered);
}

}  // namespace
}  // namespace foxbench::notify
