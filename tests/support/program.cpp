#include "tests/support/program.hpp"

#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace foxbench::testing_support {
namespace {

constexpr std::chrono::milliseconds kPoll{10};

/// What a browser's last process may take to go (the crash helper lingers two seconds), far exceeded.
constexpr std::chrono::seconds kGone{30};

}  // namespace

Program::Program(const std::vector<std::string>& arguments) {
    std::string folder = (std::filesystem::temp_directory_path() / "foxbench-program-XXXXXX").string();
    if (!mkdtemp(folder.data())) throw std::runtime_error("no temporary folder");
    folder_ = folder;
    std::vector<char*> argv;
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder_ / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder_ / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    const int error = posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("cannot start " + arguments.front());
}

Program::~Program() {
    if (!ended_) {
        kill(pid_, SIGKILL);
        (void)reap(true);
    }
    std::filesystem::remove_all(folder_);
}

void Program::signal(int number) const {
    kill(pid_, number);
}

bool Program::reap(bool block) {
    if (!ended_ && waitpid(pid_, &status_, block ? 0 : WNOHANG) == pid_) ended_ = true;
    return ended_;
}

std::string Program::err_so_far() const {
    return read_file(folder_ / "err");
}

void Program::wait_for(const std::string& text, std::chrono::seconds bound) const {
    const auto give_up_at = std::chrono::steady_clock::now() + bound;
    while (err_so_far().find(text) == std::string::npos) {
        siginfo_t info{};
        waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
        if (info.si_pid != 0 || std::chrono::steady_clock::now() > give_up_at) {
            ADD_FAILURE() << "'" << text << "' never came:\n" << err_so_far();
            return;
        }
        std::this_thread::sleep_for(kPoll);
    }
}

Result Program::finish(std::chrono::seconds bound) {
    const auto give_up_at = std::chrono::steady_clock::now() + bound;
    while (!reap(false)) {
        if (std::chrono::steady_clock::now() > give_up_at) {
            ADD_FAILURE() << "the program hangs:\n" << err_so_far();
            kill(pid_, SIGKILL);
            (void)reap(true);
            break;
        }
        std::this_thread::sleep_for(kPoll);
    }
    return {WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_), read_file(folder_ / "out"),
            read_file(folder_ / "err")};
}

std::vector<std::string> foxbench_command(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), FOXBENCH_BINARY);
    return arguments;
}

Result foxbench(std::vector<std::string> arguments) {
    return Program(foxbench_command(std::move(arguments))).finish();
}

TemporaryFolder::TemporaryFolder() {
    std::string path = "/var/tmp/foxbench-test-XXXXXX";
    if (!mkdtemp(path.data())) throw std::runtime_error("no temporary folder");
    path_ = path;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return file(name);
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return std::move(text).str();
}

std::vector<pid_t> processes_with(const std::string& text) {
    std::vector<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        const std::string name = entry.path().filename();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        if (read_file(entry.path() / "cmdline").find(text) != std::string::npos) found.push_back(std::stoi(name));
    }
    return found;
}

void expect_no_process_with(const std::string& text) {
    const auto give_up_at = std::chrono::steady_clock::now() + kGone;
    while (!processes_with(text).empty()) {
        if (std::chrono::steady_clock::now() > give_up_at) {
            ADD_FAILURE() << "a process with '" << text << "' is still there: " << processes_with(text).front();
            return;
        }
        std::this_thread::sleep_for(kPoll);
    }
}

}  // namespace foxbench::testing_support
