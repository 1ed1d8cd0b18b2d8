#include "service/store/baselines.hpp"

#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/document/utc_time.hpp"
#include "service/http/json_body.hpp"
#include "service/log/log.hpp"

namespace foxbench::daemon {
namespace {

using http::Problem;
using http::Request;
using http::Response;
using store::Baseline;
using store::Baselines;

Json baseline_json(const Baseline& baseline) {
    return {{"name", baseline.name},
            {"run", baseline.run},
            {"note", or_null(baseline.note)},
            {"set_at", document::utc_text(baseline.set_at_ms)},
            {"links", {{"run", "/v1/runs/" + baseline.run}}}};
}

bidi::Task<Response> list_baselines(Context& context, const Request&) {
    Json list = co_await context.read([&] {
        Json all = Json::array();
        for (const auto& baseline : Baselines(context.reader).list()) all.push_back(baseline_json(baseline));
        return all;
    });
    co_return http::json_response({{"baselines", std::move(list)}});
}

bidi::Task<Response> get_baseline(Context& context, const Request& request) {
    const auto baseline =
        co_await context.read([&] { return Baselines(context.reader).find(request.parameter("name")); });
    auto response = http::json_response(baseline_json(baseline));
    response.cacheable = true;
    co_return response;
}

bidi::Task<Response> put_baseline(Context& context, const Request& request) {
    http::BodyReader body(request.json);
    const auto run = body.text("run", document::kMaxRunIdLength);
    if (!run) body.fault("run", "run: expected the id of a run, or latest");
    Baseline baseline;
    baseline.name = request.parameter("name");
    baseline.note = body.lines("note", document::kMaxNoteCharacters);
    body.finish();
    baseline.set_at_ms = now_ms();
    co_await context.write([&] {
        baseline.run = run_named(context.store, *run);
        Baselines(context.store).set(baseline);
    });
    log::info("baseline.set", "a run was named", {{"baseline", baseline.name}, {"run", baseline.run}});
    co_return http::json_response(baseline_json(baseline));
}

bidi::Task<Response> delete_baseline(Context& context, const Request& request) {
    const std::string& name = request.parameter("name");
    co_await context.write([&] { Baselines(context.store).remove(name); });
    log::info("baseline.removed", "by request; its run stays", {{"baseline", name}});
    co_return http::empty_response();
}

}  // namespace

void add_baseline_routes(http::RouteTable& table, Context& context) {
    using http::Method;
    const std::string one = "/v1/baselines/{name}";
    table.add(read_route("/v1/baselines", "listBaselines",
                         [&context](const Request& request) { return list_baselines(context, request); }));
    table.add(
        read_route(one, "getBaseline", [&context](const Request& request) { return get_baseline(context, request); }));
    auto put = change_route(Method::put, one, "setBaseline",
                            [&context](const Request& request) { return put_baseline(context, request); });
    put.body = http::Body::json;
    table.add(std::move(put));
    table.add(change_route(Method::del, one, "removeBaseline",
                           [&context](const Request& request) { return delete_baseline(context, request); }));
}

}  // namespace foxbench::daemon
