#include "service/config/changes.hpp"

#include <gmock/gmock.h>

#include "service/error.hpp"

namespace foxbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Config parse(const std::string& text) {
    return parse_config(text, "/etc/lab/foxbench.yaml");
}

TEST(Changes, AreToldMemberByMember) {
    const auto before = parse(
        "targets: {a: {}, b: {prefs: {x: 1}}}\n"
        "schedules: {nightly: {cron: '0 2 * * *', time_zone: UTC, launches: 5}}\n"
        "retention: {samples: 90d}\n");
    const auto after = parse(
        "targets: {a: {cpus: 1}, b: {prefs: {x: 2}, planted_us: 9}, c: {}}\n"
        "schedules: {nightly: {cron: '0 3 * * *', time_zone: UTC}}\n"
        "retention: {samples: 36h}\n");
    EXPECT_THAT(
        describe_changes(before, after),
        ElementsAre("targets.a.cpus: added (1)", "targets.b.prefs.x: 1 -> 2", "targets.b.planted_us: added (9)",
                    "targets.c: added ({\"timer\":\"standard\"})", "schedules.nightly.cron: 0 2 * * * -> 0 3 * * *",
                    "schedules.nightly.launches: removed (5)", "retention.samples: 90d -> 36h"));
}

TEST(Changes, OfNothingAreNone) {
    const auto config = parse("quiet: {load_below: 0.5, wait: 30min}\n");
    EXPECT_THAT(describe_changes(config, config), IsEmpty());
    EXPECT_THAT(changes_that_need_a_restart(config, config), IsEmpty());
}

TEST(Changes, ThatADaemonCannotFollowAreNamed) {
    EXPECT_THAT(changes_that_need_a_restart(parse(""), parse("server: {listen: 127.0.0.1:9000}\nresults: /data\n")),
                ElementsAre("server.listen", "results"));
}

TEST(Changes, ShowNoSecret) {
    const auto shown = to_json(parse("notify: [{webhook: 'http://h/x', secret_file: hook.secret}]\n")).dump();
    EXPECT_THAT(shown, HasSubstr("/etc/lab/hook.secret"));
}

struct BadReference {
    const char* text;
    const char* message;  ///< the whole of it, behind the file's name
};

class BadReferences : public testing::TestWithParam<BadReference> {};

TEST_P(BadReferences, AreRefusedWithTheirPlace) {
    auto config = parse(GetParam().text);
    if (!config.places.contains("workloads")) config.workloads = FOXBENCH_SOURCE_DIR "/workloads";
    try {
        check_references(config);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(exit_code(error.code()), 2);
        EXPECT_THAT(error.what(), testing::MatchesRegex("/etc/lab/foxbench.yaml:" + std::string(GetParam().message)));
    }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadReferences,
    testing::Values(
        BadReference{"workloads: /no/such/folder", "1:12: workloads: there is no folder /no/such/folder"},
        BadReference{"defaults: {workload: opfs-sync-writ}",
                     "1:22: defaults.workload: there is no workload 'opfs-sync-writ' in .*opfs-sync-write.*"},
        BadReference{"defaults: {launches: 2, preset: quikc}",
                     "1:33: defaults.preset: there is no preset 'quikc' in .*Did you mean 'quick'.*"},
        BadReference{"schedules:\n  nightly:\n    cron: '@daily'\n    workload: other\n",
                     "4:15: schedules.nightly.workload: there is no workload 'other' in .*"},
        BadReference{"schedules:\n  nightly.2: {cron: '@daily', preset: fulll}\n",
                     "2:39: schedules.nightly.2.preset: there is no preset 'fulll' in .*Did you mean 'full'.*"},
        BadReference{"schedules: {nightly: {cron: '@daily', overrides: {files: 5, calls: 0}}}",
                     "1:68: schedules.nightly.overrides.calls: calls: 0 is out of range.*"},
        BadReference{
            "schedules: {nightly: {cron: '@daily', overrides: {cals: 5}}}",
            "1:57: schedules.nightly.overrides.cals: there is no parameter 'cals' in .*Did you mean 'calls'.*"},
        BadReference{"schedules: {nightly: {cron: '@daily', overrides: {cases: [small]}}}",
                     "1:58: schedules.nightly.overrides.cases: there is no case 'small' in .*"},
        BadReference{"server: {token_file: no-such.tokens}",
                     "1:22: server.token_file: /etc/lab/no-such.tokens: cannot be read: .*"},
        BadReference{"notify:\n  - {webhook: 'http://h/x'}\n  - {webhook: 'http://h/y', secret_file: no-such.secret}\n",
                     "3:42: notify.\\[1\\].secret_file: /etc/lab/no-such.secret: cannot be read: .*"}));

TEST(References, OfWhatTheFileLeavesOutAreThePartsThatLackIt) {
    // The default preset, of a workload that has no such one.
    auto config = parse("schedules: {nightly: {cron: '@daily'}}\n");
    config.workloads = FOXBENCH_SOURCE_DIR "/workloads";
    EXPECT_NO_THROW(check_references(config));
    config.schedules[0].preset = "other";
    try {
        check_references(config);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("/etc/lab/foxbench.yaml:1:22: schedules.nightly: there is no preset 'other'"));
    }
}

TEST(References, OfAnAliasThatLeadsToItselfEnd) {
    EXPECT_NO_THROW(
        (void)parse("targets: {a: {}}\nschedules: {nightly: {cron: '@daily', overrides: &x {calls: 5}}}\n"));
    EXPECT_THROW((void)parse("targets: &t {a: {prefs: *t}}\n"), Error);
}

}  // namespace
}  // namespace foxbench::config
