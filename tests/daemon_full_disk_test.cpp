// The results folder's disk is full: requests are refused with what to do, nothing is half-written, and the daemon goes
// on once there is space again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/daemon_fixture.hpp"
#include "tests/support/small_disk.hpp"

namespace foxbench {
namespace {

using client::Json;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::Daemon;
using testing_support::DaemonTest;
using testing_support::foxbench;
using testing_support::SmallDisk;
using namespace std::chrono_literals;

constexpr std::size_t kDiskMebibytes = 4;
/// The database's log may have room for a while; each request takes a few KiB of it.
constexpr int kMostRequests = 2'000;

class DaemonOnASmallDisk : public DaemonTest {
protected:
    void SetUp() override {
        daemon_.reset();
        disk_ = SmallDisk::mount_at(folder_.path() / "small", kDiskMebibytes);
        if (!disk_) GTEST_SKIP() << "this process may not mount filesystems";
        config_ = folder_.write("small.yaml",
                                "server: {listen: 127.0.0.1:0}\n"
                                "results: small/results\n"
                                "profiles: profiles\n"
                                "workloads: " FOXBENCH_SOURCE_DIR
                                "/workloads\n"
                                "targets: {gone: {binary: /no/such/firefox}}\n"
                                "lock: lock\n");
        daemon_ = std::make_unique<Daemon>(config_);
    }
    void TearDown() override { daemon_.reset(); }

    [[nodiscard]] std::string results() const { return folder_.file("small/results"); }

    /// Asks for runs until one is refused; how many were queued. `refusal` is what the last one got.
    int queue_until_refused(std::string& refusal) const {
        const Json request = {{"note", std::string(2000, 'n')}};
        const std::vector<std::string> ask{"-w", "%{http_code}", "-H",      "Content-Type: application/json",
                                           "-d", request.dump(), "/v1/runs"};
        for (int queued = 0; queued < kMostRequests; ++queued) {
            refusal = curl(ask);
            if (!refusal.ends_with("202")) return queued;
        }
        ADD_FAILURE() << "nothing was refused";
        return kMostRequests;
    }

    std::optional<SmallDisk> disk_;
};

TEST_F(DaemonOnASmallDisk, IsToldWhatToDoAndGoesOnAfterwards) {
    const auto first = daemon_->start_run({{"label", "before"}});
    daemon_->wait_for_state(first, "failed");
    disk_->fill();
    std::string refusal;
    const int queued = queue_until_refused(refusal);
    EXPECT_THAT(refusal, AllOf(HasSubstr("free space on its disk"), testing::EndsWith("503")));
    EXPECT_EQ(status({"/livez"}), "200");
    EXPECT_EQ(status({"/v1/runs/" + first + "/report"}), "200") << "what is there can be read";
    EXPECT_EQ(status({"/readyz"}), "503");
    EXPECT_EQ(status({"-H", "Content-Type: application/json", "--data-binary",
                      "@" FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/run.json", "/v1/imports"}),
              "503");
    EXPECT_EQ(status({"/v1/runs/2026-09-15_22-13-00-local-wal-full"}), "404") << "nothing is half there";

    disk_->empty();
    const auto last = daemon_->start_run({{"label", "after"}});
    daemon_->wait_for_state(last, "failed");
    EXPECT_FALSE(import_seed().empty());
    const auto runs = daemon_->client().get("/v1/runs?limit=1000").json().at("runs");
    EXPECT_EQ(runs.size(), static_cast<std::size_t>(queued) + 3) << "those that were taken, and no others";
    for (const auto& run : runs)
        EXPECT_NE(run.at("state"), Json("running")) << run.at("id") << ": every end was stored in the end";
}

TEST_F(DaemonOnASmallDisk, StartsOrSaysWhyNot) {
    daemon_->program().signal(SIGTERM);
    EXPECT_EQ(daemon_->program().finish(60s).exit_code, 0);
    disk_->fill();
    const auto refused = foxbench({"serve", "--config", config_});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("free space on its disk"));
    disk_->empty();
    daemon_ = std::make_unique<Daemon>(config_);
    EXPECT_FALSE(import_seed().empty());
    disk_->fill();
    EXPECT_EQ(foxbench({"list", "--results", results()}).exit_code, 0);
    EXPECT_EQ(foxbench({"show", "latest", "--results", results()}).exit_code, 0);
    const auto exported = foxbench({"export", "latest", "--results", results(), "-o", results() + "/run.json"});
    EXPECT_EQ(exported.exit_code, 1);
    EXPECT_THAT(exported.err, HasSubstr("free space on its disk"));
    EXPECT_FALSE(std::filesystem::exists(results() + "/run.json"));
}

}  // namespace
}  // namespace foxbench
