#include "service/config/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/config/locations.hpp"
#include "service/error.hpp"

namespace foxbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Config parse(const std::string& text) {
    return parse_config(text, "/etc/lab/foxbench.yaml");
}

std::string fault(const std::string& text) {
    try {
        (void)parse(text);
    } catch (const Error& error) {
        EXPECT_EQ(exit_code(error.code()), 2);
        std::string message = error.what();
        EXPECT_TRUE(message.starts_with("/etc/lab/foxbench.yaml:")) << message;
        return message.substr(std::string("/etc/lab/foxbench.yaml:").size());
    }
    return "(accepted)";
}

TEST(Config, ReadsATargetWithEverythingThatItMayHave) {
    const Config config = parse(
        "targets:\n"
        "  firefox: {binary: firefox-esr}\n"
        "  wal-full:\n"
        "    binary: ../obj-opt/dist/bin/firefox\n"
        "    note: Local build\n"
        "    prefs: {some.pref: true, other.pref: 5, third: 'x'}\n"
        "    env: {SOME: value, NUMBER: 5}\n"
        "    args: [--a, b]\n"
        "    timer: precise\n"
        "    cpus: '3, 0-1'\n"
        "    planted_us: 50\n"
        "    local_build: true\n"
        "    start_deadline: 60s\n");
    ASSERT_THAT(config.target_names(), ElementsAre("firefox", "wal-full"));
    EXPECT_EQ(config.targets[0].binary, "firefox-esr");
    const Target& local = config.targets[1];
    EXPECT_EQ(local.binary, "/etc/obj-opt/dist/bin/firefox");
    EXPECT_EQ(local.prefs.dump(), R"({"some.pref":true,"other.pref":5,"third":"x"})");
    EXPECT_EQ(local.env.at("NUMBER"), "5");
    EXPECT_THAT(local.args, ElementsAre("--a", "b"));
    EXPECT_TRUE(local.precise_timer);
    EXPECT_EQ(local.cpus, "0-1,3");
    EXPECT_EQ(local.planted_us, 50);
    EXPECT_EQ(local.local_build, true);
    EXPECT_EQ(local.start_deadline, std::chrono::seconds(60));
}

TEST(Config, TakesPathsFromTheFilesFolder) {
    const Config config = parse("results: ../results\n");
    EXPECT_EQ(config.results, "/etc/results");
    EXPECT_EQ(config.profiles, "/etc/results/profiles");
    EXPECT_EQ(parse("profiles: /data/p\n").profiles, "/data/p");
    EXPECT_EQ(parse("lock: ~/x.lock\n").lock, expand_home("~/x.lock"));
}

TEST(Config, OfAnEmptyFileIsTheDefault) {
    const Config config = parse("");
    EXPECT_THAT(config.target_names(), ElementsAre("firefox"));
    EXPECT_EQ(config.defaults.preset, "quick");
    EXPECT_EQ(config.settle, std::chrono::milliseconds(500));
    EXPECT_EQ(config.results, default_config().results);
}

TEST(Config, ChoosesTargets) {
    const Config config = parse("targets: {a: {}, b: {}, c: {}}\ndefaults: {targets: [b, c]}\n");
    EXPECT_EQ(config.choose_targets({}).size(), 2u);
    EXPECT_EQ(config.choose_targets({"c", "a"}).front().name, "c");
    EXPECT_THROW((void)config.choose_targets({"d"}), Error);
    EXPECT_THROW((void)config.choose_targets({"a", "a"}), Error);
    EXPECT_EQ(parse("targets: {a: {}, b: {}}\n").choose_targets({}).front().name, "a");
}

TEST(Config, SaysWhereAndWhatIsWrong) {
    EXPECT_EQ(fault("resluts: x\n"), "1:1: unknown key 'resluts'. Did you mean 'results'?");
    EXPECT_EQ(fault("targets: {a: {binry: x}}\n"), "1:15: targets.a: unknown key 'binry'. Did you mean 'binary'?");
    EXPECT_EQ(fault("targets: {a: {timer: exact}}\n"), "1:22: targets.a.timer: expected standard or precise");
    EXPECT_THAT(fault("targets: {a: {cpus: 2-1}}\n"),
                HasSubstr("1:21: targets.a.cpus: '2-1' is no list of processors: expected numbers of 0 to 1023 and"));
    EXPECT_THAT(fault("targets: {a: {planted_us: -1}}\n"), HasSubstr("expected a number from 0 to 100000"));
    EXPECT_THAT(fault("targets: {a: {prefs: {x: [1]}}}\n"),
                HasSubstr("a preference is true or false, a whole number or a text"));
    EXPECT_THAT(fault("targets: {a: {prefs: {x: 1.5}}}\n"), HasSubstr("a preference is"));
    EXPECT_THAT(fault("targets: {'a b': {}}\n"), HasSubstr("is no name for a target"));
    EXPECT_THAT(fault("targets: {}\n"), HasSubstr("name at least one target"));
    EXPECT_THAT(fault("targets: [a]\n"), HasSubstr("expected a map of keys and values"));
    EXPECT_THAT(fault("targets: {a: {}}\ndefaults: {targets: [aa]}\n"),
                HasSubstr("2:22: defaults.targets.[0]: there is no target 'aa'. Did you mean 'a'?"));
    EXPECT_THAT(fault("defaults: {launches: 101}\n"), HasSubstr("expected a number from 1 to 100"));
    EXPECT_THAT(fault("settle: 5\n"), HasSubstr("is no duration"));
    EXPECT_THAT(fault("allow_tmpfs: maybe\n"), HasSubstr("expected true or false"));
    EXPECT_THAT(fault("hosts: {nme: x}\n"), HasSubstr("Did you mean 'name'?"));
}

}  // namespace
}  // namespace foxbench::config
