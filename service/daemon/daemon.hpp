#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "service/config/config.hpp"

/// The long-running service: puts the parts together and runs them.
namespace foxbench::daemon {

struct DaemonOptions {
    config::Config config;
    /// Reads the configuration again, for a reload.
    std::function<config::Config()> load;
    /// Told once it listens: the address for programs on this machine.
    std::function<void(const std::string& url)> on_listening;
};

/// One daemon over one results folder.
class Daemon {
public:
    explicit Daemon(DaemonOptions options);
    ~Daemon();

    /// Runs until SIGTERM or SIGINT. The first one ends it in order: no new work, the pass that is being measured is
    /// finished or abandoned after `shutdown_grace`, everything that was finished is in the store; gives 0. A second
    /// one ends the process at once. SIGHUP reads the configuration again. Throws foxbench::Error where it cannot
    /// start: `environment` for the store and the port, `usage` for the configuration.
    int run();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace foxbench::daemon
