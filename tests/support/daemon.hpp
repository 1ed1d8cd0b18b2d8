#pragma once

#include <memory>
#include <string>

#include "service/client/daemon_client.hpp"
#include "tests/support/program.hpp"

namespace foxbench::testing_support {

/// A daemon of the test's own, on a port of its own. Killed, if need be, when destroyed.
class Daemon {
public:
    /// Starts `foxbench serve --config FILE` and waits until it listens.
    explicit Daemon(const std::string& config_file);

    [[nodiscard]] Program& program() noexcept { return *program_; }
    [[nodiscard]] const std::string& url() const noexcept { return url_; }
    [[nodiscard]] client::DaemonClient client() const;

    /// Polls the run until it is in this state; fails the test when it gets another final one, or after a bound that
    /// only a hang reaches.
    void wait_for_state(const std::string& run, const std::string& state) const;
    /// Queues a run; its id.
    [[nodiscard]] std::string start_run(const client::Json& request) const;

private:
    std::unique_ptr<Program> program_;
    std::string url_;
};

}  // namespace foxbench::testing_support
