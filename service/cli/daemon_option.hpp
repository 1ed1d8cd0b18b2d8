#pragma once

#include <optional>
#include <string>

#include "service/client/daemon_client.hpp"
#include "service/config/config.hpp"

namespace CLI {
class App;
}

namespace foxbench::cli {

/// --url: which daemon to talk to.
struct DaemonOption {
    std::string url;

    void add_to(CLI::App& command);
    /// The daemon that is named by --url or $FOXBENCH_URL, else the configuration's if it listens. Throws Error
    /// (environment) where a named one does not answer.
    [[nodiscard]] std::optional<client::DaemonClient> find(const config::Config& config) const;
    /// The same, but there has to be one: Error (environment) saying how to start it.
    [[nodiscard]] client::DaemonClient need(const config::Config& config) const;
    /// Whether somebody named a daemon, in place of the store on this machine.
    [[nodiscard]] bool is_named() const;
};

}  // namespace foxbench::cli
