#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "service/config/service.hpp"

/// The configuration: what the YAML file says, typed, checked, with its paths made absolute. See configs/foxbench.yaml.
namespace foxbench::config {

/// A browser build to measure.
struct Target {
    std::string name;
    std::string binary;  ///< a path or a name to be found on the PATH; empty: the first of firefox, firefox-esr
    Json prefs = Json::object();  ///< over the preferences for measuring
    std::map<std::string, std::string> env;
    std::vector<std::string> args;
    std::string note;
    bool precise_timer = false;  ///< `timer: precise`: a clock of about 0.1 µs in place of 20 µs
    bool headed = false;
    std::string cpus;                        ///< processors its processes may run on, "0-1,3"; empty: all
    std::optional<std::int64_t> planted_us;  ///< in place of the workload's parameter of that name; 0: nothing
    std::optional<bool> local_build;         ///< says otherwise than where the binary lies
    std::optional<std::chrono::milliseconds> start_deadline;  ///< for each step of the browser's start
};

/// What a run takes when nobody says otherwise.
struct Defaults {
    std::string workload = "opfs-sync-write";
    std::string preset = "quick";
    std::int64_t launches = 1;
    std::vector<std::string> targets;  ///< names of targets; empty: the first
};

struct Config {
    std::filesystem::path file;  ///< empty: no file, the built-in defaults
    std::filesystem::path results, profiles, workloads;
    Defaults defaults;
    std::vector<Target> targets;            ///< in the file's order; never empty: without any there is `firefox`
    std::chrono::milliseconds settle{500};  ///< between page load and first pass
    bool allow_tmpfs = false;               ///< whether profiles may lie on a filesystem where syncs are free
    std::filesystem::path lock;             ///< of the host; empty: the default place
    std::string host_name;                  ///< what this machine is called in runs; empty: its own name

    // For the daemon.
    Server server;
    std::vector<Schedule> schedules;  ///< in the file's order
    Retention retention;
    std::vector<Webhook> webhooks;
    Alerts alerts;
    std::optional<Quiet> quiet;  ///< of runs whose schedule says nothing else

    /// `quiet`, or kDefaultQuietLoad and kDefaultQuietWait where there is none: for those who ask for it.
    [[nodiscard]] Quiet quiet_or_default() const;

    /// Where each member of the file stands: "schedules.nightly.preset" -> "lab.yaml:7:13".
    std::map<std::string, std::string> places;

    [[nodiscard]] std::vector<std::string> target_names() const;
    /// The targets of these names, in their order; of none: the defaults'. Throws Error (usage) for one that there is
    /// not.
    [[nodiscard]] std::vector<Target> choose_targets(const std::vector<std::string>& names) const;
};

/// The built-in defaults, with `results` in place of the default folder if it is not empty.
[[nodiscard]] Config default_config(const std::filesystem::path& results = {});

/// Reads a file. Throws Error (usage): `file:line:column: what was expected`, for unknown keys with the nearest known
/// one.
[[nodiscard]] Config load_config(const std::filesystem::path& file);
/// The same from text; relative paths start from the folder of `file`, which need not exist. Reads nothing but the
/// text.
[[nodiscard]] Config parse_config(const std::string& text, const std::filesystem::path& file);

/// The most that may be planted into a call: a run with it still ends, and nobody looks for such a slowdown.
inline constexpr std::int64_t kMaxPlanted_us = 100'000;

/// How many launches of a target a run may have.
inline constexpr std::int64_t kMaxLaunches = 100;

}  // namespace foxbench::config
