#include "service/config/config.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "service/config/locations.hpp"
#include "service/config/read_service.hpp"
#include "service/error.hpp"
#include "service/text/cpu_list.hpp"
#include "service/text/words.hpp"
#include "service/yaml/value.hpp"

namespace foxbench::config {
namespace {

using yaml::Value;

Json read_prefs(const Value& value) {
    Json prefs = Json::object();
    for (const auto& [name, pref] : value.members()) {
        prefs[name] = pref.json();
        if (!prefs[name].is_boolean() && !prefs[name].is_number_integer() && !prefs[name].is_string()) {
            pref.fail("a preference is true or false, a whole number or a text");
        }
    }
    return prefs;
}

/// In the one way in which it is written, so that two lists of the same processors are the same text.
std::string read_cpu_list(const Value& value) {
    try {
        return text::format_cpu_list(text::parse_cpu_list(value.string()));
    } catch (const Error& error) {
        value.fail(error.what());
    }
}

Target read_target(const std::string& name, const Value& value) {
    value.allow_only({"binary", "prefs", "env", "args", "note", "timer", "headed", "cpus", "planted_us", "local_build",
                      "start_deadline"});
    check_name(value, name, "target");
    Target target;
    target.name = name;
    if (const auto binary = value.find("binary")) target.binary = binary->string();
    if (const auto prefs = value.find("prefs")) target.prefs = read_prefs(*prefs);
    if (const auto env = value.find("env")) {
        for (const auto& [variable, text] : env->members()) target.env[variable] = text.string();
    }
    if (const auto args = value.find("args")) target.args = read_strings(*args);
    if (const auto note = value.find("note")) target.note = note->string();
    if (const auto timer = value.find("timer")) {
        if (timer->string() != "precise" && timer->string() != "standard") timer->fail("expected standard or precise");
        target.precise_timer = timer->string() == "precise";
    }
    if (const auto headed = value.find("headed")) target.headed = headed->boolean();
    if (const auto cpus = value.find("cpus")) target.cpus = read_cpu_list(*cpus);
    if (const auto planted = value.find("planted_us")) target.planted_us = planted->integer(0, kMaxPlanted_us);
    if (const auto local = value.find("local_build")) target.local_build = local->boolean();
    if (const auto deadline = value.find("start_deadline")) target.start_deadline = read_duration(*deadline);
    return target;
}

Defaults read_defaults(const Value& value, const Config& config) {
    value.allow_only({"workload", "preset", "launches", "targets"});
    Defaults defaults;
    if (const auto workload = value.find("workload")) defaults.workload = workload->string();
    if (const auto preset = value.find("preset")) defaults.preset = preset->string();
    if (const auto launches = value.find("launches")) defaults.launches = launches->integer(1, kMaxLaunches);
    if (const auto targets = value.find("targets")) defaults.targets = read_target_names(*targets, config);
    return defaults;
}

/// A binary is a path when it has a slash, else a name on the PATH.
void make_binary_absolute(Target& target, const std::filesystem::path& folder) {
    if (target.binary.find('/') == std::string::npos) return;
    const auto path = expand_home(target.binary);
    target.binary = (path.is_absolute() ? path : folder / path).lexically_normal().string();
}

/// Nothing that a member of the file may be lies deeper (schedules.nightly.overrides.calls), and an alias may lead
/// round in a circle.
constexpr int kPlaceDepth = 4;

/// Notes where `value`, whose path is `path`, and what is in it stands.
void note_places(const Value& value, const std::string& path, int depth, std::map<std::string, std::string>& places) {
    if (!path.empty()) places[path] = value.where();
    if (depth == kPlaceDepth) return;
    const auto child = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
    if (value.is_map()) {
        for (const auto& [name, member] : value.members()) note_places(member, child(name), depth + 1, places);
    } else if (value.is_list()) {
        const auto items = value.items();
        for (std::size_t i = 0; i < items.size(); ++i)
            note_places(items[i], child("[" + std::to_string(i) + "]"), depth + 1, places);
    }
}

}  // namespace

Quiet Config::quiet_or_default() const {
    return quiet.value_or(Quiet{kDefaultQuietLoad, kDefaultQuietWait});
}

std::vector<std::string> Config::target_names() const {
    std::vector<std::string> names;
    for (const auto& target : targets) names.push_back(target.name);
    return names;
}

std::vector<Target> Config::choose_targets(const std::vector<std::string>& names) const {
    const auto& wanted = names.empty() ? defaults.targets : names;
    if (wanted.empty()) return {targets.front()};
    std::vector<Target> chosen;
    for (const auto& name : wanted) {
        const auto found = std::ranges::find(targets, name, &Target::name);
        if (found == targets.end())
            throw Error(ErrorCode::usage,
                        "there is no target '" + name + "'." + text::suggestion(name, target_names()));
        if (std::ranges::find(chosen, name, &Target::name) != chosen.end())
            throw Error(ErrorCode::usage, "the target '" + name + "' is named twice");
        chosen.push_back(*found);
    }
    return chosen;
}

Config default_config(const std::filesystem::path& results) {
    Config config;
    config.results = results.empty() ? default_results() : std::filesystem::absolute(results).lexically_normal();
    config.profiles = config.results / "profiles";
    config.workloads = default_workloads();
    Target firefox;
    firefox.name = "firefox";
    config.targets.push_back(std::move(firefox));
    return config;
}

Config parse_config(const std::string& text, const std::filesystem::path& file) {
    const Value root = Value::parse(text, file.string());
    root.allow_only({"results", "profiles", "workloads", "defaults", "targets", "settle", "allow_tmpfs", "lock",
                     "hosts", "server", "schedules", "retention", "notify", "quiet", "alerts"});
    const auto folder = std::filesystem::absolute(file).parent_path();

    Config config = default_config();
    config.file = file;
    note_places(root, "", 0, config.places);
    if (const auto results = root.find("results")) {
        config.results = read_path(*results, folder);
        config.profiles = config.results / "profiles";
    }
    if (const auto profiles = root.find("profiles")) config.profiles = read_path(*profiles, folder);
    if (const auto workloads = root.find("workloads")) config.workloads = read_path(*workloads, folder);
    if (const auto targets = root.find("targets")) {
        const auto members = targets->members();
        if (members.empty()) targets->fail("name at least one target");
        config.targets.clear();
        for (const auto& [name, value] : members) {
            config.targets.push_back(read_target(name, value));
            make_binary_absolute(config.targets.back(), folder);
        }
    }
    if (const auto defaults = root.find("defaults")) config.defaults = read_defaults(*defaults, config);
    if (const auto settle = root.find("settle")) config.settle = read_duration(*settle);
    if (const auto allow = root.find("allow_tmpfs")) config.allow_tmpfs = allow->boolean();
    if (const auto lock = root.find("lock")) config.lock = read_path(*lock, folder);
    if (const auto hosts = root.find("hosts")) {
        hosts->allow_only({"name"});
        config.host_name = hosts->at("name").string();
    }
    if (const auto server = root.find("server")) config.server = read_server(*server, folder);
    if (const auto quiet = root.find("quiet")) config.quiet = read_quiet(*quiet);
    if (const auto schedules = root.find("schedules")) config.schedules = read_schedules(*schedules, config);
    if (const auto retention = root.find("retention")) config.retention = read_retention(*retention);
    if (const auto notify = root.find("notify")) config.webhooks = read_webhooks(*notify, folder);
    if (const auto alerts = root.find("alerts")) config.alerts = read_alerts(*alerts);
    return config;
}

Config load_config(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    if (stream) text << stream.rdbuf();
    if (!stream)
        throw Error(ErrorCode::usage, "the configuration " + file.string() +
                                          " cannot be read: " + std::generic_category().message(errno));
    return parse_config(text.str(), file);
}

}  // namespace foxbench::config
