#include "service/notify/payload.hpp"

#include <gtest/gtest.h>

namespace foxbench::notify {
namespace {

TEST(Payload, SaysWhatHasEnded) {
    document::RunDocument run;
    run.id = "2026-09-16-nightly";
    run.state = document::RunState::partial;
    run.reason = "the browser crashed";
    run.label = "nightly";
    run.workload = "opfs-sync-write";
    run.targets.resize(2);
    run.targets[0].name = "firefox";
    run.targets[1].name = "wal-full";
    run.finished_at = "2026-09-16T05:13:01.982Z";
    EXPECT_EQ(run_finished(run, "http://lab-3:8177"), document::Json::parse(R"({
        "event": "run.finished", "id": "2026-09-16-nightly", "state": "partial", "reason": "the browser crashed",
        "label": "nightly", "workload": "opfs-sync-write", "targets": ["firefox", "wal-full"],
        "started_at": null, "finished_at": "2026-09-16T05:13:01.982Z",
        "links": {"self": "http://lab-3:8177/v1/runs/2026-09-16-nightly",
                  "report": "http://lab-3:8177/v1/runs/2026-09-16-nightly/report"}})"));
}

TEST(Payload, HasPathsForLinksWhereNoAddressIsKnown) {
    document::RunDocument run;
    run.id = "a";
    const auto payload = run_finished(run, "");
    EXPECT_EQ(payload["links"]["self"], "/v1/runs/a");
    EXPECT_EQ(payload["targets"], document::Json::array());
}

TEST(Payload, GoesToWhoeverAskedForTheState) {
    document::RunDocument run;
    run.id = "a";
    run.state = document::RunState::failed;
    using document::RunState;
    const std::vector<Webhook> webhooks{{"http://h/x", "key", {RunState::failed, RunState::invalid}, "/etc/x"},
                                        {"http://h/y", "", {RunState::completed}, ""},
                                        {"http://h/z", "", {RunState::failed}, ""}};
    const auto messages = messages_about(run, webhooks, "http://lab-3:8177", 1000);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[0].url, "http://h/x");
    EXPECT_EQ(messages[0].secret_file, "/etc/x");
    EXPECT_EQ(messages[0].run, "a");
    EXPECT_EQ(messages[0].event, "run.finished");
    EXPECT_EQ(document::Json::parse(messages[0].body), run_finished(run, "http://lab-3:8177"));
    EXPECT_EQ(messages[0].body.find("key"), std::string::npos) << "the secret stays where it is";
    EXPECT_EQ(messages[0].state, DeliveryState::pending);
    EXPECT_EQ(messages[0].created_at_ms, 1000);
    EXPECT_EQ(messages[0].next_attempt_at_ms, 1000);
    EXPECT_EQ(messages[1].url, "http://h/z");
    EXPECT_EQ(messages[1].secret_file, "");
}

}  // namespace
}  // namespace foxbench::notify
