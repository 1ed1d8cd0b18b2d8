#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "service/document/run_document.hpp"
#include "service/run/progress.hpp"
#include "service/store/store.hpp"

/// How the HTTP API writes things (docs/http-api.md). Pure.
namespace foxbench::daemon {

using document::Json;

/// An empty text or optional becomes null.
template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}
/// UTC, ISO 8601.
[[nodiscard]] Json time_or_null(const std::optional<std::int64_t>& at_ms);

/// {"self", "report", "document", "log", "events", "samples", "tables": {...}}.
[[nodiscard]] Json run_links(const std::string& run);
/// One run of a list.
[[nodiscard]] Json run_summary(const store::RunSummary& run);
/// `progress` of a run that is going on.
[[nodiscard]] Json progress_json(const run::Progress& progress);
/// One job of the queue; `position` counts from 1.
[[nodiscard]] Json queue_item(const store::Job& job, std::size_t position, std::optional<double> eta_seconds);

}  // namespace foxbench::daemon
