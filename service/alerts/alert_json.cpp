#include "service/alerts/alert_json.hpp"

#include "service/document/utc_time.hpp"

namespace foxbench::alerts {

using document::Json;

namespace {

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace

Json to_json(const store::Alert& alert) {
    Json json = {{"id", alert.id},
                 {"state", store::to_string(alert.state)},
                 {"open", store::is_open(alert)},
                 {"acknowledged", alert.acknowledged},
                 {"direction", alert.slower ? "slower" : "faster"},
                 {"step", alert.is_step},
                 {"series", alert.series},
                 {"series_name", alert.details.value("series", Json())}};
    for (const char* name : {"host", "target", "workload"}) json[name] = alert.details.value(name, Json());
    json["first_bad"] = alert.first_bad;
    json["last_good"] = text_or_null(alert.last_good);
    for (const char* name :
         {"before_us", "after_us", "change", "interval", "build_before", "build_after", "source_range"})
        json[name] = alert.details.value(name, Json());
    json["run"] = text_or_null(alert.run);
    json["confirmation"] = text_or_null(alert.confirmation);
    json["created_at"] = document::utc_text(alert.created_at_ms);
    json["notified_at"] = alert.notified_at_ms ? Json(document::utc_text(*alert.notified_at_ms)) : Json(nullptr);
    return json;
}

Json to_json(const store::Alert& alert, const std::vector<store::AlertChange>& trail) {
    Json json = to_json(alert);
    json["parameters"] = alert.details.value("parameters", Json());
    Json explain = Json::object();
    for (const char* name : {"filters", "step", "confirmation"}) {
        if (alert.details.contains(name)) explain[name] = alert.details.at(name);
    }
    json["explain"] = std::move(explain);
    Json changes = Json::array();
    for (const auto& change : trail) {
        changes.push_back({{"at", document::utc_text(change.at_ms)},
                           {"action", change.action},
                           {"by", change.by},
                           {"note", text_or_null(change.note)},
                           {"before", store::to_string(change.before)},
                           {"after", store::to_string(change.after)}});
    }
    json["trail"] = std::move(changes);
    return json;
}

}  // namespace foxbench::alerts
