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

template <class Check>
void of_member(const std::string& member, const Config& config, const Check& check) {
    try {
        check();
    } catch (const Error& error) {
        const std::string file = config.file.empty() ? "the configuration" : config.file.string();
        throw Error(ErrorCode::usage, file + ": " + member + ": " + error.what());
    }
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
    if (before.server.token_file != after.server.token_file) members.emplace_back("server.token_file");
    if (before.results != after.results) members.emplace_back("results");
    return members;
}

void check_references(const Config& config) {
    const auto check = [&](const std::string& workload, const std::string& preset, const Json& overrides) {
        const auto manifest = workload::find_workload(config.workloads, workload);
        static_cast<void>(workload::make_plan(manifest, preset, overrides));
    };
    of_member("defaults", config, [&] { check(config.defaults.workload, config.defaults.preset, Json::object()); });
    for (const auto& schedule : config.schedules) {
        of_member("schedules." + schedule.name, config, [&] {
            check(schedule.workload.empty() ? config.defaults.workload : schedule.workload,
                  schedule.preset.empty() ? config.defaults.preset : schedule.preset, schedule.overrides);
        });
    }
    if (!config.server.token_file.empty())
        of_member("server.token_file", config, [&] { static_cast<void>(read_tokens(config.server.token_file)); });
    for (const auto& webhook : config.webhooks) {
        if (!webhook.secret_file.empty())
            of_member("notify", config, [&] { static_cast<void>(read_secret(webhook.secret_file)); });
    }
}

}  // namespace foxbench::config
