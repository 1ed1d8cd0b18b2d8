#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/daemon/scheduler.hpp"
#include "service/daemon/store_adapters.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

bidi::Task<Response> list_schedules(Context& context, const Request&) {
    Json list = co_await context.scheduler.describe();
    co_return http::json_response({{"schedules", std::move(list)}});
}

bidi::Task<Response> trigger(Context& context, const Request& request) {
    Response response;
    store::AnswerTo answer_to = [&](const std::string& run) {
        response = http::created_response(202, "/v1/runs/" + run,
                                          {{"id", run}, {"state", "queued"}, {"links", run_links(run)}});
        return keyed_answer(request, response);
    };
    co_await context.scheduler.trigger(request.parameter("name"), std::move(answer_to));
    co_return response;
}

bidi::Task<Response> set_paused(Context& context, const Request& request, bool paused) {
    co_await context.scheduler.set_paused(request.parameter("name"), paused);
    const Json answer = {{"name", request.parameter("name")}, {"paused", paused}};
    co_return http::json_response(answer);
}

}  // namespace

void add_schedule_routes(http::RouteTable& table, Context& context) {
    using http::Method;
    const std::string one = "/v1/schedules/{name}";
    table.add(read_route("/v1/schedules", "listSchedules",
                         [&context](const Request& request) { return list_schedules(context, request); }));
    table.add(change_route(Method::post, one + "/trigger", "triggerSchedule",
                           [&context](const Request& request) { return trigger(context, request); }));
    table.add(change_route(Method::post, one + "/pause", "pauseSchedule",
                           [&context](const Request& request) { return set_paused(context, request, true); }));
    table.add(change_route(Method::post, one + "/resume", "resumeSchedule",
                           [&context](const Request& request) { return set_paused(context, request, false); }));
}

}  // namespace foxbench::daemon
