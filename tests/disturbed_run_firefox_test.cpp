// Runs that are disturbed: whatever happens, finished passes stay, the state says what they are worth, and nothing is
// left behind.
#include <algorithm>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/stored_run.hpp"

namespace foxbench {
namespace {

using document::RunState;
using testing::AllOf;
using testing::HasSubstr;
using testing_support::expect_no_process_with;
using testing_support::foxbench;
using testing_support::foxbench_command;
using testing_support::newest_run;
using testing_support::no_profile_left;
using testing_support::processes_with;
using testing_support::Program;
using testing_support::read_file;
using testing_support::TemporaryFolder;

/// A command must be done with a run that was ended within this; only a hang takes as long.
constexpr std::chrono::seconds kEndBound{10};

class DisturbedRun : public testing::Test {
protected:
    /// A run whose last case has thousands of files, so that there is time to disturb it after small-append was stored.
    std::vector<std::string> long_run(std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{"run",
                                           "--results",
                                           results_,
                                           "--calls",
                                           "50",
                                           "--files",
                                           "5000",
                                           "--passes",
                                           "1",
                                           "--cases",
                                           "small-append,new-file",
                                           "--settle",
                                           "0ms"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return foxbench_command(arguments);
    }

    void expect_partial(const std::string& reason) const {
        const auto document = newest_run(results_);
        EXPECT_EQ(document.state, RunState::partial);
        EXPECT_THAT(document.reason.value_or(""), HasSubstr(reason));
        ASSERT_EQ(document.targets.at(0).launches.size(), 1u);
        const auto& series = document.targets[0].launches[0].series;
        ASSERT_FALSE(series.empty());
        EXPECT_EQ(series[0].name, "small-append");
        EXPECT_EQ(series[0].passes.at(0).latencies_us.size(), 50u);
        expect_nothing_left();
        const auto report = read_file(results_ + "/" + document.id + "/summary.md");
        EXPECT_THAT(report, HasSubstr("\n\nState: partial. "));
    }

    void expect_nothing_left() const {
        expect_no_process_with(folder_.path());
        EXPECT_TRUE(no_profile_left(results_));
    }

    /// The browser's own process.
    pid_t browser() const {
        for (const pid_t pid : processes_with(results_ + "/profiles/")) {
            const auto command = read_file("/proc/" + std::to_string(pid) + "/cmdline");
            if (command.find("--remote-debugging-port") != std::string::npos) return pid;
        }
        ADD_FAILURE() << "there is no browser";
        return -1;
    }

    /// The processes of its pages. Those that come from the fork server have their command line in one piece, blanks
    /// between.
    static std::vector<pid_t> tabs(pid_t browser) {
        std::vector<pid_t> found;
        for (const pid_t pid : processes_with("-contentproc")) {
            auto command = read_file("/proc/" + std::to_string(pid) + "/cmdline");
            std::ranges::replace(command, '\0', ' ');
            command.erase(command.find_last_not_of(' ') + 1);
            if (command.find(" -parentPid " + std::to_string(browser) + " ") != std::string::npos &&
                command.ends_with(" tab"))
                found.push_back(pid);
        }
        return found;
    }

    /// A configuration with the real workload, changed.
    std::string config_with_workload(const std::string& file, const std::string& what, const std::string& with) const {
        const auto copy = folder_.path() / "workloads/opfs-sync-write";
        std::filesystem::create_directories(copy.parent_path());
        std::filesystem::copy(FOXBENCH_SOURCE_DIR "/workloads/opfs-sync-write", copy);
        auto text = read_file(copy / file);
        const auto at = text.find(what);
        EXPECT_NE(at, std::string::npos) << what;
        text.replace(at, what.size(), with);
        folder_.write("workloads/opfs-sync-write/" + file, text);
        return folder_.write("config.yaml",
                             "workloads: workloads\ntargets: {small-quota: {prefs: "
                             "{dom.quotaManager.temporaryStorage.fixedLimit: 51200}}, firefox: {}}\n");
    }

    TemporaryFolder folder_;
    const std::string results_ = folder_.file("r");
};

TEST_F(DisturbedRun, CtrlCKeepsWhatIsFinished) {
    Program run(long_run());
    run.wait_for("small-append: ");
    run.signal(SIGINT);
    EXPECT_EQ(run.finish(kEndBound).exit_code, 3);
    expect_partial("Interrupted; 2 of 4 passes are kept");
}

TEST_F(DisturbedRun, CtrlCTwiceEndsAtOnceAndTheNextRunTidiesUp) {
    Program run(long_run());
    run.wait_for("small-append: ");
    run.signal(SIGSTOP);  // both signals arrive before the first is dealt with
    run.signal(SIGINT);
    run.signal(SIGTERM);
    run.signal(SIGCONT);
    EXPECT_EQ(run.finish(kEndBound).exit_code, 3);
    expect_no_process_with(folder_.path());

    const auto next =
        foxbench({"run", "--results", results_, "--cases", "small-append", "--calls", "10", "--settle", "0ms"});
    EXPECT_EQ(next.exit_code, 0) << next.err;
    const auto list = document::Json::parse(foxbench({"list", "--json", "--results", results_}).out).at("runs");
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list.at(0).at("state"), "completed");
    EXPECT_EQ(list.at(1).at("state"), "partial");
    expect_nothing_left();
}

TEST_F(DisturbedRun, KillOfFoxbenchKeepsWhatIsFinished) {  // cases.md 2
    Program run(long_run());
    run.wait_for("small-append: ");
    run.signal(SIGKILL);
    EXPECT_EQ(run.finish(kEndBound).exit_code, 128 + SIGKILL);
    expect_no_process_with(folder_.path());

    const auto next =
        foxbench({"run", "--results", results_, "--cases", "small-append", "--calls", "10", "--settle", "0ms"});
    EXPECT_EQ(next.exit_code, 0) << next.err;
    EXPECT_THAT(next.err, HasSubstr("had lost its foxbench"));
    const auto list = document::Json::parse(foxbench({"list", "--json", "--results", results_}).out).at("runs");
    ASSERT_EQ(list.size(), 2u);
    EXPECT_EQ(list.at(1).at("state"), "partial");
    const auto lost = document::parse(foxbench({"export", list.at(1).at("id"), "--results", results_}).out, "export");
    EXPECT_EQ(lost.targets.at(0).launches.at(0).series.at(0).passes.size(), 1u);
    expect_nothing_left();
}

TEST_F(DisturbedRun, ABrowserThatStandsStillForAMomentIsMeasuredToTheEnd) {
    Program run(foxbench_command({"run", "--results", results_, "--calls", "50", "--files", "200", "--passes", "1",
                                  "--cases", "small-append,new-file", "--settle", "0ms"}));
    run.wait_for("small-append: ");
    const pid_t pid = browser();
    kill(pid, SIGSTOP);
    const auto is_stopped = [pid] {
        const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
        return stat.find(") T ") != std::string::npos;
    };
    while (!is_stopped()) std::this_thread::yield();
    kill(pid, SIGCONT);
    EXPECT_EQ(run.finish().exit_code, 0);
    EXPECT_EQ(newest_run(results_).state, RunState::completed);
    expect_nothing_left();
}

TEST_F(DisturbedRun, ABrowserThatIsKilledIsACrash) {  // cases.md 17, 18
    Program run(long_run());
    run.wait_for("small-append: ");
    kill(browser(), SIGKILL);
    EXPECT_EQ(run.finish().exit_code, 3);
    expect_partial("signal 9");
}

TEST_F(DisturbedRun, ATabThatIsKilledEndsTheLaunch) {  // cases.md 16, 17
    Program run(long_run());
    run.wait_for("small-append: ");
    int killed = 0;
    for (const pid_t tab : tabs(browser())) killed += kill(tab, SIGKILL) == 0 ? 1 : 0;
    EXPECT_GT(killed, 0);
    EXPECT_EQ(run.finish().exit_code, 3);
    expect_partial("firefox, launch 1: ");
}

TEST_F(DisturbedRun, AnotherLaunchGoesOnAfterACrash) {  // cases.md 28, 36
    Program run(foxbench_command({"run", "--results", results_, "--calls", "50", "--files", "400", "--passes", "1",
                                  "--cases", "small-append,new-file", "--launches", "2", "--settle", "0ms"}));
    run.wait_for("small-append: ");
    kill(browser(), SIGKILL);
    EXPECT_EQ(run.finish().exit_code, 3);
    const auto document = newest_run(results_);
    EXPECT_EQ(document.state, RunState::partial);
    ASSERT_EQ(document.targets.at(0).launches.size(), 2u);
    EXPECT_THAT(document.targets[0].launches[0].failure.value_or(""), HasSubstr("signal 9"));
    EXPECT_EQ(document.targets[0].launches[1].failure, std::nullopt);
    EXPECT_EQ(document.targets[0].launches[1].series.size(), 6u);
    expect_nothing_left();
}

TEST_F(DisturbedRun, AWriteOverTheQuotaMakesTheRunInvalid) {  // cases.md 26
    // The manifest is made to say that a pass needs nothing, so that it is not refused before it starts.
    const auto config = config_with_workload("workload.yaml", "disk: calls * bytes", "disk: 0");
    const auto run = foxbench({"run", "--config", config, "--results", results_, "--targets", "small-quota", "--cases",
                               "small-append", "--calls", "4000", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    const auto document = newest_run(results_);
    EXPECT_EQ(document.state, RunState::invalid);
    EXPECT_THAT(document.reason.value_or(""), HasSubstr("small-append, warm-up pass, call 2"));
    EXPECT_THAT(document.reason.value_or(""), HasSubstr("write() took 0 of 4096 bytes"));
    expect_nothing_left();
}

TEST_F(DisturbedRun, APassTooLargeForTheQuotaIsRefusedBeforeItStarts) {
    const auto config = config_with_workload("workload.yaml", "about: write", "about: write");
    const auto run = foxbench({"run", "--config", config, "--results", results_, "--targets", "small-quota", "--cases",
                               "small-append", "--calls", "4000", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const auto document = newest_run(results_);
    EXPECT_EQ(document.state, RunState::failed);
    EXPECT_THAT(document.reason.value_or(""), HasSubstr("more than 60 % of the origin's quota of 10 MiB"));
}

TEST_F(DisturbedRun, ALostWriteMakesTheRunInvalid) {  // cases.md 26
    const auto config = config_with_workload("worker.js", "const written = handle.write(data, options);",
                                             "const written = call === 7 ? data.length : handle.write(data, options);");
    const auto run = foxbench({"run", "--config", config, "--results", results_, "--targets", "firefox", "--cases",
                               "small-append", "--calls", "50", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 3) << run.err;
    const auto document = newest_run(results_);
    EXPECT_EQ(document.state, RunState::invalid);
    EXPECT_THAT(
        document.reason.value_or(""),
        HasSubstr(
            "small-append, warm-up pass, call 8: Mismatch: byte 28672 of the file is not what was written there"));
}

TEST_F(DisturbedRun, AnExceptionOfTheWorkerIsKeptWordForWord) {  // cases.md 29
    const auto config =
        config_with_workload("worker.js", "const written = handle.write(data, options);",
                             "if (call === 7) handle.close(); const written = handle.write(data, options);");
    const auto run = foxbench({"run", "--config", config, "--results", results_, "--targets", "firefox", "--cases",
                               "small-append", "--calls", "50", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const auto document = newest_run(results_);
    EXPECT_THAT(document.reason.value_or(""), HasSubstr("InvalidStateError"));
    EXPECT_THAT(document.targets.at(0).launches.at(0).extra.at("stack").dump(), HasSubstr("workload.js:"));
    expect_nothing_left();
}

TEST_F(DisturbedRun, AFileThatIsLockedForAMomentIsTriedAgain) {  // cases.md 27
    const auto config = config_with_workload(
        "worker.js", "        await file.open();\n",
        "        const first = await entry.createSyncAccessHandle();\n        setTimeout(() => first.close(), 100);\n"
        "        await file.open();\n");
    const auto run = foxbench({"run", "--config", config, "--results", results_, "--targets", "firefox", "--cases",
                               "small-append", "--calls", "50", "--passes", "1", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

TEST_F(DisturbedRun, AFileThatStaysLockedIsNamed) {  // cases.md 27
    const auto config = config_with_workload("worker.js", "        await file.open();\n",
                                             "        await entry.createSyncAccessHandle();\n"
                                             "        await file.open();\n");
    const auto run = foxbench({"run", "--config", config, "--results", results_, "--targets", "firefox", "--cases",
                               "small-append", "--calls", "50", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(newest_run(results_).reason.value_or(""),
                AllOf(HasSubstr("small-append, warm-up pass: NoModificationAllowedError: "),
                      HasSubstr("(file small-append.0.0)")));
    expect_nothing_left();
}

TEST_F(DisturbedRun, ABrowserThatStoresNothingIsExplained) {  // cases.md 30
    const auto config = folder_.write("private.yaml",
                                      "targets:\n  private: {prefs: {browser.privatebrowsing.autostart: true}}\n"
                                      "  without: {prefs: {dom.fs.enabled: false}}\n");
    const auto run =
        foxbench({"run", "--config", config, "--results", results_, "--targets", "private,without", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const auto document = newest_run(results_);
    EXPECT_EQ(document.state, RunState::failed);
    EXPECT_THAT(document.targets.at(0).launches.at(0).failure.value_or(""),
                AllOf(HasSubstr("SecurityError: "), HasSubstr("stores nothing, as in a private window")));
    EXPECT_THAT(document.targets.at(1).launches.at(0).failure.value_or(""),
                HasSubstr("this browser has no origin private file system"));
    expect_nothing_left();
}

TEST_F(DisturbedRun, AModuleThatDoesNotLoadFailsWithItsReason) {
    const auto config = config_with_workload("worker.js", "export const cases", "export const cases = ; const x");
    const auto run =
        foxbench({"run", "--config", config, "--results", results_, "--targets", "firefox", "--settle", "0ms"});
    EXPECT_EQ(run.exit_code, 1) << run.err;
    EXPECT_THAT(newest_run(results_).reason.value_or(""), HasSubstr("SyntaxError"));
}

TEST_F(DisturbedRun, AFullDiskMakesTheRunInvalid) {  // cases.md 34
    // A disk of its own, in a mount namespace of its own; all of the file system may be the origin's.
    const std::string profiles = folder_.file("disk");
    std::filesystem::create_directory(profiles);
    const std::string mount = "mount -t tmpfs -o size=400m none " + profiles;
    if (Program({"/usr/bin/unshare", "-m", "/bin/sh", "-c", mount}).finish().exit_code != 0)
        GTEST_SKIP() << "nothing can be mounted here";
    config_with_workload("workload.yaml", "disk: calls * bytes", "disk: 0");
    const auto config = folder_.write("full.yaml", "workloads: workloads\nprofiles: " + profiles +
                                                       "\nallow_tmpfs: true\ntargets: {firefox: {prefs: "
                                                       "{dom.quotaManager.temporaryStorage.fixedLimit: 52428800}}}\n");
    auto command =
        foxbench_command({"run", "--config", config, "--results", results_, "--cases", "small-append", "--calls", "500",
                          "--bytes", "1MiB", "--chunks", "1MiB", "--passes", "1", "--settle", "0ms"});
    command.insert(command.begin(), {"/usr/bin/unshare", "-m", "/bin/sh", "-c", mount + " && exec \"$@\"", "sh"});
    const auto run = Program(command).finish();
    EXPECT_EQ(run.exit_code, 3) << run.err;
    const auto document = newest_run(results_);
    EXPECT_EQ(document.state, RunState::invalid);
    EXPECT_THAT(document.reason.value_or(""), AllOf(HasSubstr("small-append, warm-up pass, call "),
                                                    HasSubstr("of 1048576 bytes (quota or disk full?)")));
    expect_no_process_with(folder_.path());
}

TEST_F(DisturbedRun, ProfilesOnTmpfsAreRefusedUnlessAllowed) {  // cases.md 33
    const auto config = folder_.write("tmpfs.yaml", "profiles: /dev/shm/foxbench-test\n");
    const auto refused = foxbench({"run", "--config", config, "--results", results_});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("syncs are free"));
    const auto allowed = folder_.write("allowed.yaml", "profiles: /dev/shm/foxbench-test\nallow_tmpfs: true\n");
    EXPECT_EQ(foxbench({"run", "--config", allowed, "--results", results_, "--cases", "small-append", "--calls", "10",
                        "--settle", "0ms"})
                  .exit_code,
              0);
    EXPECT_EQ(newest_run(results_).profiles->filesystem, "tmpfs");
    std::filesystem::remove_all("/dev/shm/foxbench-test");
}

}  // namespace
}  // namespace foxbench
