#pragma once

#include <vector>

#include "service/document/run_document.hpp"
#include "service/store/alerts.hpp"

namespace foxbench::alerts {

/// An alert as the interface and the webhooks give it (docs/http-api.md): its members, and those of its details that
/// name the series and the effect. Pure.
[[nodiscard]] document::Json to_json(const store::Alert& alert);
/// With everything that decided and everything that happened.
[[nodiscard]] document::Json to_json(const store::Alert& alert, const std::vector<store::AlertChange>& trail);

}  // namespace foxbench::alerts
