#include "service/daemon/expected_waits.hpp"
#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

bidi::Task<Response> get_queue(Context& context, const Request&) {
    const auto& current = context.jobs.current();
    Json running = nullptr;
    std::optional<double> wait = 0.0;
    if (current) {
        running = {{"id", current->job.run},
                   {"stage", current->stage},
                   {"progress", current->progress ? progress_json(*current->progress) : Json(nullptr)}};
        wait = current->progress ? current->progress->eta_seconds : std::nullopt;
    }
    Json waiting = co_await context.read([&] {
        const auto jobs = context.reader.queue();
        std::vector<std::optional<double>> lengths;
        for (const auto& job : jobs) lengths.push_back(expected_seconds(job, context.reader));
        const auto waits = expected_waits(wait, lengths);
        Json list = Json::array();
        for (std::size_t i = 0; i < jobs.size(); ++i) list.push_back(queue_item(jobs[i], i + 1, waits[i]));
        return list;
    });
    co_return http::json_response({{"running", std::move(running)}, {"waiting", std::move(waiting)}});
}

bidi::Task<Response> get_deliveries(Context& context, const Request& request) {
    const auto limit = request.query_count("limit", 1, 1000).value_or(50);
    Json list = co_await context.read([&] {
        Json all = Json::array();
        for (const auto& one : context.reader.deliveries(static_cast<std::size_t>(limit))) {
            all.push_back(
                {{"id", one.id},
                 {"url", one.url},
                 {"run", one.run},
                 {"event", one.event},
                 {"state", one.state},
                 {"attempts", one.attempts},
                 {"last_status", or_null(one.last_status)},
                 {"last_error", or_null(one.last_error)},
                 {"created_at", time_or_null(one.created_at_ms)},
                 {"next_attempt_at",
                  one.state == store::kDeliveryPending ? time_or_null(one.next_attempt_at_ms) : Json(nullptr)}});
        }
        return all;
    });
    co_return http::json_response({{"deliveries", std::move(list)}});
}

}  // namespace

void add_queue_routes(http::RouteTable& table, Context& context) {
    table.add(read_route("/v1/queue", "getQueue",
                         [&context](const Request& request) { return get_queue(context, request); }));
    auto deliveries = read_route("/v1/deliveries", "listDeliveries",
                                 [&context](const Request& request) { return get_deliveries(context, request); });
    deliveries.query = {"limit"};
    table.add(std::move(deliveries));
}

}  // namespace foxbench::daemon
