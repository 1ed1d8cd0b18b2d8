#include <iostream>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>

#include "bidi/modules/browsing_context.hpp"
#include "bidi/testing/run_task.hpp"
#include "service/browser/browser.hpp"
#include "service/browser/build.hpp"
#include "service/browser/failure.hpp"
#include "service/browser/find.hpp"
#include "service/browser/profile_template.hpp"
#include "service/browser/testing_support.hpp"
#include "service/host/procfs.hpp"

namespace foxbench::browser {
namespace {

namespace fs = std::filesystem;
using bidi::json;
using bidi::testing::run;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FirefoxTest : public ::testing::Test {
protected:
    FirefoxTest() {
        options_.binary = find_binary("");
        options_.profiles_folder = folder_.path() / "profiles";
        options_.preferences = effective_preferences(nullptr, Timer::standard);
    }

    std::unique_ptr<Browser> launch() { return run(io_, Browser::launch(options_)); }

    json evaluate(Browser& browser, const std::string& expression) {
        return run(io_,
                   browser.connection().call("script.evaluate", {{"expression", expression},
                                                                 {"target", {{"context", browser.first_context()}}},
                                                                 {"awaitPromise", true}}));
    }

    /// Launches that cannot succeed: gives the error, and checks that nothing is left.
    LaunchError failed_launch() {
        try {
            static_cast<void>(launch());
        } catch (const LaunchError& error) {
            expect_nothing_left();
            return error;
        }
        ADD_FAILURE() << "it was launched";
        return LaunchError({});
    }

    void expect_nothing_left() const {
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
        EXPECT_EQ(errno, ECHILD);
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(options_.profiles_folder, ignored)) {
            if (entry.path().filename() != "templates") ADD_FAILURE() << entry.path() << " is left";
        }
    }

    testing::TemporaryFolder folder_;
    boost::asio::io_context io_;
    LaunchOptions options_;
};

TEST_F(FirefoxTest, IsTheBuildThatWasFound) {
    const auto installation = locate_installation(options_.binary);
    HashCache cache;
    const auto build = identify(installation, cache);
    const auto browser = launch();
    EXPECT_EQ(browser->executable(), installation.launcher);
    EXPECT_EQ(browser->session().capabilities.extra.at("moz:buildID"), build.build_id.value());
    EXPECT_EQ(browser->session().capabilities.extra.at("moz:processID"), browser->process().pid());
    EXPECT_EQ(browser->session().capabilities.extra.at("moz:profile"), browser->profile_folder().string());
    EXPECT_THAT(build.version, ::testing::StartsWith(browser->session().capabilities.browser_version));
    EXPECT_EQ(evaluate(*browser, "location.href").at("result").at("value"), "about:blank")
        << "browser.startup.page=0 counts";
}

TEST_F(FirefoxTest, ClosesWhenAskedTo) {
    const auto browser = launch();
    const auto report = run(io_, browser->stop());
    EXPECT_EQ(report.ended_by, "browser.close");
    EXPECT_EQ(report.exit->code, 0);
    EXPECT_TRUE(report.profile_left.empty());
    EXPECT_THAT(report.processes_left, IsEmpty());
    for (const pid_t pid : browser->processes()) testing::expect_end_of(pid);
    expect_nothing_left();
}

TEST_F(FirefoxTest, EndsBySignalWhenThatIsWanted) {
    const auto browser = launch();
    EXPECT_EQ(run(io_, browser->stop(StopMode::signal)).ended_by, "SIGTERM");
    expect_nothing_left();
}

TEST_F(FirefoxTest, ClosesWhileAPageLoops) {
    const auto browser = launch();
    bool answered = false;
    boost::asio::co_spawn(
        io_,
        browser->connection().call("script.evaluate", {{"expression", "for (;;) {}"},
                                                       {"target", {{"context", browser->first_context()}}},
                                                       {"awaitPromise", false}}),
        [&](std::exception_ptr error, const json&) { answered = error == nullptr; });
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "browser.close");
    EXPECT_FALSE(answered);
    expect_nothing_left();
}

TEST_F(FirefoxTest, TenLaunchesFromATemplateLeaveNothing) {  // cases.md 2, 3, 6
    HashCache cache;
    const auto build = identify(locate_installation(options_.binary), cache);
    int prepared = 0;
    const auto count = [&](const std::string& what) { prepared += what.starts_with("preparing") ? 1 : 0; };
    options_.template_folder = run(io_, ensure_template(options_, build, count));
    EXPECT_EQ(run(io_, ensure_template(options_, build, count)), options_.template_folder);
    EXPECT_EQ(prepared, 1);
    EXPECT_FALSE(fs::exists(options_.template_folder / "storage"));
    EXPECT_TRUE(fs::exists(options_.template_folder / "startupCache")) << "what makes it fast";

    for (int i = 0; i < 10; ++i) {
        const auto browser = launch();
        const auto report = run(io_, browser->stop(i % 2 == 0 ? StopMode::polite : StopMode::signal));
        EXPECT_EQ(report.ended_by, i % 2 == 0 ? "browser.close" : "SIGTERM");
        EXPECT_TRUE(report.profile_left.empty());
        EXPECT_THAT(report.processes_left, IsEmpty());
        expect_nothing_left();
    }
}

TEST_F(FirefoxTest, FromATemplateHasNoBackgroundPagesOfExtensions) {
    HashCache cache;
    const auto build = identify(locate_installation(options_.binary), cache);
    options_.arguments = {"--remote-allow-system-access"};
    const auto list = [this](Browser& browser) {
        const json windows = run(io_, browser.connection().call("browsingContext.getTree", {{"moz:scope", "chrome"}}));
        const json script = {{"expression",
                              "ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs')"
                              ".AddonManager.getActiveAddons(['extension']).then(all => all.addons.length)"},
                             {"target", {{"context", windows["contexts"][0]["context"]}}},
                             {"awaitPromise", true}};
        const json answer = run(io_, browser.connection().call("script.evaluate", script));
        return answer["type"] == "success" ? answer["result"]["value"].get<int>() : -1;
    };
    auto browser = launch();
    const int active = list(*browser);
    run(io_, browser->stop());
    if (active < 0) {  // ESR 140 shows its tabs instead, and those may not look at add-ons
        std::cout << "this browser does not let a client into its own windows\n";
        return;
    }
    EXPECT_GT(active, 0) << "otherwise there is nothing to disable";
    options_.template_folder = run(io_, ensure_template(options_, build));
    browser = launch();
    EXPECT_EQ(list(*browser), 0);
    run(io_, browser->stop());
}

TEST_F(FirefoxTest, DismissesPrompts) {  // cases.md 24
    const auto browser = launch();
    const json events = {"browsingContext.userPromptOpened"};
    run(io_, browser->connection().call("session.subscribe", {{"events", events}}));
    std::string asked;
    const auto subscription = browser->connection().on("browsingContext.userPromptOpened", [&](const json& params) {
        asked = params.at("message").get<std::string>();
    });
    const auto answer = evaluate(*browser, "alert('Really?'); confirm('Sure?')");
    EXPECT_EQ(answer.at("result").at("value"), json(false)) << "nobody said yes";
    EXPECT_EQ(asked, "Sure?");
    run(io_, browser->stop());
    expect_nothing_left();
}

TEST_F(FirefoxTest, MayAnswerLateAfterItStoodStill) {  // cases.md 25
    const auto browser = launch();
    browser->process().signal_group(SIGSTOP);
    const bidi::CallOptions impatient(std::chrono::milliseconds(50));
    EXPECT_THROW(run(io_, browser->connection().call("browser.getUserContexts", json::object(), impatient)),
                 bidi::TimeoutError);
    browser->process().signal_group(SIGCONT);
    EXPECT_EQ(evaluate(*browser, "6 * 7").at("result").at("value"), json(42));
    EXPECT_EQ(browser->connection().counters().late_answers, 1u);
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "browser.close");
    expect_nothing_left();
}

TEST_F(FirefoxTest, ThatIsKilledFailsPendingCallsAsCrashed) {  // cases.md 17, 18
    const auto browser = launch();
    boost::asio::post(io_, [&] { ::kill(browser->process().pid(), SIGKILL); });
    try {
        evaluate(*browser, "new Promise(() => {})");
        FAIL();
    } catch (const bidi::CrashedError& error) {
        EXPECT_THAT(error.what(), HasSubstr("signal 9 (SIGKILL)"));
    }
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "itself");
    expect_nothing_left();
}

TEST_F(FirefoxTest, EndsWithItsContentProcess) {  // cases.md 17: firefox-bidi.md, finding 3
    const auto browser = launch();
    boost::asio::post(io_, [&] {
        for (const auto& stat : host::read_all_process_stats()) {
            const auto command_line = host::read_text("/proc/" + std::to_string(stat.pid) + "/cmdline").value_or("");
            const bool shows_pages = command_line.find("-isForBrowser") != std::string::npos;
            if (stat.group == browser->process().pid() && shows_pages) ::kill(stat.pid, SIGSEGV);
        }
    });
    // As crashed or, when the browser still comes to answer, with `no such frame`.
    EXPECT_THROW(evaluate(*browser, "new Promise(() => {})"), bidi::Error);
    const auto crash = run(io_, browser->crash_within(bidi::testing::kHangBound));
    ASSERT_TRUE(crash);
    EXPECT_EQ(crash->kind(), bidi::ErrorKind::crashed);
    EXPECT_THAT(crash->what(), HasSubstr("the browser ended with exit code 245"));
    run(io_, browser->stop());
    expect_nothing_left();
}

TEST_F(FirefoxTest, DiesWithTheProcessThatStartedIt) {  // cases.md 2: firefox-bidi.md, finding 11
    int launched[2];
    ASSERT_EQ(::pipe(launched), 0);
    const pid_t daemon = ::fork();
    if (daemon == 0) {
        boost::asio::io_context io;
        const auto browser = run(io, Browser::launch(options_));
        const pid_t pid = browser->process().pid();
        static_cast<void>(::write(launched[1], &pid, sizeof pid) == 0);
        ::pause();
        ::_exit(0);
    }
    ::close(launched[1]);
    pid_t pid = 0;
    ASSERT_EQ(::read(launched[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
    ::close(launched[0]);
    std::vector<pid_t> group;
    for (const auto& stat : host::read_all_process_stats()) {
        if (stat.group == pid) group.push_back(stat.pid);
    }
    EXPECT_GE(group.size(), 2u) << "with content processes";

    ::kill(daemon, SIGKILL);
    ::waitpid(daemon, nullptr, 0);
    for (const pid_t member : group) testing::expect_end_of(member);
    EXPECT_EQ(sweep(options_.profiles_folder).removed.size(), 1u);
    expect_nothing_left();
}

TEST_F(FirefoxTest, WithAProfileInUseSaysSo) {  // cases.md 7
    const auto first = launch();
    ProcessOptions second;
    second.executable = options_.binary;
    second.arguments = {"--headless", "--no-remote", "--remote-debugging-port=0", "--profile",
                        first->profile_folder().string()};
    second.environment = {{"PATH", std::getenv("PATH")}, {"HOME", std::getenv("HOME")}};
    const auto process = Process::spawn(io_.get_executor(), std::move(second));
    FailedLaunch failed;
    failed.exit = run(io_, process->wait_until(std::chrono::steady_clock::now() + bidi::testing::kHangBound));
    run(io_, process->drain(std::chrono::seconds(5)));
    failed.error_tail = process->error_tail();
    failed.output_tail = process->output_tail();
    EXPECT_EQ(failed.exit->code, 0) << "an exit code says nothing";
    EXPECT_THAT(LaunchError(failed).what(), HasSubstr("the profile is in use by another Firefox"));
}

TEST_F(FirefoxTest, WithTheHomeOfAnotherUserSaysSo) {  // cases.md 10
    if (::getuid() != 0) GTEST_SKIP() << "Firefox refuses this to root only";
    fs::create_directories(folder_.path() / "home");
    constexpr uid_t kNobody = 65534;
    ASSERT_EQ(::chown((folder_.path() / "home").c_str(), kNobody, kNobody), 0);
    options_.environment["HOME"] = folder_.path() / "home";
    const auto error = failed_launch();
    EXPECT_THAT(error.what(), HasSubstr("foxbench runs as root with the HOME of another user"));
    EXPECT_FALSE(error.worth_retrying());
}

TEST_F(FirefoxTest, WithoutADisplaySaysSo) {  // cases.md 11
    options_.headed = true;
    options_.environment = {{"DISPLAY", ":77"}, {"WAYLAND_DISPLAY", ""}, {"MOZ_ENABLE_WAYLAND", "0"}};
    EXPECT_THAT(failed_launch().what(), HasSubstr("the display cannot be opened"));
}

TEST_F(FirefoxTest, OrAnotherProgramThatIsNoneSaysHowItEnded) {
    options_.binary = find_on_path("true", SearchEnvironment::current());
    EXPECT_THAT(failed_launch().what(), HasSubstr("ended before it listened (exit code 0); it wrote nothing"));
}

TEST_F(FirefoxTest, KeepsItsProfileForATemplateOnly) {
    const auto browser = launch();
    const Profile profile = run(io_, browser->stop_and_keep_profile());
    EXPECT_TRUE(fs::exists(profile.folder() / "prefs.js"));
}

TEST_F(FirefoxTest, WithAPreciseTimerStepsFinely) {  // firefox-bidi.md, finding 8
    constexpr const char* kSmallestStepUs =
        "let step = 1e9, last = performance.now();"
        "for (let i = 0; i < 200000; ++i) { const now = performance.now(); if (now > last) { step = Math.min(step, now "
        "- last); } last = now; }"
        "step * 1000";
    options_.preferences = effective_preferences(nullptr, Timer::precise);
    EXPECT_LT(evaluate(*launch(), kSmallestStepUs).at("result").at("value").get<double>(), 1.0);
}

}  // namespace
}  // namespace foxbench::browser
