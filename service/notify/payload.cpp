#include "service/notify/payload.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "service/document/json_text.hpp"

namespace foxbench::notify {
namespace {

document::Json text_or_null(const std::optional<std::string>& text) {
    return text ? document::Json(*text) : document::Json();
}

}  // namespace

document::Json run_finished(const document::RunDocument& run, std::string_view base_url) {
    document::Json targets = document::Json::array();
    for (const auto& target : run.targets) targets.push_back(target.name);
    const std::string self = std::string(base_url) + "/v1/runs/" + run.id;  // an id needs no percent-encoding (ids.hpp)
    document::Json payload;
    payload["event"] = kRunFinished;
    payload["id"] = run.id;
    payload["state"] = document::to_string(run.state);
    payload["reason"] = text_or_null(run.reason);
    payload["label"] = text_or_null(run.label);
    payload["workload"] = run.workload;
    payload["targets"] = std::move(targets);
    payload["started_at"] = text_or_null(run.started_at);
    payload["finished_at"] = text_or_null(run.finished_at);
    payload["links"]["self"] = self;
    payload["links"]["report"] = self + "/report";
    return payload;
}

std::vector<Delivery> messages_about(const document::RunDocument& run, const std::vector<Webhook>& webhooks,
                                     std::string_view base_url, std::int64_t now_ms) {
    std::vector<Delivery> messages;
    for (const auto& webhook : webhooks) {
        if (std::ranges::find(webhook.on, run.state) == webhook.on.end()) continue;
        auto& message = messages.emplace_back();
        message.url = webhook.url;
        message.secret_file = webhook.secret_file;
        message.run = run.id;
        message.event = kRunFinished;
        message.body = document::to_text(run_finished(run, base_url));
        message.created_at_ms = message.next_attempt_at_ms = now_ms;
    }
    return messages;
}

document::Json alerts(const document::Json& list, std::string_view base_url) {
    const std::string base(base_url);
    document::Json payload = {{"event", kAlerts}, {"alerts", document::Json::array()}};
    for (const auto& alert : list) {
        document::Json linked = alert;
        linked["links"] = {{"self", base + "/v1/alerts/" + alert.at("id").dump()},
                           {"series", base + "/v1/series/" + alert.at("series").get<std::string>() + "/points"}};
        if (const auto run = alert.value("run", document::Json()); run.is_string())
            linked["links"]["run"] = base + "/v1/runs/" + run.get<std::string>();
        payload["alerts"].push_back(std::move(linked));
    }
    return payload;
}

std::vector<Delivery> messages_about_alerts(const document::Json& list, const std::vector<Webhook>& webhooks,
                                            std::string_view base_url, std::int64_t now_ms) {
    std::vector<Delivery> messages;
    for (const auto& webhook : webhooks) {
        if (!webhook.alerts) continue;
        auto& message = messages.emplace_back();
        message.url = webhook.url;
        message.secret_file = webhook.secret_file;
        message.event = kAlerts;
        message.body = document::to_text(alerts(list, base_url));
        message.created_at_ms = message.next_attempt_at_ms = now_ms;
    }
    return messages;
}

}  // namespace foxbench::notify
