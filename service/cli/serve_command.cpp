#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/config/changes.hpp"
#include "service/daemon/daemon.hpp"
#include "service/log/log.hpp"

namespace foxbench::cli {
namespace {

struct Options {
    StoreOptions store;
    std::string log_format = "human", log_level = "info";
};

int serve(const Options& options) {
    log::Options logging;
    logging.format = log::format_from(options.log_format);
    logging.level = log::level_from(options.log_level);
    log::set_up(logging);

    daemon::DaemonOptions daemon;
    daemon.config = options.store.load();
    config::check_references(daemon.config);
    daemon.load = [store = options.store] { return store.load(); };
    daemon.on_listening = [](const std::string& url) { std::cout << "listening at " << url << std::endl; };
    return daemon::Daemon(std::move(daemon)).run();
}

}  // namespace

void add_serve(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("serve", "Run the daemon: schedules, the queue, the HTTP API and the dashboard",
                                 "  foxbench serve\n"
                                 "  foxbench serve --config lab.yaml --log-format json\n"
                                 "  kill -HUP PID      reads the configuration again, all or nothing\n"
                                 "  kill PID           ends it in order; what was finished is kept",
                                 [options] { return serve(*options); });
    command.add_option("--log-format", options->log_format, "human, or json: one line an event")->capture_default_str();
    command.add_option("--log-level", options->log_level, "debug, info, warn or error")->capture_default_str();
    options->store.add_to(command);
}

}  // namespace foxbench::cli
