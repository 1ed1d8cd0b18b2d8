#include "service/cli/daemon_option.hpp"

#include <cstdlib>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "service/error.hpp"

namespace foxbench::cli {
namespace {

std::string environment_url() {
    const char* url = std::getenv("FOXBENCH_URL");
    return url == nullptr ? std::string() : url;
}

bool is_readable(const std::filesystem::path& file) {
    return !file.empty() && access(file.c_str(), R_OK) == 0;
}

}  // namespace

void DaemonOption::add_to(CLI::App& command) {
    command
        .add_option("--url", url, "the daemon to ask (default: $FOXBENCH_URL, else the configuration's, if it listens)")
        ->type_name("URL");
}

std::optional<client::DaemonClient> DaemonOption::find(const config::Config& config) const {
    client::Places places;
    places.url_option = url;
    places.url_environment = environment_url();
    places.configured_url = config.server.port == 0 ? std::string() : config.server.url();
    places.token = client::find_token();
    // Not to a daemon that somebody named: it may be another one, which must not learn it.
    if (const auto& own = config.server.token_file; places.token.empty() && !is_named() && is_readable(own))
        places.token = client::read_token(own);
    auto daemon = client::find_daemon(places);
    // One that only happens to listen where the configuration would have its own is somebody else's.
    if (daemon && !is_named()) {
        const auto version = daemon->get("/version").json();
        if (version.value("results", std::string()) != config.results.string()) return std::nullopt;
    }
    return daemon;
}

std::optional<client::DaemonClient> DaemonOption::find_unless(const StoreOptions& store,
                                                              const config::Config& config) const {
    if (store.results.empty()) return find(config);
    if (!url.empty())
        throw Error(ErrorCode::usage, "--url and --results exclude each other: a daemon has its own results");
    return std::nullopt;
}

client::DaemonClient DaemonOption::need(const config::Config& config) const {
    if (auto daemon = find(config)) return *daemon;
    throw Error(ErrorCode::environment, "no daemon listens at " + config.server.url() +
                                            "; start one with `foxbench serve`, or name one with --url");
}

bool DaemonOption::is_named() const {
    return !url.empty() || !environment_url().empty();
}

}  // namespace foxbench::cli
