#pragma once

#include <string_view>

#include "service/document/run_document.hpp"

namespace foxbench::notify {

inline constexpr const char* kRunFinished = "run.finished";

/// What a webhook is told of a run that has ended:
/// {"event", "id", "state", "reason", "label", "workload", "targets": [names], "started_at", "finished_at",
/// "links": {"self", "report"}}; null where the run has no such thing. Links begin with `base_url`
/// ("http://lab-3:8177", without a slash at its end); where that is empty they are paths. Pure.
[[nodiscard]] document::Json run_finished(const document::RunDocument& run, std::string_view base_url);

}  // namespace foxbench::notify
