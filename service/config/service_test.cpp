#include <gmock/gmock.h>

#include "service/config/config.hpp"
#include "service/error.hpp"

namespace foxbench::config {
namespace {

using document::RunState;
using testing::ElementsAre;
using testing::HasSubstr;

Config parse(const std::string& text) {
    return parse_config(text, "/etc/lab/foxbench.yaml");
}

/// The message without the file's name.
std::string fault(const std::string& text) {
    try {
        (void)parse(text);
    } catch (const Error& error) {
        EXPECT_EQ(exit_code(error.code()), 2);
        const std::string message = error.what();
        EXPECT_EQ(message.find('\n'), std::string::npos);
        EXPECT_TRUE(message.starts_with("/etc/lab/foxbench.yaml:")) << message;
        return message.substr(std::string("/etc/lab/foxbench.yaml:").size());
    }
    return "(accepted)";
}

TEST(ServiceConfig, ReadsAScheduleWithEverythingThatItMayHave) {
    const auto config = parse(
        "targets: {firefox: {}, wal-full: {}}\n"
        "schedules:\n"
        "  nightly:\n"
        "    cron: '0 2 * * *'\n"
        "    time_zone: Europe/Berlin\n"
        "    workload: opfs-sync-write\n"
        "    preset: full\n"
        "    overrides: {calls: 500, chunks: 64KiB}\n"
        "    targets: [wal-full, firefox]\n"
        "    launches: 5\n"
        "    label: tonight\n"
        "    note: both\n"
        "    missed: skip\n"
        "    overlap: queue\n"
        "    quiet: {load_below: 0.5, wait: 30min}\n"
        "    before: [./fetch.sh, 'sync; true']\n"
        "    skip_if_same_build: true\n"
        "    max_duration: 4h\n"
        "    finish_by: '07:00'\n");
    ASSERT_EQ(config.schedules.size(), 1U);
    const Schedule& nightly = config.schedules[0];
    EXPECT_EQ(nightly.name, "nightly");
    EXPECT_EQ(nightly.cron.text(), "0 2 * * *");
    EXPECT_EQ(nightly.zone.name(), "Europe/Berlin");
    EXPECT_EQ(nightly.preset, "full");
    EXPECT_EQ(nightly.overrides.dump(), R"({"calls":500,"chunks":"64KiB"})");
    EXPECT_THAT(nightly.targets, ElementsAre("wal-full", "firefox"));
    EXPECT_EQ(nightly.launches, 5);
    EXPECT_EQ(nightly.missed, schedule::Missed::skip);
    EXPECT_EQ(nightly.overlap, schedule::Overlap::queue);
    EXPECT_EQ(nightly.quiet->wait, std::chrono::minutes(30));
    EXPECT_THAT(nightly.before, ElementsAre("./fetch.sh", "sync; true"));
    EXPECT_TRUE(nightly.skip_if_same_build);
    EXPECT_EQ(nightly.max_duration, std::chrono::hours(4));
    EXPECT_EQ(nightly.finish_by, "07:00");
}

TEST(ServiceConfig, ListensOnLoopbackUnlessToldOtherwise) {
    EXPECT_THAT(parse("").server.addresses, ElementsAre("127.0.0.1", "::1"));
    EXPECT_EQ(parse("").server.url(), "http://127.0.0.1:8177");
    EXPECT_EQ(parse("server: {listen: '[::1]:9000'}").server.url(), "http://[::1]:9000");
    EXPECT_THAT(parse("server: {listen: 'localhost:9000'}").server.addresses, ElementsAre("127.0.0.1", "::1"));
    const auto open = parse("server: {listen: '0.0.0.0:80', token_file: tokens, hosts: [lab-3.example]}").server;
    EXPECT_EQ(open.token_file, "/etc/lab/tokens");
    EXPECT_EQ(open.url(), "http://127.0.0.1:80");
    EXPECT_THAT(open.host_names, ElementsAre("lab-3.example"));
}

TEST(ServiceConfig, ReadsRetentionAndWebhooks) {
    const auto config = parse(
        "retention: {samples: 90d, runs: 2y, keep_last: 100}\n"
        "notify:\n"
        "  - {webhook: 'http://127.0.0.1:9000/hook', secret_file: hook.secret, on: [failed, invalid]}\n"
        "  - {webhook: 'https://chat.example/x'}\n");
    EXPECT_EQ(config.retention.samples, std::chrono::hours(24 * 90));
    EXPECT_EQ(config.retention.keep_last, 100U);
    ASSERT_EQ(config.webhooks.size(), 2U);
    EXPECT_EQ(config.webhooks[0].secret_file, "/etc/lab/hook.secret");
    EXPECT_THAT(config.webhooks[0].on, ElementsAre(RunState::failed, RunState::invalid));
    EXPECT_THAT(config.webhooks[1].on, ElementsAre(RunState::failed, RunState::invalid, RunState::partial));
}

struct BadConfig {
    const char* text;
    const char* message;  ///< its beginning, behind the file's name
};

class BadConfigs : public testing::TestWithParam<BadConfig> {};

TEST_P(BadConfigs, AreRefusedWithTheirPlace) {
    EXPECT_THAT(fault(GetParam().text), testing::StartsWith(GetParam().message));
}

constexpr const char* kNightly = "schedules: {nightly: {cron: '0 2 * * *', ";

std::string nightly(const std::string& member) {
    return kNightly + member + "}}";
}

INSTANTIATE_TEST_SUITE_P(
    All, BadConfigs,
    testing::Values(
        BadConfig{"sever: {}", "1:1: unknown key 'sever'. Did you mean 'server'?"},
        BadConfig{"server: {lisen: 127.0.0.1:1}", "1:10: server: unknown key 'lisen'. Did you mean 'listen'?"},
        BadConfig{"server: {listen: 8177}", "1:18: server.listen: expected ADDRESS:PORT"},
        BadConfig{"server: {listen: 'lab:8177'}", "1:18: server.listen: expected ADDRESS:PORT"},
        BadConfig{"server: {listen: '127.0.0.1:99999'}", "1:18: server.listen: expected ADDRESS:PORT"},
        BadConfig{"server: {listen: '0.0.0.0:8177'}", "1:9: server: listening on 0.0.0.0 lets other machines in"},
        BadConfig{"server: {shutdown_grace: soon}", "1:26: server.shutdown_grace: "},
        BadConfig{"schedules: {nightly: {}}", "1:22: schedules.nightly"},
        BadConfig{"schedules: {'two words': {cron: '@daily'}}", "1:26: schedules.two words: 'two words' is no name"},
        BadConfig{"schedules: {nightly: {cron: '61 2 * * *'}}", "1:29: schedules.nightly.cron: "},
        BadConfig{"schedules: {nightly: {cron: '0 0 31 2 *'}}", "1:29: schedules.nightly.cron: "},
        BadConfig{"schedules: {nightly: {cron: 'every day'}}", "1:29: schedules.nightly.cron: "},
        BadConfig{"schedules: {nightly: {cron: '@daily', time_zone: Europe/Berln}}",
                  "1:50: schedules.nightly.time_zone: "},
        BadConfig{"schedules: {nightly: {cron: '@daily', targets: [nothing]}}", "1:49: schedules.nightly.targets"},
        BadConfig{"schedules: {nightly: {cron: '@daily', targets: [firefox, firefox]}}",
                  "1:58: schedules.nightly.targets"},
        BadConfig{"schedules: {nightly: {cron: '@daily', launches: 0}}", "1:49: schedules.nightly.launches: "},
        BadConfig{"schedules: {nightly: {cron: '@daily', missed: later}}",
                  "1:47: schedules.nightly.missed: expected run-once or skip"},
        BadConfig{"schedules: {nightly: {cron: '@daily', overlap: both}}",
                  "1:48: schedules.nightly.overlap: expected skip or queue"},
        BadConfig{"schedules: {nightly: {cron: '@daily', quiet: {wait: 1min}}}", "1:46: schedules.nightly.quiet"},
        BadConfig{"schedules: {nightly: {cron: '@daily', quiet: {load_below: -1, wait: 1min}}}",
                  "1:59: schedules.nightly.quiet.load_below: expected a load above 0"},
        BadConfig{"schedules: {nightly: {cron: '@daily', quiet: {load_below: 1, wait: 48h}}}",
                  "1:68: schedules.nightly.quiet.wait: expected at most 24h"},
        BadConfig{"schedules: {nightly: {cron: '@daily', max_duration: 0h}}", "1:53: schedules.nightly.max_duration: "},
        BadConfig{"schedules: {nightly: {cron: '@daily', finish_by: '25:00'}}",
                  "1:50: schedules.nightly.finish_by: expected a time of the day"},
        BadConfig{"schedules: {nightly: {cron: '@daily', before: ./x.sh}}", "1:47: schedules.nightly.before: "},
        BadConfig{"retention: {samples: long}", "1:22: retention.samples: "},
        BadConfig{"retention: {keep_last: -1}", "1:24: retention.keep_last: "},
        BadConfig{"notify: {webhook: 'http://x/'}", "1:9: notify: "},
        BadConfig{"notify: [{webhook: 'ftp://x/'}]", "1:20: notify"},
        BadConfig{"notify: [{webhook: 'http://x/', on: [running]}]", "1:38: notify"},
        BadConfig{"notify: [{webhook: 'http://x/', on: [broken]}]", "1:38: notify"}));

TEST(BadConfigKeys, SuggestTheNearest) {
    EXPECT_THAT(fault(nightly("mised: skip")), HasSubstr("Did you mean 'missed'?"));
    EXPECT_THAT(fault("shedules: {}"), HasSubstr("Did you mean 'schedules'?"));
    EXPECT_THAT(fault("notify: [{webhok: 'http://x/'}]"), HasSubstr("Did you mean 'webhook'?"));
    EXPECT_THAT(fault(nightly("time_zone: Europe/Berln")), HasSubstr("Europe/Berlin"));
}

}  // namespace
}  // namespace foxbench::config
