#include <algorithm>

#include "service/compare/render.hpp"
#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/store/comparisons.hpp"

namespace foxbench::daemon {
namespace {

using http::Problem;
using http::Request;
using http::Response;

bidi::Task<Response> get_comparison(Context& context, const Request& request) {
    const auto base = request.query_text("base");
    const auto next = request.query_text("new");
    if (!base || !next) {
        throw Problem(422,
                      "base and new are needed: each an id, latest or baseline:NAME, with :TARGET where one target "
                      "is meant");
    }
    store::CompareRequest asked;
    asked.base = *base;
    asked.next = *next;
    asked.force = request.query_flag("force");
    const bool explain = request.query_flag("explain");
    const auto format = format_of(request);
    std::string verdict;
    auto text = co_await context.read([&] {
        const auto comparisons = store::compare_runs(context.reader, asked);
        verdict = stats::to_string(compare::overall(comparisons));
        return compare::render(comparisons, format, explain);
    });
    auto response = http::text_response(std::string(report::media_type(format)), std::move(text));
    response.cacheable = true;
    response.fields.emplace_back(kVerdictField, verdict);
    if (format == report::Format::html) response.fields.push_back(page_policy());
    co_return response;
}

}  // namespace

void add_compare_routes(http::RouteTable& table, Context& context) {
    auto route = read_route("/v1/compare", "compareRuns",
                            [&context](const Request& request) { return get_comparison(context, request); });
    route.produces = report_types();
    route.query = {"base", "new", "explain", "force", "format"};
    table.add(std::move(route));
}

}  // namespace foxbench::daemon
