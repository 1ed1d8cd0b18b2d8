#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/settings.hpp"
#include "service/cli/watch.hpp"
#include "service/document/ids.hpp"
#include "service/document/json_text.hpp"
#include "service/error.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

using client::Json;
using document::RunState;

/// Events can be lost where the daemon was killed; the state cannot.
constexpr std::chrono::seconds kAskAgain{5};

run::Progress progress_from(const Json& data) {
    run::Progress progress;
    progress.target = data.value("target", std::string());
    progress.series = data.value("series", std::string());
    progress.launch = data.value("launch", std::int64_t{1});
    progress.launches = data.value("launches", std::int64_t{1});
    progress.pass = data.value("pass", std::int64_t{0});
    progress.passes = data.value("passes", std::int64_t{0});
    progress.passes_stored = data.value("passes_stored", std::int64_t{0});
    progress.passes_total = data.value("passes_total", std::int64_t{0});
    if (const auto eta = data.find("eta_seconds"); eta != data.end() && eta->is_number())
        progress.eta_seconds = eta->get<double>();
    return progress;
}

void tell(const client::ServerEvent& event, ProgressPrinter& printer) {
    const Json data = document::parse_json(event.data, "the daemon's event");
    if (event.type == "run.progress") {
        printer.on_progress(progress_from(data));
    } else if (event.type == "run.stage") {
        printer.on_stage(data.value("stage", std::string()));
    } else if (event.type == "run.trouble") {
        printer.on_trouble(data.value("text", std::string()));
    } else if (event.type == "run.series") {
        stats::SeriesFigures figures;
        if (const auto mean = data.find("mean_us"); mean != data.end() && mean->is_number())
            figures.mean_us = mean->get<double>();
        run::Progress progress = progress_from(data);
        progress.launches = 1;
        printer.on_series(progress, data.value("series", std::string()), figures);
    }
}

std::string target_of(const std::string& run) {
    return "/v1/runs/" + url::percent_encoded(run);
}

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::string run;
    bool json = false;
};

int watch(const Options& options) {
    const auto daemon = options.daemon.need(options.store.load());
    std::string run = options.run;
    if (run.empty()) {
        const Json queue = daemon.get("/v1/queue").json();
        run = queue.at("running").is_object() ? queue.at("running").at("id").get<std::string>()
              : !queue.at("waiting").empty()  ? queue.at("waiting").at(0).at("id").get<std::string>()
                                              : std::string(document::kLatest);
    }
    run = daemon.get(target_of(run)).json().at("id").get<std::string>();
    ProgressPrinter printer(isatty(STDERR_FILENO) != 0 ? ProgressPrinter::Style::bar : ProgressPrinter::Style::lines);
    printer.on_started(run);
    const auto state = follow_run(daemon, run, printer);
    printer.finish();
    const Json end = daemon.get(target_of(run)).json();
    if (options.json) {
        print_json(end);
    } else {
        const auto reason = end.value("reason", Json(nullptr));
        std::cout << run << ": " << document::to_string(state)
                  << (reason.is_string() ? ": " + for_terminal(reason.get<std::string>()) : "") << "\n";
    }
    return exit_code_of(state);
}

}  // namespace

namespace {

/// Nothing while the daemon cannot be reached: it may be starting again, which the event stream waits for.
std::optional<RunState> state_of(const client::DaemonClient& daemon, const std::string& run) {
    try {
        return document::run_state_from(daemon.get(target_of(run)).json().at("state").get<std::string>());
    } catch (const Error& error) {
        if (error.code() != ErrorCode::environment) throw;
        return std::nullopt;
    }
}

}  // namespace

RunState follow_run(const client::DaemonClient& daemon, const std::string& run, ProgressPrinter& printer) {
    auto events = daemon.events(target_of(run) + "/events");
    for (bool ask = true;;) {
        if (ask) {
            if (const auto state = state_of(daemon, run); state && document::is_final(*state)) return *state;
        }
        const auto event = events.next(kAskAgain);
        ask = !event || event->type == "run.finished" || event->type == "run.deleted" || event->type == "gap";
        if (event) tell(*event, printer);
    }
}

int exit_code_of(RunState state) {
    switch (state) {
        case RunState::completed:
            return 0;
        case RunState::partial:
        case RunState::invalid:
        case RunState::cancelled:
            return 3;
        default:
            return 1;
    }
}

void add_watch(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("watch", "Follow a run of the daemon until it ends",
                                 "  foxbench watch\n"
                                 "  foxbench watch 2026-09-15_22-13-00-nightly",
                                 [options] { return watch(*options); });
    command.add_option("RUN", options->run,
                       "an id, a unique beginning of one, or latest (default: the one that is running, else the next)");
    command.add_flag("--json", options->json, "print the run as JSON at the end");
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
