#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/daemon.hpp"

namespace foxbench::testing_support {

/// A daemon over a new results folder, on a port of its own. Its only target is a browser that is not there, so that
/// each of its runs fails at once.
class DaemonTest : public testing::Test {
protected:
    DaemonTest() : config_(write_config()), daemon_(std::make_unique<Daemon>(config_)) {}

    std::string write_config(const std::string& more = {}) const {
        return folder_.write("foxbench.yaml",
                             "server: {listen: 127.0.0.1:0}\n"
                             "results: results\n"
                             "workloads: " FOXBENCH_SOURCE_DIR
                             "/workloads\n"
                             "targets: {gone: {binary: /no/such/firefox}}\n"
                             "lock: lock\n" +
                                 more);
    }

    /// What curl prints, with -sS and the daemon's URL before the path, which is the last argument.
    std::string curl(std::vector<std::string> arguments) const {
        arguments.back() = daemon_->url() + arguments.back();
        std::vector<std::string> command{"/usr/bin/curl", "-sS", "--max-time", "60"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const auto result = Program(command).finish();
        return result.out + result.err;
    }
    /// The status of what curl asks for.
    std::string status(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"-o", "/dev/null", "-w", "%{http_code}"});
        return curl(std::move(arguments));
    }
    [[nodiscard]] std::string import_seed() const {
        const auto result = curl({"-H", "Content-Type: application/json", "--data-binary",
                                  "@" FOXBENCH_SOURCE_DIR "/tests/fixtures/seed/run.json", "/v1/imports"});
        return client::Json::parse(result).at("id").get<std::string>();
    }

    TemporaryFolder folder_;
    std::string config_;
    std::unique_ptr<Daemon> daemon_;
};

}  // namespace foxbench::testing_support
