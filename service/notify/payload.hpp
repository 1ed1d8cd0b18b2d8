#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/notify/delivery.hpp"

namespace foxbench::notify {

/// Whom to tell of which runs.
struct Webhook {
    std::string url;
    std::string secret;                  ///< key of the signature; empty: messages are not signed
    std::vector<document::RunState> on;  ///< the states to tell of
    std::string secret_file = {};        ///< where the secret stands: with the url it names the webhook
    bool alerts = false;                 ///< whether to tell of alerts
};

inline constexpr const char* kRunFinished = "run.finished";
inline constexpr const char* kAlerts = "alerts";

/// What a webhook is told of a run that has ended:
/// {"event", "id", "state", "reason", "label", "workload", "targets": [names], "started_at", "finished_at",
/// "links": {"self", "report"}}; null where the run has no such thing. Links begin with `base_url`
/// ("http://lab-3:8177", without a slash at its end); where that is empty they are paths. Pure.
[[nodiscard]] document::Json run_finished(const document::RunDocument& run, std::string_view base_url);

/// A message, due at once, for each webhook that wants to know of the state in which the run has ended. Pure.
[[nodiscard]] std::vector<Delivery> messages_about(const document::RunDocument& run,
                                                   const std::vector<Webhook>& webhooks, std::string_view base_url,
                                                   std::int64_t now_ms);

/// What a webhook is told of alerts, all of a night in one message: {"event", "alerts": [the alerts as GET /v1/alerts
/// gives them, each with "links": {"self", "series", "run"}]}. Links as above. Pure.
[[nodiscard]] document::Json alerts(const document::Json& list, std::string_view base_url);
/// A message, due at once, for each webhook that wants to know of alerts. Pure.
[[nodiscard]] std::vector<Delivery> messages_about_alerts(const document::Json& list,
                                                          const std::vector<Webhook>& webhooks,
                                                          std::string_view base_url, std::int64_t now_ms);

}  // namespace foxbench::notify
