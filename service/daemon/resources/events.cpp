#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

bidi::Task<Response> all_events(Context& context, const Request& request) {
    co_return http::event_response(context.events.subscribe(std::nullopt, request.last_event_id));
}

bidi::Task<Response> events_of_run(Context& context, const Request& request) {
    const auto id = co_await context.read([&] { return run_named(context.reader, request.parameter("id")); });
    co_return http::event_response(context.events.subscribe(id, request.last_event_id));
}

}  // namespace

void add_event_routes(http::RouteTable& table, Context& context) {
    http::Route all;
    all.pattern = "/v1/events";
    all.operation = "streamEvents";
    all.produces = {"text/event-stream"};
    all.handler = [&context](const Request& request) { return all_events(context, request); };
    table.add(std::move(all));

    http::Route one;
    one.pattern = "/v1/runs/{id}/events";
    one.operation = "streamRunEvents";
    one.produces = {"text/event-stream"};
    one.handler = [&context](const Request& request) { return events_of_run(context, request); };
    table.add(std::move(one));
}

}  // namespace foxbench::daemon
