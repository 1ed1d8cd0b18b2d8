#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

/// Runs programs as a user would, for tests.
namespace foxbench::testing_support {

struct Result {
    int exit_code = -1;  ///< of a signal: 128 + its number
    std::string out, err;
};

/// A program that is running. Killed, if need be, when destroyed.
class Program {
public:
    /// Starts it with its output going to files in a temporary folder.
    explicit Program(const std::vector<std::string>& arguments);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    void signal(int number) const;
    /// What it has written to stderr so far.
    [[nodiscard]] std::string err_so_far() const;
    /// Waits until stderr has `text`; fails the test when the program ends or `bound` passes first.
    void wait_for(const std::string& text, std::chrono::seconds bound = std::chrono::seconds(120)) const;
    /// Waits for its end; it is killed, and the test fails, when `bound` passes first.
    Result finish(std::chrono::seconds bound = std::chrono::seconds(300));

private:
    [[nodiscard]] bool reap(bool block);

    std::filesystem::path folder_;
    pid_t pid_ = -1;
    int status_ = 0;
    bool ended_ = false;
};

/// Runs build/foxbench to its end.
Result foxbench(std::vector<std::string> arguments);
/// The arguments with the program before them.
std::vector<std::string> foxbench_command(std::vector<std::string> arguments);

/// A folder on the disk, not on a tmpfs, that is gone with this.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
    /// Writes a file and gives its path.
    std::string write(const std::string& name, const std::string& text) const;

private:
    std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);

/// The processes that have this text in their command line.
std::vector<pid_t> processes_with(const std::string& text);
/// Waits until there are none; fails the test after a bound that only a leak reaches.
void expect_no_process_with(const std::string& text);

}  // namespace foxbench::testing_support
