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
    const char* message;  ///< the whole of it, behind the file's name
};

class BadConfigs : public testing::TestWithParam<BadConfig> {};

TEST_P(BadConfigs, AreRefusedWithTheirPlace) {
    EXPECT_EQ(fault(GetParam().text), GetParam().message);
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
        BadConfig{"server: {listen: 8177}",
                  "1:18: server.listen: expected ADDRESS:PORT, such as 127.0.0.1:8177, localhost:8177 or [::1]:8177"},
        BadConfig{"server: {listen: 'lab:8177'}",
                  "1:18: server.listen: expected ADDRESS:PORT, such as 127.0.0.1:8177, localhost:8177 or [::1]:8177"},
        BadConfig{"server: {listen: '127.0.0.1:99999'}",
                  "1:18: server.listen: expected ADDRESS:PORT, such as 127.0.0.1:8177, localhost:8177 or [::1]:8177"},
        BadConfig{"server: {listen: '0.0.0.0:8177'}",
                  "1:9: server: listening on 0.0.0.0 lets other machines in, which needs tokens: add token_file: FILE "
                  "(lines 'read TOKEN' or 'run TOKEN', mode 0600), or listen on 127.0.0.1"},
        BadConfig{"server: {shutdown_grace: soon}",
                  "1:26: server.shutdown_grace: 'soon' is no duration: write a whole number and ms, s, min, h, d or y "
                  "(30min)"},
        BadConfig{"schedules: {nightly: {}}", "1:22: schedules.nightly: the key 'cron' is missing"},
        BadConfig{"schedules: {'two words': {cron: '@daily'}}",
                  "1:26: schedules.two words: 'two words' is no name for a schedule: up to 60 letters, digits and . _ "
                  "- only"},
        BadConfig{"schedules: {nightly: {cron: '61 2 * * *'}}",
                  "1:29: schedules.nightly.cron: the cron expression '61 2 * * *' is wrong in the minute (column 1): "
                  "'61' is not from 0 to 59; for example '*/15' is every 15 minutes"},
        BadConfig{"schedules: {nightly: {cron: '0 0 31 2 *'}}",
                  "1:29: schedules.nightly.cron: the cron expression '0 0 31 2 *' never fires: no month it names "
                  "(column 8) has a day it names (column 5); for example '0 2 28 2 *' is at 02:00 on 28 February"},
        BadConfig{"schedules: {nightly: {cron: 'every day'}}",
                  "1:29: schedules.nightly.cron: the cron expression 'every day' has 2 fields where five are expected: "
                  "minute, hour, day of month, month, day of week; for example '0 2 * * *' is daily at 02:00"},
        BadConfig{
            "schedules: {nightly: {cron: '@daily', time_zone: Europe/Berln}}",
            "1:50: schedules.nightly.time_zone: there is no time zone 'Europe/Berln'. Did you mean 'Europe/Berlin'?"},
        BadConfig{"schedules: {nightly: {cron: '@daily', targets: [nothing]}}",
                  "1:49: schedules.nightly.targets.[0]: there is no target 'nothing'. Known: firefox."},
        BadConfig{"schedules: {nightly: {cron: '@daily', targets: [firefox, firefox]}}",
                  "1:58: schedules.nightly.targets.[1]: the target 'firefox' is named twice"},
        BadConfig{"schedules: {nightly: {cron: '@daily', launches: 0}}",
                  "1:49: schedules.nightly.launches: expected a number from 1 to 100"},
        BadConfig{"schedules: {nightly: {cron: '@daily', missed: later}}",
                  "1:47: schedules.nightly.missed: expected run-once or skip"},
        BadConfig{"schedules: {nightly: {cron: '@daily', overlap: both}}",
                  "1:48: schedules.nightly.overlap: expected skip or queue"},
        BadConfig{"schedules: {nightly: {cron: '@daily', quiet: {wait: 1min}}}",
                  "1:46: schedules.nightly.quiet: the key 'load_below' is missing"},
        BadConfig{"schedules: {nightly: {cron: '@daily', quiet: {load_below: -1, wait: 1min}}}",
                  "1:59: schedules.nightly.quiet.load_below: expected a load above 0, such as 0.5"},
        BadConfig{"quiet: {load_below: inf, wait: 1min}",
                  "1:21: quiet.load_below: expected a load above 0, such as 0.5"},
        BadConfig{"schedules: {nightly: {cron: '@daily', quiet: {load_below: 1, wait: 48h}}}",
                  "1:68: schedules.nightly.quiet.wait: expected at most 24h"},
        BadConfig{"schedules: {nightly: {cron: '@daily', max_duration: 0h}}",
                  "1:53: schedules.nightly.max_duration: expected more than no time, such as 4h"},
        BadConfig{"schedules: {nightly: {cron: '@daily', finish_by: '25:00'}}",
                  "1:50: schedules.nightly.finish_by: expected a time of the day, such as \"07:00\""},
        BadConfig{"schedules: {nightly: {cron: '@daily', before: ./x.sh}}",
                  "1:47: schedules.nightly.before: expected a list"},
        BadConfig{
            "retention: {samples: long}",
            "1:22: retention.samples: 'long' is no duration: write a whole number and ms, s, min, h, d or y (30min)"},
        BadConfig{"retention: {runs: 0d}", "1:19: retention.runs: expected more than no time, such as 90d"},
        BadConfig{"schedules: {nightly: {cron: '@daily', targets: []}}",
                  "1:48: schedules.nightly.targets: expected at least one"},
        BadConfig{"notify: [{webhook: 'http://x/', on: []}]", "1:37: notify.[0].on: expected at least one"},
        BadConfig{"retention: {keep_last: -1}", "1:24: retention.keep_last: expected a number from 0 to 1000000"},
        BadConfig{"notify: {webhook: 'http://x/'}", "1:9: notify: expected a list"},
        BadConfig{"notify: [{webhook: 'ftp://x/'}]",
                  "1:20: notify.[0].webhook: 'ftp://x/' is no URL that can be used: it has to begin with http:// or "
                  "https://"},
        BadConfig{"notify: [{webhook: 'http://x/', on: [running]}]",
                  "1:38: notify.[0].on.[0]: expected a state that a run ends in"},
        BadConfig{"notify: [{webhook: 'http://x/', on: [broken]}]",
                  "1:38: notify.[0].on.[0]: unknown state \"broken\"; the states are queued, running, completed, "
                  "partial, failed, cancelled, invalid"}));

TEST(BadConfigTexts, AreNotLongerThanARunTakes) {
    EXPECT_THAT(fault(nightly("label: " + std::string(101, 'x'))), HasSubstr("label: expected at most 100 characters"));
    EXPECT_THAT(fault(nightly("note: " + std::string(2001, 'x'))), HasSubstr("note: expected at most 2000 characters"));
}

TEST(BadConfigKeys, SuggestTheNearest) {
    EXPECT_THAT(fault(nightly("mised: skip")), HasSubstr("Did you mean 'missed'?"));
    EXPECT_THAT(fault("shedules: {}"), HasSubstr("Did you mean 'schedules'?"));
    EXPECT_THAT(fault("notify: [{webhok: 'http://x/'}]"), HasSubstr("Did you mean 'webhook'?"));
    EXPECT_THAT(fault(nightly("time_zone: Europe/Berln")), HasSubstr("Europe/Berlin"));
}

}  // namespace
}  // namespace foxbench::config
