#include "benchmarks/program.hpp"

#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace foxbench::benchmarks {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (auto& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

}  // namespace

Environment environment_with(const Environment& more) {
    Environment environment = more;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text(*entry);
        const auto equals = text.find('=');
        if (equals != std::string_view::npos) environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
    return environment;
}

pid_t start_program(const std::filesystem::path& program, std::vector<std::string> arguments, const Environment& more,
                    int input, int output) {
    arguments.insert(arguments.begin(), program);
    std::vector<std::string> variables;
    for (const auto& [name, value] : environment_with(more)) variables.push_back(name + '=' + value);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    pid_t pid = 0;
    const int error =
        ::posix_spawn(&pid, program.c_str(), &files, nullptr, pointers(arguments).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::system_error(error, std::generic_category(), program);
    return pid;
}

int wait_for_program(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int run_program(const std::filesystem::path& program, std::vector<std::string> arguments) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) throw std::system_error(errno, std::generic_category(), "/dev/null");
    try {
        const pid_t pid = start_program(program, std::move(arguments), {}, null, null);
        ::close(null);
        return wait_for_program(pid);
    } catch (...) {
        ::close(null);
        throw;
    }
}

}  // namespace foxbench::benchmarks
