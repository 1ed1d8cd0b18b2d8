#include "service/browser/process.hpp"

#include <boost/asio/io_context.hpp>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>

#include "bidi/testing/run_task.hpp"
#include "service/browser/testing_support.hpp"
#include "service/error.hpp"
#include "service/host/procfs.hpp"
#include "service/text/cpu_list.hpp"

namespace foxbench::browser {
namespace {

using bidi::testing::kHangBound;
using bidi::testing::run;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Clock = std::chrono::steady_clock;

class ProcessTest : public ::testing::Test {
protected:
    [[nodiscard]] ProcessOptions shell(const std::string& script) {
        ProcessOptions options;
        options.executable = "/bin/sh";
        options.arguments = {"-c", script};
        options.environment = {{"PATH", "/usr/bin:/bin"}};
        options.on_error_line = [this](std::string_view line) { lines_.emplace_back(line); };
        return options;
    }
    [[nodiscard]] std::unique_ptr<Process> spawn(const std::string& script) {
        return Process::spawn(io_.get_executor(), shell(script));
    }

    std::optional<ExitStatus> wait(Process& process) { return run(io_, process.wait_until(Clock::now() + kHangBound)); }
    void drain(Process& process) { run(io_, process.drain(kHangBound)); }

    /// Runs the loop until the child has written so many lines to stderr.
    void wait_for_lines(std::size_t count) {
        const auto give_up = Clock::now() + kHangBound;
        io_.restart();
        while (lines_.size() < count && io_.run_one_until(give_up) != 0) {
        }
        ASSERT_GE(lines_.size(), count);
    }

    static bool exists(pid_t pid) {
        const auto stat = host::read_process_stat(pid);
        return stat && stat->state != 'Z';
    }

    boost::asio::io_context io_;
    std::vector<std::string> lines_;
};

TEST_F(ProcessTest, TellsItsExitCode) {
    const auto process = spawn("exit 7");
    const auto status = wait(*process);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 7);
    EXPECT_EQ(status->describe(), "exit code 7");
    EXPECT_TRUE(process->exit_status());
}

TEST_F(ProcessTest, TellsTheSignalThatEndedIt) {
    const auto process = spawn("kill -SEGV $$");
    const auto status = wait(*process);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->signal, SIGSEGV);
    EXPECT_EQ(status->describe(), "signal 11 (SIGSEGV)");
}

TEST_F(ProcessTest, IsReapedExactlyOnce) {  // cases.md 3
    const auto process = spawn("exit 0");
    ASSERT_TRUE(wait(*process));
    EXPECT_FALSE(host::read_process_stat(process->pid())) << "nothing is left of it, not even a zombie";
}

TEST_F(ProcessTest, ThatCannotBeExecutedSaysWhy) {
    auto options = shell("");
    options.executable = "/nonexistent/firefox";
    try {
        static_cast<void>(Process::spawn(io_.get_executor(), std::move(options)));
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::environment);
        EXPECT_STREQ(error.what(), "cannot execute /nonexistent/firefox (exec): No such file or directory");
    }
    options = shell("");
    options.executable = "/etc";
    EXPECT_THROW(static_cast<void>(Process::spawn(io_.get_executor(), std::move(options))), Error);
}

TEST_F(ProcessTest, WaitEndsAtItsDeadline) {
    const auto process = spawn("exec sleep 1000");
    EXPECT_FALSE(run(io_, process->wait_until(Clock::now())));
    EXPECT_FALSE(process->exit_status());
}

TEST_F(ProcessTest, KeepsBothStreamsApart) {
    const auto process = spawn("echo out; echo err >&2");
    ASSERT_TRUE(wait(*process));
    drain(*process);
    EXPECT_EQ(process->output_tail(), "out\n");
    EXPECT_EQ(process->error_tail(), "err\n");
}

TEST_F(ProcessTest, HandsLinesOnAsTheyAreCompleted) {
    const auto process = spawn("printf 'one\\ntw' >&2; sleep 0.05; printf 'o\\n\\nunfinished' >&2");
    ASSERT_TRUE(wait(*process));
    drain(*process);
    EXPECT_THAT(lines_, ElementsAre("one", "two", ""));
}

TEST_F(ProcessTest, NeverBlocksOnItsOutputAndKeepsTheTail) {
    const auto process =
        spawn("head -c 10000000 /dev/zero | tr '\\0' x; echo; echo last; head -c 10000000 /dev/zero | tr '\\0' y >&2");
    const auto status = wait(*process);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 0);
    drain(*process);
    EXPECT_EQ(process->output_tail(), "last\n");
    EXPECT_EQ(process->error_tail(), std::string(Tail::kDefaultLimitBytes, 'y'));
}

TEST_F(ProcessTest, EndIsSeenAlthoughAGrandchildHoldsTheStreams) {
    const auto process = spawn("setsid sleep 1000 & echo $! >&2; exit 3");
    const auto status = wait(*process);
    ASSERT_TRUE(status);
    EXPECT_EQ(status->code, 3);
    wait_for_lines(1);
    run(io_, process->drain(std::chrono::milliseconds(1)));
    ::kill(std::stoi(lines_.at(0)), SIGKILL);
}

TEST_F(ProcessTest, EndTakesTheRestOfTheGroupWithIt) {
    const auto process = spawn("sleep 1000 & echo $! >&2; exit 0");
    ASSERT_TRUE(wait(*process));
    drain(*process);
    testing::expect_end_of(std::stoi(lines_.at(0)));
}

TEST_F(ProcessTest, SignalsReachTheWholeGroup) {
    const auto process = spawn(
        "trap 'echo parent >&2; wait; exit 0' TERM; (trap 'echo child >&2; exit 0' TERM; echo ready >&2; "
        "while :; do sleep 0.01; done) & while :; do sleep 0.01; done");
    wait_for_lines(1);
    process->signal_group(SIGTERM);
    ASSERT_TRUE(wait(*process));
    drain(*process);
    EXPECT_THAT(lines_, ::testing::IsSupersetOf({"ready", "parent", "child"}))
        << "the shell itself may say something besides";
}

TEST_F(ProcessTest, ThatIgnoresSigtermIsKilled) {
    const auto process = spawn("trap '' TERM; echo ready >&2; while :; do sleep 0.01; done");
    wait_for_lines(1);
    process->signal_group(SIGTERM);
    EXPECT_FALSE(process->exit_status());
    process->signal_group(SIGKILL);
    EXPECT_EQ(wait(*process).value().signal, SIGKILL);
    process->signal_group(SIGKILL);  // its number may be another's by now
}

TEST_F(ProcessTest, GoesWithItsObject) {
    pid_t pid = 0;
    {
        const auto process = spawn("trap '' TERM; sleep 1000 & echo $! >&2; while :; do sleep 0.01; done");
        wait_for_lines(1);
        pid = process->pid();
        EXPECT_TRUE(exists(pid));
    }
    EXPECT_FALSE(host::read_process_stat(pid));
    testing::expect_end_of(std::stoi(lines_.at(0)));
    io_.restart();
    io_.run_for(kHangBound);
    EXPECT_TRUE(io_.stopped()) << "nothing keeps the loop busy";
}

TEST_F(ProcessTest, IsInAGroupOfItsOwn) {
    const auto process = spawn("exec sleep 1000");
    const auto stat = host::read_process_stat(process->pid());
    ASSERT_TRUE(stat);
    EXPECT_EQ(stat->group, process->pid());
    EXPECT_EQ(stat->parent, ::getpid());
}

TEST_F(ProcessTest, HasNoDescriptorsButTheStandardStreams) {
    const int leaked = ::dup(0);  // without close-on-exec
    const auto process = spawn("readlink /proc/$$/fd/0; exec ls /proc/self/fd");
    ASSERT_TRUE(wait(*process));
    drain(*process);
    ::close(leaked);
    EXPECT_EQ(process->output_tail(), "/dev/null\n0\n1\n2\n3\n") << "the last one is the folder that ls reads";
}

TEST_F(ProcessTest, DoesNotInheritSignalsThatAreIgnoredOrBlocked) {
    struct sigaction ignore {
    }, before{};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, &before);
    const auto process = spawn("grep -E 'Sig(Blk|Ign)' /proc/self/status");
    ::sigaction(SIGPIPE, &before, nullptr);
    ASSERT_TRUE(wait(*process));
    drain(*process);
    EXPECT_THAT(process->output_tail(), HasSubstr("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000"));
}

TEST_F(ProcessTest, HasOnlyTheEnvironmentItWasGiven) {
    ProcessOptions options;
    options.executable = "/usr/bin/env";
    options.environment = {{"A", "1"}, {"B", ""}};
    const auto process = Process::spawn(io_.get_executor(), std::move(options));
    ASSERT_TRUE(wait(*process));
    drain(*process);
    EXPECT_EQ(process->output_tail(), "A=1\nB=\n");
}

std::string allowed_processors_of(pid_t pid) {
    const auto status = host::read_text("/proc/" + std::to_string(pid) + "/status").value_or("");
    constexpr std::string_view kMember = "Cpus_allowed_list:";
    const auto start = status.find(kMember);
    if (start == std::string::npos) return {};
    return std::string(host::trimmed(
        std::string_view(status).substr(start + kMember.size(), status.find('\n', start) - start - kMember.size())));
}

TEST_F(ProcessTest, IsPinnedWithAllItsChildren) {
    const int last = text::parse_cpu_list(allowed_processors_of(::getpid())).back();
    auto options = shell("sleep 1000 & echo $! >&2; wait");
    options.processors = {last};
    const auto process = Process::spawn(io_.get_executor(), std::move(options));
    wait_for_lines(1);
    EXPECT_EQ(allowed_processors_of(process->pid()), std::to_string(last));
    EXPECT_EQ(allowed_processors_of(std::stoi(lines_.at(0))), std::to_string(last));
}

TEST_F(ProcessTest, WithoutAListRunsWhereItsParentMay) {
    const auto process = spawn("exec sleep 1000");
    EXPECT_EQ(allowed_processors_of(process->pid()), allowed_processors_of(::getpid()));
}

TEST_F(ProcessTest, ThatMayNotHaveAProcessorIsNotStarted) {
    // One that is there and one that is not: the kernel alone would take the first and say nothing.
    auto options = shell("exit 0");
    options.processors = {text::parse_cpu_list(allowed_processors_of(::getpid())).front(), text::kMaxProcessor};
    try {
        static_cast<void>(Process::spawn(io_.get_executor(), std::move(options)));
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "cannot execute /bin/sh (sched_setaffinity): Invalid argument");
    }
}

TEST(TailTest, KeepsWholeLinesOfTheEnd) {
    Tail tail(10);
    tail.append("first\n");
    EXPECT_EQ(tail.text(), "first\n");
    tail.append("second\nthird\n");
    EXPECT_EQ(tail.text(), "third\n") << "not a part of the second line";
    EXPECT_EQ(tail.total_bytes(), 19u);
}

TEST(TailTest, OfOneEndlessLineIsItsEnd) {
    Tail tail(4);
    for (int i = 0; i < 100; ++i) tail.append("abc");
    EXPECT_EQ(tail.text(), "cabc");
}

}  // namespace
}  // namespace foxbench::browser
