#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "service/config/config.hpp"
#include "service/document/run_document.hpp"
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
    document::Json trigger = {{"kind", "cli"}};
};

/// A label is free text of up to this many characters (code points).
inline constexpr std::size_t kMaxLabelCharacters = 100;
inline constexpr std::size_t kMaxNoteCharacters = 2000;

/// How a run ended.
struct RunOutcome {
    std::string id;
    document::RunState state = document::RunState::failed;
    std::string reason;  ///< empty when completed
};

}  // namespace foxbench::run
