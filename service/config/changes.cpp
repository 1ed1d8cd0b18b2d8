#include "service/config/changes.hpp"

#include <array>

#include "service/config/secrets.hpp"
#include "service/error.hpp"
#include "service/workload/plan.hpp"

namespace foxbench::config {
namespace {

using std::chrono::milliseconds;

/// As the file says durations: in the largest unit that divides it.
std::string in_words(milliseconds duration) {
    struct Unit {
        std::int64_t ms;
        const char* name;
    };
    constexpr std::array kUnits{Unit{86'400'000, "d"}, Unit{3'600'000, "h"}, Unit{60'000, "min"}, Unit{1000, "s"}};
    for (const auto& unit : kUnits) {
        if (duration.count() != 0 && duration.count() % unit.ms == 0)
            return std::to_string(duration.count() / unit.ms) + unit.name;
    }
    return std::to_string(duration.count()) + "ms";
}

Json target_json(const Target& target) {
    Json json = Json::object();
    if (!target.binary.empty()) json["binary"] = target.binary;
    if (!target.note.empty()) json["note"] = target.note;
    if (!target.prefs.empty()) json["prefs"] = target.prefs;
    if (!target.env.empty()) json["env"] = target.env;
    if (!target.args.empty()) json["args"] = target.args;
    json["timer"] = target.precise_timer ? "precise" : "standard";
    if (target.headed) json["headed"] = true;
    if (!target.cpus.empty()) json["cpus"] = target.cpus;
    if (target.planted_us) json["planted_us"] = *target.planted_us;
    if (target.local_build) json["local_build"] = *target.local_build;
    if (target.start_deadline) json["start_deadline"] = in_words(*target.start_deadline);
    return json;
}

Json quiet_json(const Quiet& quiet) {
    return {{"load_below", quiet.load_below}, {"wait", in_words(quiet.wait)}};
}

Json schedule_json(const Schedule& schedule) {
    Json json = {{"cron", schedule.cron.text()}, {"time_zone", schedule.zone.name()}};
    if (!schedule.workload.empty()) json["workload"] = schedule.workload;
    if (!schedule.preset.empty()) json["preset"] = schedule.preset;
    if (!schedule.overrides.empty()) json["overrides"] = schedule.overrides;
    if (!schedule.targets.empty()) json["targets"] = schedule.targets;
    if (schedule.launches) json["launches"] = *schedule.launches;
    if (!schedule.label.empty()) json["label"] = schedule.label;
    if (!schedule.note.empty()) json["note"] = schedule.note;
    if (!schedule.purpose.empty()) json["purpose"] = schedule.purpose;
    json["missed"] = schedule.missed == schedule::Missed::skip ? "skip" : "run-once";
    json["overlap"] = schedule.overlap == schedule::Overlap::queue ? "queue" : "skip";
    if (schedule.quiet) json["quiet"] = quiet_json(*schedule.quiet);
    if (!schedule.before.empty()) json["before"] = schedule.before;
    if (schedule.skip_if_same_build) json["skip_if_same_build"] = true;
    if (schedule.max_duration) json["max_duration"] = in_words(*schedule.max_duration);
    if (schedule.finish_by) json["finish_by"] = *schedule.finish_by;
    return json;
}

Json server_json(const Server& server) {
    const std::string& first = server.addresses.front();
    const bool v6 = first.find(':') != std::string::npos;
    Json json = {{"listen", (v6 ? "[" + first + "]" : first) + ":" + std::to_string(server.port)}};
    if (!server.host_names.empty()) json["hosts"] = server.host_names;
    if (!server.token_file.empty()) json["token_file"] = server.token_file.string();
    json["shutdown_grace"] = in_words(server.shutdown_grace);
    return json;
}

Json webhook_json(const Webhook& webhook) {
    Json json = {{"webhook", webhook.url}};
    if (!webhook.secret_file.empty()) json["secret_file"] = webhook.secret_file.string();
    json["on"] = Json::array();
    for (const auto state : webhook.on) json["on"].push_back(document::to_string(state));
    if (webhook.alerts) json["on"].push_back(kOnAlerts);
    return json;
}

Json alerts_json(const Alerts& alerts) {
    Json json = {{"smallest_step", alerts.smallest_step}};
    for (const auto& [series, step] : alerts.of_series) json["series"][series] = step;
    return json;
}

std::string shown(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Objects are compared member by member, everything else as a whole.
void compare(const std::string& path, const Json& before, const Json& after, std::vector<std::string>& changes) {
    if (before == after) return;
    if (!before.is_object() || !after.is_object()) {
        changes.push_back(path + ": " + shown(before) + " -> " + shown(after));
        return;
    }
    const auto child = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
    for (const auto& [name, value] : before.items()) {
        if (const auto other = after.find(name); other != after.end()) {
            compare(child(name), value, *other, changes);
        } else {
            changes.push_back(child(name) + ": removed (" + shown(value) + ")");
        }
    }
    for (const auto& [name, value] : after.items()) {
        if (!before.contains(name)) changes.push_back(child(name) + ": added (" + shown(value) + ")");
    }
}

/// Throws the error that the member with this path is wrong; where the file does not say it, what it would be part of.
[[noreturn]] void fail_at(const Config& config, std::string path, const std::string& what) {
    while (!path.empty() && !config.places.contains(path)) {
        const auto dot = path.rfind('.');
        path.erase(dot == std::string::npos ? 0 : dot);
    }
    std::string place = config.file.empty() ? "the configuration" : config.file.string();
    if (!path.empty()) place = config.places.at(path) + ": " + path;
    throw Error(ErrorCode::usage, place + ": " + what);
}

template <class Check>
auto of_member(const Config& config, const std::string& path, const Check& check) {
    try {
        return check();
    } catch (const Error& error) {
        fail_at(config, path, error.what());
    }
}

/// The overrides may each be in order and not go together: then the fault is the whole's.
void check_overrides(const Config& config, const std::string& path, const workload::Manifest& manifest,
                     const std::string& preset, const Json& overrides) {
    const auto fault = [&](const Json& some) -> std::optional<std::string> {
        try {
            static_cast<void>(workload::make_plan(manifest, preset, some));
            return std::nullopt;
        } catch (const Error& error) {
            return error.what();
        }
    };
    const auto of_all = fault(overrides);
    if (!of_all) return;
    for (const auto& [name, value] : overrides.items()) {
        if (const auto alone = fault(Json::object({{name, value}}))) fail_at(config, path + "." + name, *alone);
    }
    fail_at(config, path, *of_all);
}

/// What the member with this path, defaults or a schedule, asks for; what it leaves out the defaults say.
void check_request(const Config& config, const std::string& path, const std::string& workload,
                   const std::string& preset, const Json& overrides) {
    const auto manifest =
        of_member(config, path + ".workload", [&] { return workload::find_workload(config.workloads, workload); });
    of_member(config, path + ".preset",
              [&] { static_cast<void>(workload::make_plan(manifest, preset, Json::object())); });
    check_overrides(config, path + ".overrides", manifest, preset, overrides);
}

}  // namespace

Json to_json(const Config& config) {
    Json json = {{"server", server_json(config.server)},
                 {"results", config.results.string()},
                 {"profiles", config.profiles.string()},
                 {"workloads", config.workloads.string()},
                 {"defaults",
                  {{"workload", config.defaults.workload},
                   {"preset", config.defaults.preset},
                   {"launches", config.defaults.launches}}}};
    if (!config.defaults.targets.empty()) json["defaults"]["targets"] = config.defaults.targets;
    json["targets"] = Json::object();
    for (const auto& target : config.targets) json["targets"][target.name] = target_json(target);
    json["schedules"] = Json::object();
    for (const auto& schedule : config.schedules) json["schedules"][schedule.name] = schedule_json(schedule);
    json["settle"] = in_words(config.settle);
    json["allow_tmpfs"] = config.allow_tmpfs;
    if (!config.lock.empty()) json["lock"] = config.lock.string();
    if (!config.host_name.empty()) json["hosts"] = {{"name", config.host_name}};
    json["retention"] = Json::object();
    if (config.retention.samples) json["retention"]["samples"] = in_words(*config.retention.samples);
    if (config.retention.runs) json["retention"]["runs"] = in_words(*config.retention.runs);
    json["retention"]["keep_last"] = config.retention.keep_last;
    json["notify"] = Json::array();
    for (const auto& webhook : config.webhooks) json["notify"].push_back(webhook_json(webhook));
    json["alerts"] = alerts_json(config.alerts);
    if (config.quiet) json["quiet"] = quiet_json(*config.quiet);
    return json;
}

std::vector<std::string> describe_changes(const Config& before, const Config& after) {
    std::vector<std::string> changes;
    compare("", to_json(before), to_json(after), changes);
    return changes;
}

std::vector<std::string> changes_that_need_a_restart(const Config& before, const Config& after) {
    std::vector<std::string> members;
    if (before.server.addresses != after.server.addresses || before.server.port != after.server.port)
        members.emplace_back("server.listen");
    if (before.server.host_names != after.server.host_names) members.emplace_back("server.hosts");
    if (before.results != after.results) members.emplace_back("results");
    return members;
}

void check_references(const Config& config) {
    if (std::error_code ignored; !std::filesystem::is_directory(config.workloads, ignored))
        fail_at(config, "workloads", "there is no folder " + config.workloads.string());
    const auto& defaults = config.defaults;
    check_request(config, "defaults", defaults.workload, defaults.preset, Json::object());
    for (const auto& schedule : config.schedules) {
        check_request(config, "schedules." + schedule.name,
                      schedule.workload.empty() ? defaults.workload : schedule.workload,
                      schedule.preset.empty() ? defaults.preset : schedule.preset, schedule.overrides);
    }
    if (!config.server.token_file.empty()) {
        of_member(config, "server.token_file", [&] { static_cast<void>(read_tokens(config.server.token_file)); });
    }
    for (std::size_t i = 0; i < config.webhooks.size(); ++i) {
        const auto& secret_file = config.webhooks[i].secret_file;
        if (secret_file.empty()) continue;
        of_member(config, "notify.[" + std::to_string(i) + "].secret_file",
                  [&] { static_cast<void>(read_secret(secret_file)); });
    }
}

}  // namespace foxbench::config
