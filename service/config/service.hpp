#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "service/document/run_document.hpp"
#include "service/schedule/cron.hpp"
#include "service/schedule/planner.hpp"
#include "service/schedule/time_zone.hpp"

/// What the configuration says for the daemon alone. Plain values.
namespace foxbench::config {

using Json = nlohmann::ordered_json;

/// Where the daemon listens, and for whom.
struct Server {
    std::vector<std::string> addresses = {"127.0.0.1", "::1"};  ///< literal; the first one has to work
    std::uint16_t port = 8177;                                  ///< 0: any free one
    std::vector<std::string> host_names;                        ///< further names for the Host field: "lab-3.example"
    std::filesystem::path token_file;                           ///< see secrets.hpp; empty: no tokens, loopback only
    /// How long the pass that is being measured may still take when the daemon is told to end.
    std::chrono::milliseconds shutdown_grace{30'000};

    /// "http://127.0.0.1:8177": for programs on this machine.
    [[nodiscard]] std::string url() const;
};

/// How quiet the machine has to be before a run begins.
struct Quiet {
    double load_below = 0;             ///< load of the last minute
    std::chrono::milliseconds wait{};  ///< at most; then the run begins all the same, and says so
};

/// What somebody gets who asks for a quiet machine without saying more. On an idle one the load is a few hundredths.
inline constexpr double kDefaultQuietLoad = 0.5;
inline constexpr std::chrono::milliseconds kDefaultQuietWait = std::chrono::minutes(30);
/// A day-long wait would meet the next night.
inline constexpr std::chrono::milliseconds kLongestQuietWait = std::chrono::hours(24);

struct Schedule {
    std::string name;
    schedule::CronExpression cron;
    schedule::TimeZone zone;
    std::string workload, preset;      ///< empty: the defaults
    Json overrides = Json::object();   ///< of the workload's parameters
    std::vector<std::string> targets;  ///< empty: the defaults
    std::optional<std::int64_t> launches;
    std::string label, note;
    std::string purpose;  ///< empty, or document::kAa
    schedule::Missed missed = schedule::Missed::run_once;
    schedule::Overlap overlap = schedule::Overlap::skip;
    std::optional<Quiet> quiet;
    std::vector<std::string> before;  ///< command lines for the shell, run in the file's folder
    bool skip_if_same_build = false;
    std::optional<std::chrono::milliseconds> max_duration;
    std::optional<std::string> finish_by;  ///< "07:00", in the schedule's zone
};

/// What is kept for how long; empty: for ever.
struct Retention {
    std::optional<std::chrono::milliseconds> samples, runs;
    std::size_t keep_last = 0;  ///< so many newest runs stay as they are, however old
};

struct Webhook {
    std::string url;
    std::filesystem::path secret_file;   ///< empty: messages are not signed
    std::vector<document::RunState> on;  ///< final states
    bool alerts = true;                  ///< whether it is told of what is noticed in the histories
};

/// The word among the states in `on:` that stands for alerts.
inline constexpr const char* kOnAlerts = "alerts";

/// What counts as a change in the histories.
struct Alerts {
    double smallest_step = 0.02;              ///< neighbouring levels that differ by less (a fraction) are one
    std::map<std::string, double> of_series;  ///< the same for series that say otherwise, by name

    [[nodiscard]] double smallest_step_of(const std::string& series) const;
};

}  // namespace foxbench::config
