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
        "targets: {a: {}, b: {prefs: {x: 2}}, c: {}}\n"
        "schedules: {nightly: {cron: '0 3 * * *', time_zone: UTC}}\n"
        "retention: {samples: 36h}\n");
    EXPECT_THAT(describe_changes(before, after),
                ElementsAre("targets.b.prefs.x: 1 -> 2", "targets.c: added ({\"timer\":\"standard\"})",
                            "schedules.nightly.cron: 0 2 * * * -> 0 3 * * *", "schedules.nightly.launches: removed (5)",
                            "retention.samples: 90d -> 36h"));
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

TEST(References, OfASchedulesPresetAreChecked) {
    auto config = parse("schedules: {nightly: {cron: '@nightly', preset: fulll}}\n");
    config.workloads = FOXBENCH_SOURCE_DIR "/workloads";
    try {
        check_references(config);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("/etc/lab/foxbench.yaml: schedules.nightly: "),
                                                 HasSubstr("Did you mean 'full'?")));
    }
}

TEST(References, OfSecretsAreChecked) {
    auto config = parse("notify: [{webhook: 'http://h/x', secret_file: no-such.secret}]\n");
    config.workloads = FOXBENCH_SOURCE_DIR "/workloads";
    try {
        check_references(config);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("no-such.secret: cannot be read"));
    }
}

}  // namespace
}  // namespace foxbench::config
