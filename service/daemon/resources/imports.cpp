#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/http/problem.hpp"
#include "service/log/log.hpp"
#include "service/report/import_markdown.hpp"
#include "service/run/run_files.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

document::RunDocument read_import(const Request& request) {
    if (request.content_type == "text/markdown") return report::import_markdown(request.body, "the request");
    return document::from_json(request.json);
}

bidi::Task<Response> import(Context& context, const Request& request) {
    const bool dry_run = request.query_flag("dry_run");
    const auto document = co_await context.read([&] { return read_import(request); });
    if (dry_run) {
        const Json answer = {{"id", document.id}, {"dry_run", true}, {"targets", document.targets.size()}};
        co_return http::json_response(answer);
    }
    if (!document::is_final(document.state))
        throw http::Problem(422, "the run has not ended, and nobody here would end it; export it once it has");
    std::optional<std::string> fault;
    const auto imported = co_await context.write([&] {
        const auto result = context.store.import_document(document);
        if (!result.already_there) fault = run::try_write_run_files(context.store, result.id);
        return result;
    });
    if (fault) context.listener.on_trouble(imported.id, *fault);
    const Json answer = {
        {"id", imported.id}, {"already_there", imported.already_there}, {"links", run_links(imported.id)}};
    if (imported.already_there) co_return http::json_response(answer);
    log::info("run.imported", "by request", {{"run", imported.id}});
    context.events.publish("run.imported", imported.id, {{"id", imported.id}});
    context.wake_histories();
    co_return http::created_response(201, "/v1/runs/" + imported.id, answer);
}

}  // namespace

void add_import_routes(http::RouteTable& table, Context& context) {
    auto route = change_route(http::Method::post, "/v1/imports", "importRun",
                              [&context](const Request& request) { return import(context, request); });
    route.body = http::Body::import_;
    route.query = {"dry_run"};
    table.add(std::move(route));
}

}  // namespace foxbench::daemon
