#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/daemon/scheduler.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

bidi::Task<Response> list_schedules(Context& context, const Request&) {
    Json list = co_await context.scheduler.describe();
    co_return http::json_response({{"schedules", std::move(list)}});
}

bidi::Task<Response> trigger(Context& context, const Request& request) {
    const auto run = co_await context.scheduler.trigger(request.parameter("name"));
    const Json answer = {{"id", run}, {"state", "queued"}, {"links", run_links(run)}};
    co_return http::created_response(202, "/v1/runs/" + run, answer);
}

bidi::Task<Response> set_paused(Context& context, const Request& request, bool paused) {
    co_await context.scheduler.set_paused(request.parameter("name"), paused);
    const Json answer = {{"name", request.parameter("name")}, {"paused", paused}};
    co_return http::json_response(answer);
}

void add_change(http::RouteTable& table, const std::string& verb, http::Handler handler, bool by_key) {
    http::Route route;
    route.method = http::Method::post;
    route.pattern = "/v1/schedules/{name}/" + verb;
    route.operation = verb + "Schedule";
    route.scope = http::Scope::run;
    route.idempotent_by_key = by_key;
    route.handler = std::move(handler);
    table.add(std::move(route));
}

}  // namespace

void add_schedule_routes(http::RouteTable& table, Context& context) {
    http::Route list;
    list.pattern = "/v1/schedules";
    list.operation = "listSchedules";
    list.handler = [&context](const Request& request) { return list_schedules(context, request); };
    table.add(std::move(list));

    add_change(
        table, "trigger", [&context](const Request& request) { return trigger(context, request); }, true);
    add_change(
        table, "pause", [&context](const Request& request) { return set_paused(context, request, true); }, false);
    add_change(
        table, "resume", [&context](const Request& request) { return set_paused(context, request, false); }, false);
}

}  // namespace foxbench::daemon
