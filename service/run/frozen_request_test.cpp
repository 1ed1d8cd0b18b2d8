#include "service/run/frozen_request.hpp"

#include <gmock/gmock.h>

#include "service/error.hpp"
#include "service/run/preparation.hpp"

namespace foxbench::run {
namespace {

const std::filesystem::path kWorkloads = FOXBENCH_SOURCE_DIR "/workloads";

Job job() {
    Job job;
    auto& request = job.request;
    request.manifest = workload::find_workload(kWorkloads, "opfs-sync-write");
    request.plan = workload::make_plan(request.manifest, "quick", {{"calls", 100}, {"cases", "small-append,new-file"}});
    config::Target plain;
    plain.name = "firefox";
    config::Target patched;
    patched.name = "patched";
    patched.binary = "/builds/obj-opt/dist/bin/firefox";
    patched.prefs = {{"some.pref", true}, {"a.number", 5}};
    patched.env = {{"SOME", "value"}};
    patched.args = {"--safe-mode"};
    patched.note = "patch 2";
    patched.precise_timer = true;
    patched.headed = true;
    patched.cpus = "0-1,3";
    patched.planted_us = 50;
    patched.local_build = false;
    patched.start_deadline = std::chrono::seconds(90);
    request.targets = {plain, patched};
    request.launches = 3;
    request.label = "tonight";
    request.note = "both";
    request.trigger = {{"kind", "schedule"}, {"name", "nightly"}};
    request.settle = std::chrono::milliseconds(250);
    return job;
}

TEST(FrozenRequest, ComesBackAsItWas) {
    Job asked = job();
    asked.terms.quiet.emplace();
    asked.terms.quiet->load_below = 0.5;
    asked.terms.quiet->wait = std::chrono::minutes(30);
    asked.terms.before = {"./fetch.sh --new", "true"};
    asked.terms.before_folder = "/etc/foxbench";
    asked.terms.skip_if_same_build = true;
    asked.terms.max_duration = std::chrono::hours(4);
    asked.terms.finish_by_ms = 1'789'535'582'010;
    const auto frozen = freeze(asked);
    const Job thawed = thaw(document::Json::parse(frozen.dump()), kWorkloads);
    EXPECT_EQ(freeze(thawed), frozen);
    EXPECT_EQ(thawed.request.plan.for_worker(), asked.request.plan.for_worker());
    EXPECT_EQ(thawed.request.plan.config(), asked.request.plan.config());
    EXPECT_EQ(thawed.request.targets[1].start_deadline, std::chrono::seconds(90));
    EXPECT_EQ(thawed.request.targets[1].cpus, "0-1,3");
    EXPECT_EQ(thawed.request.targets[1].planted_us, 50);
    EXPECT_EQ(thawed.request.targets[0].planted_us, std::nullopt);
    EXPECT_EQ(thawed.terms.before_folder, "/etc/foxbench");
    EXPECT_EQ(thawed.terms.finish_by_ms, asked.terms.finish_by_ms);
}

TEST(FrozenRequest, NeedsNoTerms) {
    const Job thawed = thaw(freeze(job()), kWorkloads);
    EXPECT_FALSE(thawed.terms.quiet);
    EXPECT_TRUE(thawed.terms.before.empty());
    EXPECT_FALSE(thawed.terms.max_duration);
}

TEST(FrozenRequest, OfAWorkloadThatIsGoneSaysSo) {
    auto frozen = freeze(job());
    frozen["workload"] = "opfs-sync-writes";
    try {
        (void)thaw(frozen, kWorkloads);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("opfs-sync-writes"));
    }
}

TEST(FrozenRequest, ThatIsNoneOfOursIsRefused) {
    EXPECT_THROW((void)thaw({{"version", 1}}, kWorkloads), Error);
    auto newer = freeze(job());
    newer["version"] = 2;
    EXPECT_THROW((void)thaw(newer, kWorkloads), Error);
}

TEST(FrozenRequest, GivesTheDocumentOfARunThatWaits) {
    config::Config config;
    config.host_name = "lab-3";
    const auto document = make_queued_document(job().request, config, 1'789'535'582'010);
    EXPECT_EQ(document.state, document::RunState::queued);
    EXPECT_EQ(document.label, "tonight");
    EXPECT_EQ(document.host->name, "lab-3");
    EXPECT_EQ(document.config["launches"], 3);
    EXPECT_EQ(document.targets.size(), 2U);
    EXPECT_TRUE(document.targets[0].launches.empty());
    EXPECT_FALSE(document.started_at);
    EXPECT_TRUE(document.id.ends_with("-tonight")) << document.id;
}

}  // namespace
}  // namespace foxbench::run
