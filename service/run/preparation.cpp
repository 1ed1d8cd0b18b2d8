#include "service/run/preparation.hpp"

#include <algorithm>
#include <ctime>

#include <unistd.h>

#include "service/document/ids.hpp"
#include "service/document/purpose.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/host/clock.hpp"
#include "service/host/facts.hpp"
#include "service/text/cpu_list.hpp"
#include "service/text/words.hpp"

namespace foxbench::run {
namespace {

/// What a profile itself takes, with room for the browser's own databases.
constexpr std::int64_t kProfileBytes = std::int64_t{200} << 20;

std::tm local_time(std::int64_t at_ms) {
    const std::time_t at = at_ms / 1000;
    std::tm local{};
    localtime_r(&at, &local);
    return local;
}

/// What the run document says of a target's preferences: its own, and those of its clock, since they change what is
/// measured.
document::Json stated_preferences(const config::Target& target) {
    document::Json stated = document::Json::object();
    if (target.precise_timer) {
        const auto standard = browser::effective_preferences(nullptr, browser::Timer::standard);
        const auto precise = browser::effective_preferences(nullptr, browser::Timer::precise);
        for (const auto& [name, value] : precise.items()) {
            if (!standard.contains(name)) stated[name] = value;
        }
    }
    stated.update(target.prefs);
    return stated;
}

/// What the configuration says of a target; its build is not looked at.
document::Target describe(const config::Target& target) {
    document::Target stated;
    stated.name = target.name;
    if (target.local_build) stated.browser.local_build = *target.local_build;
    if (const auto preferences = stated_preferences(target); !preferences.empty()) stated.prefs = preferences;
    if (!target.env.empty()) stated.env = target.env;
    if (!target.args.empty()) stated.extra["args"] = target.args;
    if (!target.cpus.empty()) stated.extra["cpus"] = target.cpus;
    if (target.planted_us) stated.extra[document::kPlanted] = *target.planted_us;
    if (!target.note.empty()) stated.note = target.note;
    return stated;
}

std::vector<int> processors_of(const config::Target& target) {
    if (target.cpus.empty()) return {};
    auto processors = text::parse_cpu_list(target.cpus);
    const auto online = host::online_processors();
    for (const int processor : processors) {
        if (!online.empty() && std::ranges::find(online, processor) == online.end()) {
            throw Error(ErrorCode::usage, "cpus: this machine has no processor " + std::to_string(processor) +
                                              "; it has " + text::format_cpu_list(online));
        }
    }
    return processors;
}

PreparedTarget prepare_target(const config::Target& target, const std::filesystem::path& profiles,
                              browser::HashCache& cache) {
    PreparedTarget prepared;
    prepared.config = target;
    const auto binary = browser::find_binary(target.binary);
    prepared.installation = browser::locate_installation(binary);

    prepared.document = describe(target);
    prepared.document.browser = browser::identify(prepared.installation, cache);
    if (target.local_build) prepared.document.browser.local_build = *target.local_build;

    auto& launch = prepared.launch;
    launch.binary = binary;
    launch.profiles_folder = profiles;
    launch.preferences = browser::effective_preferences(
        target.prefs, target.precise_timer ? browser::Timer::precise : browser::Timer::standard);
    launch.environment = target.env;
    launch.arguments = target.args;
    launch.headed = target.headed;
    launch.processors = processors_of(target);
    if (target.start_deadline) {
        launch.deadlines.listening = *target.start_deadline;
        launch.deadlines.session = *target.start_deadline;
    }
    return prepared;
}

}  // namespace

std::vector<PreparedTarget> prepare_targets(const std::vector<config::Target>& targets,
                                            const std::filesystem::path& profiles, browser::HashCache& cache) {
    std::vector<PreparedTarget> prepared;
    for (const auto& target : targets) {
        try {
            prepared.push_back(prepare_target(target, profiles, cache));
        } catch (const Error& error) {
            throw Error(error.code(), "target " + target.name + ": " + error.what());
        }
    }
    return prepared;
}

void check_disk(const config::Config& config, const workload::Plan& plan) {
    std::error_code error;
    std::filesystem::create_directories(config.profiles, error);
    if (error || access(config.profiles.c_str(), W_OK | X_OK) != 0) {
        throw Error(ErrorCode::usage, "the folder of the profiles, " + config.profiles.string() +
                                          ", cannot be written" + (error ? ": " + error.message() : "") +
                                          "; choose another with `profiles:` or --results");
    }
    const auto filesystem = host::read_profiles(config.profiles);
    if (host::is_tmpfs(filesystem) && !config.allow_tmpfs) {
        throw Error(ErrorCode::usage, "the profiles would lie on " + filesystem.filesystem.value_or("tmpfs") + " (" +
                                          config.profiles.string() +
                                          "), where syncs are free and nothing like a disk is measured; choose a "
                                          "folder on a disk, or say allow_tmpfs: true in the configuration");
    }
    const std::int64_t needed = (plan.disk_bytes() / 3 * 4) + kProfileBytes;
    if (const auto free = host::free_bytes(config.profiles); free && static_cast<std::int64_t>(*free) < needed) {
        throw Error(ErrorCode::usage, "a pass needs " + text::format_size(needed) + " on the disk of the profiles (" +
                                          config.profiles.string() + "), and " +
                                          text::format_size(static_cast<std::int64_t>(*free)) +
                                          " are free; take fewer calls or bytes, or another disk");
    }
}

document::RunDocument make_queued_document(const RunRequest& request, const config::Config& config,
                                           std::int64_t now_ms) {
    document::RunDocument document;
    document.id = document::make_id(local_time(now_ms), request.label);
    document.workload = request.plan.workload;
    if (!request.label.empty()) document.label = request.label;
    if (!request.note.empty()) document.note = request.note;
    document.state = document::RunState::queued;
    document.trigger = request.trigger;
    document.host.emplace();
    document.host->name = config.host_name.empty() ? host::read_host().name : config.host_name;
    document.config = request.plan.config();
    document.config["launches"] = request.launches;
    if (!request.manifest.title.empty()) document.extra["title"] = request.manifest.title;
    if (!request.purpose.empty()) document.extra[document::kPurpose] = request.purpose;
    for (const auto& target : request.targets) document.targets.push_back(describe(target));
    return document;
}

document::RunDocument make_skeleton(const RunRequest& request, const config::Config& config,
                                    const std::vector<PreparedTarget>& targets) {
    auto document = make_queued_document(request, config, host::now_ms());
    document.state = document::RunState::running;
    document.started_at = document::utc_text(host::now_ms());
    document.host = host::read_host();
    if (!config.host_name.empty()) document.host->name = config.host_name;
    document.profiles = host::read_profiles(config.profiles);
    document.targets.clear();
    for (const auto& target : targets) document.targets.push_back(target.document);
    return document;
}

}  // namespace foxbench::run
