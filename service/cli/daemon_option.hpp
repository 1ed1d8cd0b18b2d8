#pragma once

#include <optional>
#include <string>

#include "service/cli/settings.hpp"
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
    /// (environment) where a named one does not answer. Without a token in the environment, the configuration's daemon
    /// is shown one of its own token file, where that can be read.
    [[nodiscard]] std::optional<client::DaemonClient> find(const config::Config& config) const;
    /// The same for a command that can also do it without one, on the store: none where --results names that, which
    /// says more than $FOXBENCH_URL and the configuration do. Throws Error (usage) where both are named.
    [[nodiscard]] std::optional<client::DaemonClient> find_unless(const StoreOptions& store,
                                                                  const config::Config& config) const;
    /// The same as find(), but there has to be one: Error (environment) saying how to start it.
    [[nodiscard]] client::DaemonClient need(const config::Config& config) const;

private:
    [[nodiscard]] bool is_named() const;
};

}  // namespace foxbench::cli
