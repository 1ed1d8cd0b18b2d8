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

}  // namespace
}  // namespace foxbench::notify
