#include "tests/support/daemon.hpp"

#include <thread>

#include <gtest/gtest.h>

namespace foxbench::testing_support {
namespace {

constexpr std::chrono::seconds kBound{180};
constexpr std::chrono::milliseconds kPause{50};

}  // namespace

Daemon::Daemon(const std::string& config_file)
    : program_(std::make_unique<Program>(foxbench_command({"serve", "--config", config_file}))) {
    program_->wait_for("daemon.listening");
    const std::string log = program_->err_so_far();
    const auto begin = log.find("url=http://");
    if (begin != std::string::npos) url_ = log.substr(begin + 4, log.find_first_of(" \n", begin) - begin - 4);
}

client::DaemonClient Daemon::client() const {
    client::ClientOptions options;
    options.url = url_;
    return client::DaemonClient(options);
}

void Daemon::wait_for_state(const std::string& run, const std::string& state) const {
    const auto daemon = client();
    const auto deadline = std::chrono::steady_clock::now() + kBound;
    std::string now;
    while (std::chrono::steady_clock::now() < deadline) {
        const auto answer = daemon.get("/v1/runs/" + run).json();
        now = answer.at("state").get<std::string>();
        if (now == state) return;
        if (now != "queued" && now != "running") {
            FAIL() << run << " is " << now << " (" << answer.at("reason") << "), not " << state << "\n"
                   << program_->err_so_far();
        }
        std::this_thread::sleep_for(kPause);
    }
    FAIL() << run << " is still " << now << ", not " << state << "\n" << program_->err_so_far();
}

std::string Daemon::start_run(const client::Json& request) const {
    return client().post("/v1/runs", request).json().at("id").get<std::string>();
}

}  // namespace foxbench::testing_support
