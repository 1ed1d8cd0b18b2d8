#include "service/browser/browser.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <gmock/gmock.h>
#include <signal.h>

#include "bidi/testing/run_task.hpp"
#include "bidi/testing/scripted_server.hpp"
#include "service/browser/failure.hpp"
#include "service/browser/profile_template.hpp"
#include "service/browser/testing_support.hpp"
#include "service/host/procfs.hpp"

// The browser here is a shell script that prints the line, and a server in this process that speaks for it, since a
// real Firefox does not misbehave on order.

namespace foxbench::browser {
namespace {

namespace fs = std::filesystem;
using bidi::json;
using bidi::testing::run;
using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// In steps, since the shell handles signals only between them.
constexpr const char* kForEver = "while :; do sleep 0.02; done";

class BrowserTest : public ::testing::Test {
protected:
    BrowserTest() : server_(io_) {
        server_.on_command([this](const json& command) -> std::vector<json> {
            const std::string method = command.at("method");
            ++received_[method];
            if (const auto handler = handlers_.find(method); handler != handlers_.end())
                return handler->second(command);
            return {bidi::testing::ScriptedServer::success(command)};
        });
        handlers_["session.new"] = [this](const json& command) -> std::vector<json> {
            return {bidi::testing::ScriptedServer::success(command, {{"sessionId", "s"},
                                                                     {"capabilities",
                                                                      {{"acceptInsecureCerts", false},
                                                                       {"browserName", "firefox"},
                                                                       {"browserVersion", "153.0"},
                                                                       {"platformName", "linux"},
                                                                       {"setWindowRect", false},
                                                                       {"userAgent", "fake"},
                                                                       {"moz:processID", started_pid()}}}})};
        };
        handlers_["browsingContext.getTree"] = [](const json& command) -> std::vector<json> {
            return {bidi::testing::ScriptedServer::success(command, {{"contexts",
                                                                      {{{"context", "tab"},
                                                                        {"url", "about:blank"},
                                                                        {"userContext", "default"},
                                                                        {"clientWindow", "w"},
                                                                        {"originalOpener", nullptr},
                                                                        {"children", nullptr}}}}})};
        };
        handlers_["browser.close"] = [this](const json& command) -> std::vector<json> {
            ::kill(started_pid(), SIGUSR1);
            return {bidi::testing::ScriptedServer::success(command)};
        };
        options_.profiles_folder = folder_.path() / "profiles";
        options_.deadlines.close = options_.deadlines.terminate = milliseconds(300);
        options_.deadlines.listening = options_.deadlines.session = bidi::testing::kHangBound;
    }

    /// A browser that does what `before` says, prints where it listens, and does what `script` says; SIGUSR1 is how it
    /// is asked to close.
    void use_browser(const std::string& script = kForEver, const std::string& before = "") {
        std::string address = server_.url();
        address.resize(address.rfind("/session"));
        options_.binary = folder_.write_program(
            "firefox", "#!/bin/sh\ntrap 'exit 0' USR1\necho $$ > '" + pid_file().string() + "'\necho \"$@\" > '" +
                           (folder_.path() / "arguments").string() + "'\n" + before +
                           "\nprintf 'junk ' >&2; printf 'WebDriver BiDi listen' >&2\necho 'ing on " + address +
                           "' >&2\n" + script + "\n");
    }
    /// A program that is all script.
    void use_program(const std::string& script) {
        options_.binary =
            folder_.write_program("firefox", "#!/bin/sh\necho $$ > '" + pid_file().string() + "'\n" + script + "\n");
    }

    [[nodiscard]] fs::path pid_file() const { return folder_.path() / "pid"; }
    [[nodiscard]] pid_t started_pid() const { return std::stoi(host::read_text(pid_file()).value_or("0")); }
    [[nodiscard]] std::string arguments() const { return host::read_text(folder_.path() / "arguments").value_or(""); }

    std::unique_ptr<Browser> launch() { return run(io_, Browser::launch(options_)); }

    void expect_launch_error(ErrorCode code, const ::testing::Matcher<std::string>& message) {
        try {
            static_cast<void>(launch());
            ADD_FAILURE() << "it was launched";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code);
            EXPECT_THAT(std::string(error.what()), message);
        }
        expect_nothing_left();
    }

    void expect_nothing_left() const {
        const pid_t pid = started_pid();
        EXPECT_TRUE(pid == 0 || !host::read_process_stat(pid)) << "the process is left";
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(options_.profiles_folder, ignored))
            ADD_FAILURE() << entry.path() << " is left";
    }

    testing::TemporaryFolder folder_;
    boost::asio::io_context io_;
    bidi::testing::ScriptedServer server_;
    std::map<std::string, bidi::testing::ScriptedServer::CommandHandler> handlers_;
    std::map<std::string, int> received_;
    LaunchOptions options_;
};

TEST_F(BrowserTest, LaunchesAndStops) {  // cases.md 1, 15: the printed address, and /session
    use_browser();
    options_.arguments = {"-width", "800"};
    auto browser = launch();
    EXPECT_EQ(browser->first_context(), "tab");
    EXPECT_EQ(browser->session().capabilities.browser_version, "153.0");
    EXPECT_EQ(arguments(), "--headless --no-remote --remote-debugging-port=0 --profile " +
                               browser->profile_folder().string() + " -width 800\n");
    EXPECT_EQ(server_.commands().at(0).at("params").at("capabilities"),
              json::parse(R"({"alwaysMatch": {"unhandledPromptBehavior": {"default": "dismiss"}}})"));
    EXPECT_FALSE(browser->processes().empty());

    const auto report = run(io_, browser->stop());
    EXPECT_EQ(report.ended_by, "browser.close");
    EXPECT_EQ(report.exit->code, 0);
    EXPECT_THAT(report.processes_left, IsEmpty());
    EXPECT_TRUE(report.profile_left.empty());
    expect_nothing_left();
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "browser.close") << "again gives the first report";
}

TEST_F(BrowserTest, SetsItsEnvironmentUnderTheTargets) {
    use_browser(kForEver, "env > '" + (folder_.path() / "env").string() + "'");
    ::setenv("SNAP_NAME", "foxbench", 1);
    options_.environment = {{"MOZ_LOG", "a:5"}, {"MOZ_CRASHREPORTER_SHUTDOWN", "0"}};
    const auto browser = launch();
    ::unsetenv("SNAP_NAME");
    const std::string environment = host::read_text(folder_.path() / "env").value_or("");
    for (const char* entry : {"MOZ_CRASHREPORTER=1\n", "MOZ_CRASHREPORTER_NO_REPORT=1\n",
                              "MOZ_CRASHREPORTER_SHUTDOWN=0\n", "MOZ_LOG=a:5\n"}) {
        EXPECT_THAT(environment, HasSubstr(entry));
    }
    EXPECT_THAT(environment, ::testing::Not(HasSubstr("SNAP_NAME")));
}

TEST_F(BrowserTest, WithWindowsIsNotHeadless) {
    use_browser();
    options_.headed = true;
    const auto browser = launch();
    EXPECT_THAT(arguments(), ::testing::Not(HasSubstr("--headless")));
}

TEST_F(BrowserTest, DeletesAStaleServerFile) {
    use_browser(kForEver, "test -e \"$5/WebDriverBiDiServer.json\" && exit 9");
    folder_.write("template/WebDriverBiDiServer.json", "{}");
    options_.template_folder = folder_.path() / "template";
    EXPECT_EQ(launch()->first_context(), "tab");
}

TEST_F(BrowserTest, AsksAgainForTheFirstTab) {  // cases.md 1
    use_browser();
    const auto answer = handlers_["browsingContext.getTree"];
    int asked = 0;
    handlers_["browsingContext.getTree"] = [&](const json& command) -> std::vector<json> {
        if (++asked == 1) return {bidi::testing::ScriptedServer::error(command, "unknown error")};
        if (asked == 2) return {bidi::testing::ScriptedServer::success(command, {{"contexts", json::array()}})};
        return answer(command);
    };
    EXPECT_EQ(launch()->first_context(), "tab");
    EXPECT_EQ(asked, 3);
}

TEST_F(BrowserTest, StartsAnewOnceWhenAForeignSessionIsThere) {  // cases.md 14
    use_browser();
    const auto answer = handlers_["session.new"];
    handlers_["session.new"] = [&](const json& command) -> std::vector<json> {
        if (received_["session.new"] == 1) {
            return {bidi::testing::ScriptedServer::error(command, "session not created",
                                                         "Maximum number of active sessions")};
        }
        return answer(command);
    };
    EXPECT_EQ(launch()->timings().starts, 2);
}

TEST_F(BrowserTest, GivesUpAfterASecondForeignSessionWithItsText) {
    use_browser();
    handlers_["session.new"] = [](const json& command) -> std::vector<json> {
        return {
            bidi::testing::ScriptedServer::error(command, "session not created", "Maximum number of active sessions")};
    };
    expect_launch_error(ErrorCode::browser, HasSubstr("Maximum number of active sessions"));
    EXPECT_EQ(received_["session.new"], 2);
}

TEST_F(BrowserTest, IsTheProcessThatWasStarted) {
    use_browser();
    handlers_["session.new"] = [](const json& command) -> std::vector<json> {
        return {bidi::testing::ScriptedServer::success(command,
                                                       {{"sessionId", "s"}, {"capabilities", {{"moz:processID", 1}}}})};
    };
    expect_launch_error(ErrorCode::browser, HasSubstr("process 1 answers"));
}

TEST_F(BrowserTest, ThatEndsEarlyIsExplained) {  // cases.md 7, 8
    use_program("echo 'Firefox is already running, but is not responding.' >&2; exit 0");
    expect_launch_error(ErrorCode::environment,
                        AllOf(HasSubstr("ended before it listened (exit code 0)"),
                              HasSubstr("in use by another Firefox"), HasSubstr("Firefox is already running")));
    use_program("echo something new; exit 3");
    expect_launch_error(ErrorCode::browser, HasSubstr("(exit code 3); it wrote: something new"));
}

TEST_F(BrowserTest, ThatNeverListensIsEndedAtTheDeadline) {  // cases.md 9, 12
    use_program("trap '' TERM; while :; do sleep 0.02; done");
    options_.deadlines.listening = milliseconds(200);
    expect_launch_error(ErrorCode::browser, HasSubstr("did not listen within 0.200 s; it wrote nothing"));
}

TEST_F(BrowserTest, ThatGivesNoSessionIsEndedAtTheDeadline) {  // cases.md 5: begins with a signal
    use_browser();
    handlers_["session.new"] = [](const json&) -> std::vector<json> { return {}; };
    options_.deadlines.session = milliseconds(200);
    expect_launch_error(ErrorCode::browser, HasSubstr("gave no session"));
    EXPECT_EQ(received_["browser.close"], 0);
}

TEST_F(BrowserTest, ThatDiesBeforeItsSessionTellsHow) {
    use_browser();
    handlers_["session.new"] = [this](const json&) -> std::vector<json> {
        ::kill(started_pid(), SIGKILL);
        server_.reset();
        return {};
    };
    expect_launch_error(ErrorCode::browser, AllOf(HasSubstr("gave no session"), HasSubstr("signal 9 (SIGKILL)")));
}

TEST_F(BrowserTest, CannotBeGivenItsProfileOrPortByATarget) {
    use_browser();
    for (const char* argument : {"--profile", "-profile", "-P", "--remote-debugging-port=9222"}) {
        options_.arguments = {argument};
        expect_launch_error(ErrorCode::usage, HasSubstr(argument));
    }
}

TEST_F(BrowserTest, NeedsAFolderForItsProfile) {
    use_browser();
    options_.profiles_folder = folder_.write("file", "") / "profiles";
    expect_launch_error(ErrorCode::environment, HasSubstr("file/profiles"));
}

TEST_F(BrowserTest, LaunchThatIsCancelledLeavesNothing) {
    use_browser(kForEver, "trap '' TERM");
    boost::asio::cancellation_signal cancel;
    handlers_["session.new"] = [&](const json&) -> std::vector<json> {
        boost::asio::post(io_, [&] { cancel.emit(boost::asio::cancellation_type::terminal); });
        return {};
    };
    std::exception_ptr failure;
    boost::asio::co_spawn(
        io_, Browser::launch(options_),
        boost::asio::bind_cancellation_slot(
            cancel.slot(), [&](std::exception_ptr error, std::unique_ptr<Browser>) { failure = error; }));
    const auto give_up = std::chrono::steady_clock::now() + bidi::testing::kHangBound;
    while (!failure && io_.run_one_until(give_up) != 0) {
    }
    EXPECT_TRUE(failure);
    expect_nothing_left();
}

TEST_F(BrowserTest, ThatRefusesToCloseIsEndedBySignal) {  // cases.md 4
    use_browser();
    handlers_["browser.close"] = [](const json& command) -> std::vector<json> {
        return {bidi::testing::ScriptedServer::error(command, "unable to close browser")};
    };
    options_.deadlines.close = bidi::testing::kHangBound;
    const auto browser = launch();
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "SIGTERM");
    expect_nothing_left();
}

TEST_F(BrowserTest, ThatAnswersToCloseButStaysIsKilled) {  // cases.md 4
    use_browser(kForEver, "trap '' TERM USR1");
    const auto browser = launch();
    const auto report = run(io_, browser->stop());
    EXPECT_EQ(report.ended_by, "SIGKILL");
    EXPECT_EQ(report.exit->signal, SIGKILL);
    expect_nothing_left();
}

TEST_F(BrowserTest, ThatIsStoppedBySigstopIsEndedAllTheSame) {
    use_browser();
    const auto browser = launch();
    ::kill(browser->process().pid(), SIGSTOP);
    handlers_.erase("browser.close");
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "SIGTERM");
    expect_nothing_left();
}

TEST_F(BrowserTest, ThatCrashesFailsPendingCallsWithItsExitStatusAndLog) {  // cases.md 17, 18
    use_browser(kForEver, "trap 'echo the reason >&2; exit 245' USR2");
    const auto browser = launch();
    handlers_["browser.getUserContexts"] = [&](const json&) -> std::vector<json> {
        ::kill(started_pid(), SIGUSR2);
        server_.reset();
        return {};
    };
    try {
        run(io_, browser->connection().call("browser.getUserContexts"));
        FAIL();
    } catch (const bidi::CrashedError& error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("exit code 245"), HasSubstr("the reason")));
    }
    EXPECT_EQ(run(io_, browser->stop()).ended_by, "itself");
    expect_nothing_left();
}

TEST_F(BrowserTest, WithoutAStopIsKilledWithItsObject) {
    use_browser(kForEver, "trap '' TERM");
    launch().reset();
    expect_nothing_left();
}

TEST_F(BrowserTest, TemplateIsMadeOnceAndUsed) {
    use_browser(kForEver, "test -e \"$5/cache\" && touch \"$5/warm\"; touch \"$5/cache\"");
    document::Browser build;
    build.version = "153.0";
    std::vector<std::string> progress;
    const auto tell = [&](const std::string& text) { progress.push_back(text); };
    const fs::path folder = run(io_, ensure_template(options_, build, tell));
    // This browser knows nothing of Firefox's own windows, as ESR 140.
    EXPECT_THAT(progress, ElementsAre("preparing a profile template for Firefox 153.0 (once per build)",
                                      HasSubstr("its own extensions stay enabled")));
    EXPECT_TRUE(fs::exists(folder / "warm")) << "the second launch had the profile of the first";

    EXPECT_EQ(run(io_, ensure_template(options_, build, tell)), folder);
    EXPECT_EQ(progress.size(), 2u);
    EXPECT_EQ(received_["session.new"], 2);

    options_.template_folder = folder;
    const auto browser = launch();
    EXPECT_TRUE(fs::exists(browser->profile_folder() / "warm"));
}

TEST_F(BrowserTest, TemplateIsNotMadeOfAProfileThatWasNotClosed) {
    use_browser(kForEver, "trap '' USR1");
    try {
        run(io_, ensure_template(options_, {}, {}));
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("did not close when it was asked to"));
    }
    expect_nothing_left();
}

}  // namespace
}  // namespace foxbench::browser
