// What a daemon costs that has nothing to do: resident memory, how often something wakes it, both also with 32 event
// streams; and how many requests a second it answers for a report that it has rendered before (by wrk, where that is
// installed, else with its own client, one connection).

#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <boost/asio.hpp>
#include <unistd.h>

#include "benchmarks/arguments.hpp"
#include "benchmarks/program.hpp"
#include "benchmarks/running_daemon.hpp"
#include "service/client/daemon_client.hpp"

namespace foxbench::benchmarks {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr int kStreams = 32;
/// Long enough for timers of half a minute to be seen.
constexpr auto kIdle = 65s;
constexpr auto kOwnClient = 5s;

/// A member of /proc/PID/status in its own unit; the sum over threads where it is counted for each.
long status_of(pid_t pid, const std::string& member) {
    long sum = 0;
    for (const auto& task : fs::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
        std::ifstream status(task.path() / "status");
        for (std::string line; std::getline(status, line);) {
            if (line.rfind(member + ":", 0) == 0) sum += std::stol(line.substr(member.size() + 1));
        }
    }
    return sum;
}

long resident_kib(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);) {
        if (line.rfind("VmRSS:", 0) == 0) return std::stol(line.substr(6));
    }
    throw std::runtime_error("the daemon is gone");
}

std::string read_whole(const fs::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return std::move(text).str();
}

void report_idle(const RunningDaemon& daemon, const std::string& what, long limit_mib) {
    const long before = status_of(daemon.pid(), "voluntary_ctxt_switches");
    std::this_thread::sleep_for(kIdle);
    const long wakes = status_of(daemon.pid(), "voluntary_ctxt_switches") - before;
    const double mib = static_cast<double>(resident_kib(daemon.pid())) / 1024;
    std::cout << "  " << what << ": " << mib << " MiB resident (limit " << limit_mib << "), woken "
              << static_cast<double>(wakes) / static_cast<double>(kIdle.count()) << " times a second\n"
              << std::flush;
    if (mib > static_cast<double>(limit_mib)) throw std::runtime_error(what + ": more memory than the limit");
}

void report_requests(const RunningDaemon& daemon, const std::string& run) {
    const std::string target = "/v1/runs/" + run + "/report";
    if (::access("/usr/bin/wrk", X_OK) == 0) {
        std::cout << "wrk, 16 connections, 5 s, a rendered report:\n" << std::flush;
        run_program("/bin/sh", {"-c", "/usr/bin/wrk -t1 -c16 -d5s " + daemon.url() + target + " >&2"});
        return;
    }
    client::ClientOptions options;
    options.url = daemon.url();
    const client::DaemonClient client(options);
    const auto begin = std::chrono::steady_clock::now();
    int count = 0;
    for (; std::chrono::steady_clock::now() - begin < kOwnClient; ++count) (void)client.get(target, "*/*");
    std::cout << "without wrk (apt install wrk), one connection a request: "
              << static_cast<double>(count) / std::chrono::duration<double>(kOwnClient).count()
              << " requests a second\n";
}

bidi::Task<> benchmark(Arguments arguments) {
    std::cout.setf(std::ios::fixed);
    std::cout.precision(1);
    const RunningDaemon daemon(arguments.scratch);
    std::cout << "A daemon with nothing to do\n" << std::flush;
    report_idle(daemon, "alone", 20);

    // Raw sockets: clients of ours would cost this process threads, not the daemon memory.
    asio::io_context io;
    std::vector<asio::ip::tcp::socket> streams;
    const auto port = static_cast<std::uint16_t>(std::stoi(daemon.url().substr(daemon.url().rfind(':') + 1)));
    for (int i = 0; i < kStreams; ++i) {
        auto& socket = streams.emplace_back(io);
        socket.connect({asio::ip::address_v4::loopback(), port});
        const std::string request = "GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
                                    "\r\nAccept: text/event-stream\r\n\r\n";
        asio::write(socket, asio::buffer(request));
        char begin[15];
        asio::read(socket, asio::buffer(begin));
        if (std::string_view(begin, 15) != "HTTP/1.1 200 OK") throw std::runtime_error("an event stream was refused");
    }
    report_idle(daemon, "with 32 event streams", 40);
    streams.clear();

    client::ClientOptions options;
    options.url = daemon.url();
    const auto imported =
        client::DaemonClient(options).post_text("/v1/imports", "application/json", read_whole(FOXBENCH_SEED_DOCUMENT));
    report_requests(daemon, imported.json().at("id").get<std::string>());
    co_return;
}

}  // namespace
}  // namespace foxbench::benchmarks

int main(int argc, char** argv) {
    return foxbench::benchmarks::run_benchmark(argc, argv, "What a daemon costs that has nothing to do",
                                               foxbench::benchmarks::benchmark);
}
