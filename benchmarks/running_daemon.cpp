#include "benchmarks/running_daemon.hpp"

#include <csignal>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

#include "benchmarks/program.hpp"

namespace foxbench::benchmarks {

RunningDaemon::RunningDaemon(const std::filesystem::path& folder) {
    std::ofstream(folder / "foxbench.yaml") << "server: {listen: 127.0.0.1:0}\nresults: results\n"
                                               "schedules: {nightly: {cron: '@nightly'}}\n";
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_ = start_program(FOXBENCH_PROGRAM,
                         {"serve", "--log-level", "warn", "--config", (folder / "foxbench.yaml").string()}, {}, nothing,
                         pipe[1]);
    ::close(pipe[1]);
    ::close(nothing);
    std::string line;
    for (char c; ::read(pipe[0], &c, 1) == 1 && c != '\n';) line += c;
    ::close(pipe[0]);
    if (const auto at = line.find("http://"); at != std::string::npos) url_ = line.substr(at);
    if (url_.empty()) throw std::runtime_error("the daemon did not start");
}

RunningDaemon::~RunningDaemon() {
    ::kill(pid_, SIGTERM);
    wait_for_program(pid_);
}

}  // namespace foxbench::benchmarks
