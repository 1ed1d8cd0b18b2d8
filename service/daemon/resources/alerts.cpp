#include "service/store/alerts.hpp"

#include <charconv>

#include "service/alerts/alert_json.hpp"
#include "service/alerts/decisions.hpp"
#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/http/json_body.hpp"
#include "service/log/log.hpp"

namespace foxbench::daemon {
namespace {

using http::Problem;
using http::Request;
using http::Response;
using store::Alerts;

constexpr std::int64_t kMaxListedAlerts = 1000;
constexpr std::int64_t kListedAlerts = 100;

std::int64_t alert_named(const Request& request) {
    const std::string& text = request.parameter("id");
    std::int64_t id = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc{} || stop != text.data() + text.size() || id < 1)
        throw Problem(404, "no alert has such an id: ids are whole numbers from 1");
    return id;
}

bidi::Task<Response> list_alerts(Context& context, const Request& request) {
    store::AlertFilter filter;
    filter.series = request.query_text("series");
    if (const auto state = request.query_text("state")) filter.state = store::alert_state_from(*state);
    if (request.query_text("open")) filter.open = request.query_flag("open");
    filter.limit = static_cast<std::size_t>(request.query_count("limit", 1, kMaxListedAlerts).value_or(kListedAlerts));
    Json list = co_await context.read([&] {
        Json all = Json::array();
        for (const auto& alert : Alerts(context.reader).list(filter)) all.push_back(alerts::to_json(alert));
        return all;
    });
    auto response = http::json_response({{"alerts", std::move(list)}});
    response.cacheable = true;
    co_return response;
}

bidi::Task<Response> get_alert(Context& context, const Request& request) {
    const auto id = alert_named(request);
    Json alert = co_await context.read([&] {
        const Alerts known(context.reader);
        return alerts::to_json(known.find(id), known.trail(id));
    });
    auto response = http::json_response(alert);
    response.cacheable = true;
    co_return response;
}

bidi::Task<Response> change_alert(Context& context, const Request& request) {
    const auto id = alert_named(request);
    http::BodyReader body(request.json);
    const auto action = body.text("action", 100);
    if (!action) body.fault("action", "action: expected acknowledge, unacknowledge, expected, invalid, reopen or note");
    const auto note = body.lines("note", alerts::kMaxAlertNoteCharacters).value_or("");
    const auto by = body.text("by", alerts::kMaxByCharacters).value_or("http");
    body.finish();
    const auto wanted = alerts::action_from(*action);
    const std::int64_t now = now_ms();
    Json alert = co_await context.write([&] {
        Alerts known(context.store);
        const auto decided = alerts::decide(known.find(id), known.trail(id), wanted, note, by, now);
        known.change(decided.alert, decided.change);
        return alerts::to_json(known.find(id), known.trail(id));
    });
    log::info("alert.changed", *action, {{"alert", id}, {"by", by}});
    context.events.publish("alert.changed", std::nullopt,
                           {{"id", id}, {"action", *action}, {"state", alert.at("state")}});
    co_return http::json_response(alert);
}

}  // namespace

void add_alert_routes(http::RouteTable& table, Context& context) {
    const std::string one = "/v1/alerts/{id}";
    auto list = read_route("/v1/alerts", "listAlerts",
                           [&context](const Request& request) { return list_alerts(context, request); });
    list.query = {"series", "state", "open", "limit"};
    table.add(std::move(list));
    table.add(read_route(one, "getAlert", [&context](const Request& request) { return get_alert(context, request); }));
    auto change = change_route(http::Method::patch, one, "changeAlert",
                               [&context](const Request& request) { return change_alert(context, request); });
    change.body = http::Body::json;
    table.add(std::move(change));
}

}  // namespace foxbench::daemon
