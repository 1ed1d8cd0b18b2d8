#pragma once

#include "service/config/config.hpp"
#include "service/document/run_document.hpp"
#include "service/run/frozen_request.hpp"

namespace foxbench::daemon {

/// What the body of POST /v1/runs asks for: {workload?, preset?, overrides?, targets?, launches?, label?, note?,
/// quiet?, priority?}. A target is a name or {name, planted_us?}; quiet is {load_below?, wait_seconds?}.
struct AskedRun {
    run::Job job;
    std::int64_t priority = 0;
};

/// Reads and checks it; also the workload's manifest is read. Throws http::Problem (422) with the JSON pointer of every
/// member that is unknown or of a wrong type, else of the first that the configuration refuses.
[[nodiscard]] AskedRun parse_run_request(const document::Json& body, const config::Config& config);

/// Among manual jobs; more says nothing more.
inline constexpr std::int64_t kMaxPriority = 1000;

}  // namespace foxbench::daemon
