#pragma once

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace foxbench::benchmarks {

/// A daemon over `folder`/results, on a port of its own, until it is destroyed.
class RunningDaemon {
public:
    explicit RunningDaemon(const std::filesystem::path& folder);
    ~RunningDaemon();
    RunningDaemon(const RunningDaemon&) = delete;
    RunningDaemon& operator=(const RunningDaemon&) = delete;

    [[nodiscard]] pid_t pid() const noexcept { return pid_; }
    [[nodiscard]] const std::string& url() const noexcept { return url_; }

private:
    pid_t pid_ = -1;
    std::string url_;
};

}  // namespace foxbench::benchmarks
