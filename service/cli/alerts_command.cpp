#include <cmath>
#include <cstdlib>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/alerts/alert_json.hpp"
#include "service/alerts/decisions.hpp"
#include "service/alerts/watch.hpp"
#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/settings.hpp"
#include "service/host/clock.hpp"
#include "service/store/alerts.hpp"

namespace foxbench::cli {
namespace {

using document::Json;
using store::Alerts;

constexpr int kExitSlower = 4;

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::int64_t id = 0;
    std::string note, by;
    bool json = false, all = false;
};

std::string path_of(std::int64_t id) {
    return "/v1/alerts/" + std::to_string(id);
}

std::string text_of(const Json& value) {
    if (value.is_string()) return for_terminal(value.get<std::string>());
    return value.is_null() ? "-" : value.dump();
}

std::string percent_of(const Json& fraction) {
    if (!fraction.is_number()) return "-";
    char text[32];
    std::snprintf(text, sizeof text, "%+.1f %%", fraction.get<double>() * 100);
    return text;
}

std::string build_of(const Json& build) {
    if (!build.is_object()) return "-";
    const std::string version = text_of(build.value("version", Json()));
    const Json id = build.value("build_id", Json());
    return id.is_string() ? version + " (" + text_of(id) + ")" : version;
}

store::Store open_and_catch_up(const Options& options) {
    const auto config = options.store.load();
    auto store = options.store.open_existing();
    alerts::catch_up(store, config, host::now_ms());
    return store;
}

Json list_all(const Options& options) {
    if (const auto daemon = options.daemon.find_unless(options.store, options.store.load()))
        return daemon->get(options.all ? "/v1/alerts?limit=1000" : "/v1/alerts?open=1&limit=1000").json().at("alerts");
    auto store = open_and_catch_up(options);
    store::AlertFilter filter;
    if (!options.all) filter.open = true;
    Json all = Json::array();
    for (const auto& alert : Alerts(store).list(filter)) all.push_back(alerts::to_json(alert));
    return all;
}

void print_list(const Json& all, bool closed_too) {
    if (all.empty()) {
        std::cerr << (closed_too ? "There are no alerts.\n" : "There are no open alerts.\n");
        return;
    }
    std::vector<std::vector<std::string>> rows{
        {"ALERT", "STATE", "SINCE", "CHANGE", "SERIES", "TARGET", "HOST", "BUILD"}};
    for (const auto& alert : all) {
        rows.push_back({alert.at("id").dump(),
                        text_of(alert.at("state")) + (alert.at("acknowledged") == Json(true) ? ", seen" : ""),
                        text_of(alert.at("first_bad")), percent_of(alert.at("change")),
                        text_of(alert.at("series_name")), text_of(alert.at("target")), text_of(alert.at("host")),
                        build_of(alert.at("build_after"))});
    }
    std::cout << align_columns(rows);
}

int list_alerts(const Options& options) {
    const Json all = list_all(options);
    if (options.json)
        print_json(Json{{"alerts", all}});
    else
        print_list(all, options.all);
    for (const auto& alert : all) {
        if (alert.at("open") == Json(true) && alert.at("direction") == Json("slower")) return kExitSlower;
    }
    return 0;
}

Json load_one(const Options& options) {
    if (const auto daemon = options.daemon.find_unless(options.store, options.store.load()))
        return daemon->get(path_of(options.id)).json();
    auto store = open_and_catch_up(options);
    const Alerts known(store);
    return alerts::to_json(known.find(options.id), known.trail(options.id));
}

void print_filters(const char* heading, const Json& filters) {
    std::cout << heading << "\n";
    std::vector<std::vector<std::string>> rows;
    for (const auto& filter : filters) {
        const std::string unit = text_of(filter.at("unit"));
        const auto figure = [&](const char* member) {
            return text_of(filter.at(member)) + (filter.at(member).is_null() || unit.empty() ? "" : " " + unit);
        };
        rows.push_back({filter.at("passed") == Json(true) ? "  yes" : "  no", text_of(filter.at("name")),
                        figure("value"), figure("threshold")});
    }
    std::cout << align_columns(rows);
}

void print_one(const Json& alert) {
    std::vector<std::vector<std::string>> rows;
    const auto row = [&](const char* name, const std::string& value) { rows.push_back({name, value}); };
    row("state", text_of(alert.at("state")) + (alert.at("acknowledged") == Json(true) ? ", acknowledged" : ""));
    row("series", text_of(alert.at("series_name")) + " of " + text_of(alert.at("target")) + " on " +
                      text_of(alert.at("host")) + " (" + text_of(alert.at("series")) + ")");
    row("change", text_of(alert.at("direction")) + ", " + percent_of(alert.at("change")));
    if (alert.at("interval").is_array()) {
        row("95 % interval", percent_of(alert.at("interval").at(0)) + " to " + percent_of(alert.at("interval").at(1)));
    }
    row("last good", text_of(alert.at("last_good")) + ", " + build_of(alert.at("build_before")));
    row("first bad", text_of(alert.at("first_bad")) + ", " + build_of(alert.at("build_after")));
    if (const auto& range = alert.at("source_range"); range.is_object()) {
        row("source", text_of(range.at("from")) + " to " + text_of(range.at("to")));
        if (range.at("address").is_string()) row("", text_of(range.at("address")));
    }
    row("run", text_of(alert.at("run")));
    row("measured again", text_of(alert.at("confirmation")));
    row("told", text_of(alert.at("notified_at")));
    std::cout << align_columns(rows);
    const auto& explain = alert.at("explain");
    if (explain.contains("filters")) print_filters("\nWhat decided:", explain.at("filters"));
    if (explain.contains("step")) {
        std::cout << "\nA step of the series: p = " << explain.at("step").at("p").dump() << ", "
                  << explain.at("step").at("nights_watched").dump() << " nights looked at\n";
    }
    if (explain.contains("confirmation")) print_filters("\nMeasured again:", explain.at("confirmation").at("filters"));
    std::cout << "\nWhat happened:\n";
    std::vector<std::vector<std::string>> trail;
    for (const auto& change : alert.at("trail")) {
        trail.push_back({"  " + text_of(change.at("at")), text_of(change.at("action")), text_of(change.at("by")),
                         change.at("note").is_null() ? "" : text_of(change.at("note"))});
    }
    std::cout << align_columns(trail);
}

int show_alert(const Options& options) {
    const Json alert = load_one(options);
    if (options.json)
        print_json(alert);
    else
        print_one(alert);
    return 0;
}

std::string who(const Options& options) {
    if (!options.by.empty()) return options.by;
    const char* user = std::getenv("USER");
    return user != nullptr && *user != '\0' ? user : "command line";
}

int change_alert(const Options& options, const std::string& verb) {
    Json alert;
    if (const auto daemon = options.daemon.find_unless(options.store, options.store.load())) {
        Json body = {{"action", verb}, {"by", who(options)}};
        if (!options.note.empty()) body["note"] = options.note;
        alert = daemon->patch(path_of(options.id), body).json();
    } else {
        auto store = open_and_catch_up(options);
        Alerts known(store);
        const auto decided = alerts::decide(known.find(options.id), known.trail(options.id), alerts::action_from(verb),
                                            options.note, who(options), host::now_ms());
        known.change(decided.alert, decided.change);
        alert = alerts::to_json(known.find(options.id), known.trail(options.id));
    }
    if (options.json) {
        print_json(alert);
    } else {
        std::cout << "alert " << options.id << " is " << text_of(alert.at("state"))
                  << (alert.at("acknowledged") == Json(true) ? ", acknowledged" : "") << "\n";
    }
    return 0;
}

}  // namespace

void add_alerts(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("alerts", "What was noticed in the histories, and what to make of it",
                                 "  foxbench alerts                         the open ones\n"
                                 "  foxbench alerts show 12                 what decided, and what happened since\n"
                                 "  foxbench alerts acknowledge 12 --note 'bug 1940001'\n"
                                 "  foxbench alerts expected 12             the new level is right\n"
                                 "  foxbench alerts invalid 12              that night's measurement was wrong\n"
                                 "  foxbench alerts reopen 12\n"
                                 "Exit codes: 0 nothing open is slower, 4 something is.",
                                 [options] { return list_alerts(*options); });
    command.add_flag("--all", options->all, "also those that nobody has to look at any more");
    const std::pair<const char*, const char*> verbs[] = {
        {"show", "Everything about an alert: what decided, and what happened since"},
        {"acknowledge", "Seen: it is not open any more"},
        {"unacknowledge", "Open again"},
        {"expected", "The new level is right: nights are compared with it from now on"},
        {"invalid", "The measurement was wrong: its night does not count"},
        {"reopen", "Take back `expected` or `invalid`"},
        {"note", "Add a remark"}};
    for (const auto& [verb, about] : verbs) {
        auto* one = command.add_subcommand(verb, about);
        one->add_option("ALERT", options->id, "its number")->required();
        one->fallthrough();
        if (verb == std::string("show")) continue;
        one->add_option("--note", options->note, "why")->type_name("TEXT");
        one->add_option("--by", options->by, "who decides (default: $USER)")->type_name("NAME");
    }
    command.require_subcommand(0, 1);
    command.add_flag("--json", options->json, "print as JSON");
    options->daemon.add_to(command);
    options->store.add_to(command);
    command.callback([&chosen = registry.chosen, &command, options] {
        const auto given = command.get_subcommands();
        const std::string verb = given.empty() ? std::string() : given.front()->get_name();
        chosen = [options, verb] {
            if (verb.empty()) return list_alerts(*options);
            return verb == "show" ? show_alert(*options) : change_alert(*options, verb);
        };
    });
}

}  // namespace foxbench::cli
