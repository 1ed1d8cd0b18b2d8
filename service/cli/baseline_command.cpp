#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/settings.hpp"
#include "service/document/utc_time.hpp"
#include "service/host/clock.hpp"
#include "service/store/baselines.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

using document::Json;
using store::Baseline;
using store::Baselines;

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::string name, run = "latest", note;
    bool json = false;
};

Json to_json(const Baseline& baseline) {
    return {{"name", baseline.name},
            {"run", baseline.run},
            {"note", baseline.note ? Json(*baseline.note) : Json(nullptr)},
            {"set_at", document::utc_text(baseline.set_at_ms)}};
}

std::string path_of(const Options& options) {
    return "/v1/baselines/" + url::percent_encoded(options.name);
}

Json list_all(const Options& options) {
    if (const auto daemon = options.daemon.find_unless(options.store, options.store.load()))
        return daemon->get("/v1/baselines").json().at("baselines");
    auto store = options.store.open_existing();
    Json all = Json::array();
    for (const auto& baseline : Baselines(store).list()) all.push_back(to_json(baseline));
    return all;
}

int list_baselines(const Options& options) {
    const Json all = list_all(options);
    if (options.json) {
        print_json(Json{{"baselines", all}});
        return 0;
    }
    if (all.empty()) std::cerr << "There are no baselines yet: foxbench baseline set NAME RUN\n";
    std::vector<std::vector<std::string>> rows{{"NAME", "RUN", "SET", "NOTE"}};
    for (const auto& one : all) {
        rows.push_back({for_terminal(one.at("name").get<std::string>()), for_terminal(one.at("run").get<std::string>()),
                        one.at("set_at").get<std::string>(),
                        one.at("note").is_string() ? for_terminal(one.at("note").get<std::string>()) : ""});
    }
    if (rows.size() > 1) std::cout << align_columns(rows);
    return 0;
}

Json set_one(const Options& options) {
    if (const auto daemon = options.daemon.find_unless(options.store, options.store.load())) {
        Json body = {{"run", options.run}};
        if (!options.note.empty()) body["note"] = options.note;
        return daemon->put(path_of(options), body).json();
    }
    auto store = options.store.open_existing();
    Baseline baseline;
    baseline.name = options.name;
    baseline.run = store.resolve(options.run);
    if (!options.note.empty()) baseline.note = options.note;
    baseline.set_at_ms = host::now_ms();
    Baselines(store).set(baseline);
    return to_json(baseline);
}

int set_baseline(const Options& options) {
    const Json baseline = set_one(options);
    if (options.json) {
        print_json(baseline);
    } else {
        std::cout << for_terminal(options.name) << " is " << for_terminal(baseline.at("run").get<std::string>())
                  << "\n";
    }
    return 0;
}

int remove_baseline(const Options& options) {
    if (const auto daemon = options.daemon.find_unless(options.store, options.store.load())) {
        (void)daemon->del(path_of(options));
    } else {
        auto store = options.store.open_existing();
        Baselines(store).remove(options.name);
    }
    if (options.json) print_json(Json{{"removed", options.name}});
    return 0;
}

}  // namespace

void add_baseline(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("baseline", "Named runs to compare with; neither retention nor delete takes them",
                                 "  foxbench baseline set release-152 2026-09-15_02-00-00\n"
                                 "  foxbench compare baseline:release-152 latest\n"
                                 "  foxbench baseline list\n"
                                 "  foxbench baseline remove release-152",
                                 [options] { return list_baselines(*options); });
    auto* set = command.add_subcommand("set", "Give a run a name, or a name to another run");
    set->add_option("NAME", options->name, "the baseline's name")->required();
    set->add_option("RUN", options->run, "an id, a unique beginning of one, or latest")->capture_default_str();
    set->add_option("--note", options->note, "what it is")->type_name("TEXT");
    command.add_subcommand("list", "All of them");
    auto* remove = command.add_subcommand("remove", "Take a name away; its run stays");
    remove->add_option("NAME", options->name, "the baseline's name")->required();
    command.require_subcommand(0, 1);
    for (auto* one : command.get_subcommands([](const CLI::App*) { return true; })) one->fallthrough();
    command.add_flag("--json", options->json, "print as JSON");
    options->daemon.add_to(command);
    options->store.add_to(command);
    command.callback([&chosen = registry.chosen, &command, options] {
        const auto verbs = command.get_subcommands();
        const std::string verb = verbs.empty() ? "list" : verbs.front()->get_name();
        chosen = [options, verb] {
            if (verb == "set") return set_baseline(*options);
            return verb == "remove" ? remove_baseline(*options) : list_baselines(*options);
        };
    });
}

}  // namespace foxbench::cli
