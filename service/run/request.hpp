#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/config/config.hpp"
#include "service/document/run_document.hpp"
#include "service/error.hpp"
#include "service/workload/plan.hpp"

namespace foxbench::run {

/// Everything that a run is asked for, resolved and frozen: a change of the configuration or of a manifest afterwards
/// does not reach it.
struct RunRequest {
    workload::Manifest manifest;
    workload::Plan plan;
    std::vector<config::Target> targets;
    std::int64_t launches = 1;  ///< of each target
    std::string label, note;    ///< may be empty
    std::string purpose;        ///< document::kAa for an A/A run; else empty
    document::Json trigger = {{"kind", "cli"}};
    std::chrono::milliseconds settle{500};  ///< between page load and first pass
};

/// What else a queued run is asked for: how it begins and when it has to end.
struct JobTerms {
    std::optional<config::Quiet> quiet;   ///< wait until the machine is that quiet
    std::vector<std::string> before;      ///< command lines for the shell, run in this order before anything else
    std::filesystem::path before_folder;  ///< their working directory
    bool skip_if_same_build = false;      ///< no run where every build is that of the schedule's last completed run
    std::optional<std::chrono::milliseconds> max_duration;  ///< from the claim of the job; then the run is partial
    std::optional<std::int64_t> finish_by_ms;               ///< likewise at this moment; milliseconds since 1970
};

/// What somebody asked for, as names and numbers; what is empty is the configuration's defaults' to say.
struct Wanted {
    std::string workload, preset;
    document::Json overrides = document::Json::object();  ///< of the workload's parameters, and `cases`
    std::vector<std::string> targets;
    std::map<std::string, std::int64_t> planted_us;  ///< by target: in place of the run's and the configuration's
    std::optional<std::int64_t> launches;
    std::string label, note;
    std::string purpose;
};

/// A fault of a request, and which member of Wanted has it: "launches".
class RequestError : public Error {
public:
    RequestError(std::string member, const std::string& message)
        : Error(ErrorCode::usage, message), member_(std::move(member)) {}
    [[nodiscard]] const std::string& member() const noexcept { return member_; }

private:
    std::string member_;
};

/// Looks everything up and checks it. Reads the workload's manifest. Throws RequestError.
[[nodiscard]] RunRequest resolve(const Wanted& wanted, const config::Config& config);

/// What this target is measured with: the request's plan, but for what is planted into this target alone. `target` has
/// to be one of the request's.
[[nodiscard]] workload::Plan plan_of(const RunRequest& request, const config::Target& target);

/// How a run ended.
struct RunOutcome {
    std::string id;
    document::RunState state = document::RunState::failed;
    std::string reason;  ///< empty when completed
};

}  // namespace foxbench::run
