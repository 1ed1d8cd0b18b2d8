// What is asked of a daemon and of nobody else: queue, schedules, cancel, reload.

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/settings.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

using client::Json;

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::string name;
    bool json = false;
};

std::string text_of(const Json& value) {
    if (value.is_null()) return "-";
    return value.is_string() ? value.get<std::string>() : value.dump();
}

void print_rows(std::vector<std::vector<std::string>> rows) {
    for (auto& row : rows) {
        for (auto& cell : row) cell = for_terminal(cell);
    }
    std::cout << align_columns(rows);
}

int show_queue(const Options& options) {
    const Json queue = options.daemon.need(options.store.load()).get("/v1/queue").json();
    if (options.json) {
        print_json(queue);
        return 0;
    }
    std::vector<std::vector<std::string>> rows{{"POSITION", "RUN", "CLASS", "QUEUED", "BEGINS IN"}};
    if (queue.at("running").is_object()) rows.push_back({"now", text_of(queue.at("running").at("id")), "-", "-", "-"});
    for (const auto& job : queue.at("waiting")) {
        const auto& eta = job.at("eta_seconds");
        rows.push_back({text_of(job.at("queue_position")), text_of(job.at("id")), text_of(job.at("class")),
                        text_of(job.at("queued_at")),
                        eta.is_number() ? std::to_string(static_cast<long>(eta.get<double>())) + " s" : "unknown"});
    }
    if (rows.size() == 1) {
        std::cerr << "Nothing is being measured and nothing waits.\n";
    } else {
        print_rows(std::move(rows));
    }
    return 0;
}

int show_schedules(const Options& options) {
    const Json all = options.daemon.need(options.store.load()).get("/v1/schedules").json();
    if (options.json) {
        print_json(all);
        return 0;
    }
    if (all.at("schedules").empty()) std::cerr << "The configuration has no schedules.\n";
    for (const auto& schedule : all.at("schedules")) {
        std::cout << for_terminal(text_of(schedule.at("name"))) << ": " << for_terminal(text_of(schedule.at("cron")))
                  << " " << text_of(schedule.at("time_zone")) << (schedule.at("paused").get<bool>() ? ", paused" : "")
                  << "\n";
        for (const auto& due : schedule.at("next")) std::cout << "  next  " << text_of(due) << "\n";
        for (const auto& last : schedule.at("last")) {
            const auto& state = last.at("state").is_null() ? last.at("outcome") : last.at("state");
            std::cout << "  last  " << text_of(last.at("due_at")) << "  " << text_of(state);
            if (!last.at("run").is_null()) std::cout << "  " << for_terminal(text_of(last.at("run")));
            if (!last.at("reason").is_null()) std::cout << "  " << for_terminal(text_of(last.at("reason")));
            std::cout << "\n";
        }
    }
    return 0;
}

int cancel(const Options& options) {
    const auto daemon = options.daemon.need(options.store.load());
    const Json run = daemon.post("/v1/runs/" + url::percent_encoded(options.name) + "/cancel").json();
    if (options.json) {
        print_json(run);
    } else {
        std::cout << text_of(run.at("id")) << ": " << text_of(run.at("state")) << "\n";
    }
    return 0;
}

int change_schedule(const Options& options, const std::string& verb) {
    const auto daemon = options.daemon.need(options.store.load());
    const Json answer = daemon.post("/v1/schedules/" + url::percent_encoded(options.name) + "/" + verb).json();
    if (options.json) {
        print_json(answer);
    } else if (verb == "trigger") {
        std::cout << text_of(answer.at("id")) << "\n";
    } else {
        std::cerr << text_of(answer.at("name")) << (answer.at("paused").get<bool>() ? " is paused\n" : " goes on\n");
    }
    return 0;
}

int reload(const Options& options) {
    const Json answer = options.daemon.need(options.store.load()).post("/v1/reload").json();
    if (options.json) {
        print_json(answer);
        return 0;
    }
    if (answer.at("changes").empty()) std::cerr << "The configuration was read again; nothing has changed.\n";
    for (const auto& change : answer.at("changes")) std::cout << for_terminal(change.get<std::string>()) << "\n";
    return 0;
}

void add_options(CLI::App& command, Options& options) {
    command.add_flag("--json", options.json, "print the daemon's answer");
    options.daemon.add_to(command);
    options.store.add_to(command);
}

}  // namespace

void add_daemon_commands(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    add_options(registry.add("queue", "What the daemon is measuring, and what waits", "  foxbench queue --json",
                             [options] { return show_queue(*options); }),
                *options);
    auto& cancelling = registry.add("cancel", "End a run of the daemon, or take it out of the queue",
                                    "  foxbench cancel 2026-09-15_22-13-00", [options] { return cancel(*options); });
    cancelling.add_option("RUN", options->name, "an id, a unique beginning of one, or latest")->required();
    add_options(cancelling, *options);
    add_options(registry.add("reload", "Have the daemon read its configuration again; prints what changed",
                             "  foxbench reload", [options] { return reload(*options); }),
                *options);

    auto& schedules = registry.add("schedules", "When the schedules are due, and what came of them",
                                   "  foxbench schedules\n"
                                   "  foxbench schedules trigger nightly\n"
                                   "  foxbench schedules pause nightly",
                                   [options] { return show_schedules(*options); });
    add_options(schedules, *options);
    schedules.require_subcommand(0, 1);
    for (const char* verb : {"trigger", "pause", "resume"}) {
        const std::string about = verb == std::string("trigger") ? "Queue a run of it now" : "Change a schedule";
        auto* change = schedules.add_subcommand(verb, about);
        change->add_option("SCHEDULE", options->name, "its name in the configuration")->required();
    }
    schedules.callback([&chosen = registry.chosen, &schedules, options] {
        const auto verbs = schedules.get_subcommands();
        const std::string verb = verbs.empty() ? std::string() : verbs.front()->get_name();
        chosen = [options, verb] { return verb.empty() ? show_schedules(*options) : change_schedule(*options, verb); };
    });
}

}  // namespace foxbench::cli
