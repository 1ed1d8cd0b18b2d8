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
    auto all = read_route("/v1/events", "streamEvents",
                          [&context](const Request& request) { return all_events(context, request); });
    auto one = read_route("/v1/runs/{id}/events", "streamRunEvents",
                          [&context](const Request& request) { return events_of_run(context, request); });
    for (auto* route : {&all, &one}) {
        route->produces = {"text/event-stream"};
        table.add(std::move(*route));
    }
}

}  // namespace foxbench::daemon
