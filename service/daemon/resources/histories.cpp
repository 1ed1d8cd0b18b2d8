#include "service/alerts/watch.hpp"
#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/history/render.hpp"
#include "service/store/history_store.hpp"
#include "service/url/url.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

Json series_json(const store::FollowedSeries& series) {
    const std::string self = "/v1/series/" + url::percent_encoded(series.id);
    return {{"id", series.id},
            {"host", series.key.host},
            {"host_name", series.key.host_name},
            {"workload", series.key.workload},
            {"target", series.key.target},
            {"series", series.key.series},
            {"table", series.key.table},
            {"parameters", series.key.parameters},
            {"points", series.points},
            {"last_night", series.last_night},
            {"links", {{"points", self + "/points"}, {"plot", self + "/plot.svg"}}}};
}

bidi::Task<Response> list_series(Context& context, const Request& request) {
    struct Filter {
        const char* name;
        std::string history::SeriesKey::*member;
        std::optional<std::string> wanted;
    };
    std::vector<Filter> filters = {{"host", &history::SeriesKey::host_name, {}},
                                   {"target", &history::SeriesKey::target, {}},
                                   {"workload", &history::SeriesKey::workload, {}},
                                   {"series", &history::SeriesKey::series, {}}};
    for (auto& filter : filters) filter.wanted = request.query_text(filter.name);
    Json answer = co_await context.read([&] {
        Json list = Json::array();
        for (const auto& series : store::HistoryStore(context.reader).list()) {
            const bool admitted = std::ranges::all_of(filters, [&](const Filter& filter) {
                return !filter.wanted || series.key.*filter.member == *filter.wanted;
            });
            if (admitted) list.push_back(series_json(series));
        }
        const auto spreads = store::HistoryStore(context.reader).all_spreads();
        return Json{
            {"series", std::move(list)},
            {"aa",
             {{"runs_of_series", spreads.runs}, {"compared", spreads.compared}, {"false_calls", spreads.false_calls}}}};
    });
    auto response = http::json_response(answer);
    response.cacheable = true;
    co_return response;
}

/// The history as it is now, written by `write` on the reader's pool.
template <class Write>
bidi::Task<Response> answer_history(Context& context, const Request& request, std::string type, Write write) {
    const auto config = context.config;  // held: a reload replaces it
    auto text = co_await context.read(
        [&] { return write(alerts::load_history(context.reader, request.parameter("id"), config->alerts)); });
    auto response = http::text_response(std::move(type), std::move(text));
    response.cacheable = true;
    co_return response;
}

bidi::Task<Response> get_points(Context& context, const Request& request) {
    const bool csv = request.media_type.starts_with("text/csv");
    return answer_history(context, request, csv ? "text/csv; charset=utf-8" : "application/json",
                          [csv](const history::SeriesHistory& history) {
                              return csv ? history::to_csv(history) : document::to_text(history::to_json(history));
                          });
}

bidi::Task<Response> get_plot(Context& context, const Request& request) {
    return answer_history(context, request, "image/svg+xml",
                          [](const history::SeriesHistory& history) { return history::to_svg(history); });
}

}  // namespace

void add_history_routes(http::RouteTable& table, Context& context) {
    auto list = read_route("/v1/series", "listSeries",
                           [&context](const Request& request) { return list_series(context, request); });
    list.query = {"host", "target", "workload", "series"};
    table.add(std::move(list));
    auto points = read_route("/v1/series/{id}/points", "getSeriesPoints",
                             [&context](const Request& request) { return get_points(context, request); });
    points.produces = {"application/json", "text/csv; charset=utf-8"};
    points.query = {"format"};
    table.add(std::move(points));
    auto plot = read_route("/v1/series/{id}/plot.svg", "getSeriesPlot",
                           [&context](const Request& request) { return get_plot(context, request); });
    plot.produces = {"image/svg+xml"};
    table.add(std::move(plot));
}

}  // namespace foxbench::daemon
