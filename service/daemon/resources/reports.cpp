#include <algorithm>
#include <sstream>

#include "service/daemon/report_cache.hpp"
#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/document/json_text.hpp"
#include "service/host/digest.hpp"
#include "service/report/render.hpp"
#include "service/report/text.hpp"

namespace foxbench::daemon {
namespace {

using document::Json;
using http::Problem;
using http::Request;
using http::Response;

std::shared_ptr<const RenderedReport> rendered(std::string body) {
    auto report = std::make_shared<RenderedReport>();
    report->etag = host::sha256_hex(body).substr(0, 32);
    report->body = std::move(body);
    return report;
}

/// A report or one of its tables: of a finished run from the cache, of one that goes on as it is now.
bidi::Task<Response> get_report(Context& context, const Request& request, std::optional<report::Table> table) {
    const auto format = format_of(request);
    const std::string what =
        std::string(table ? report::to_string(*table) : "report") + "." + std::string(report::to_string(format));
    const std::string& asked = request.parameter("id");
    std::string id;
    // Asked for before the run is read, so that what is kept is at least as new as it says.
    const auto revision = co_await context.read([&] {
        id = run_named(context.reader, asked);
        return context.reader.revision(id);
    });
    auto report = context.reports.find(id, revision, what);
    if (!report) {
        bool final = false;
        report = co_await context.read([&] {
            const auto document = context.reader.load(id);
            final = document::is_final(document.state);
            return rendered(table ? report::render_table(document, *table, format) : report::render(document, format));
        });
        if (final) context.reports.keep(id, revision, what, report);
    }
    if (http::client_has(request, report->etag)) co_return http::not_modified_response(report->etag);
    auto response = http::text_response(std::string(report::media_type(format)), report->body);
    response.cacheable = true;
    response.etag = report->etag;
    if (format == report::Format::html) response.fields.push_back(page_policy());
    co_return response;
}

bidi::Task<Response> get_document(Context& context, const Request& request) {
    auto text = co_await context.read([&] {
        return document::to_text(
            document::to_json(context.reader.load(run_named(context.reader, request.parameter("id")))));
    });
    auto response = http::text_response("application/json", std::move(text));
    response.cacheable = true;
    co_return response;
}

// ---- samples ----

/// Which passes are asked for.
struct SampleFilter {
    std::optional<std::string> series;
    std::optional<std::int64_t> pass;  ///< from 1; 0 is the warm-up
};

SampleFilter sample_filter(const Request& request) {
    SampleFilter filter;
    filter.series = request.query_text("series");
    const auto pass = request.query_text("pass");
    if (pass == "warmup") {
        filter.pass = 0;
    } else if (pass) {
        filter.pass = request.query_count("pass", 1, 1'000'000);
    }
    return filter;
}

/// Calls `visit(target, launch, series, pass, Pass)` for each pass that the filter admits, the warm-up as pass 0.
template <class Visit>
void each_pass(const document::RunDocument& run, const SampleFilter& filter, const Visit& visit) {
    for (const auto& target : run.targets) {
        for (std::size_t launch = 0; launch < target.launches.size(); ++launch) {
            for (const auto& series : target.launches[launch].series) {
                if (filter.series && series.name != *filter.series) continue;
                if (series.warmup && filter.pass.value_or(0) == 0) visit(target, launch + 1, series, 0, *series.warmup);
                for (std::size_t i = 0; i < series.passes.size(); ++i) {
                    const auto pass = static_cast<std::int64_t>(i) + 1;
                    if (filter.pass.value_or(pass) == pass) visit(target, launch + 1, series, pass, series.passes[i]);
                }
            }
        }
    }
}

std::string samples_csv(const document::RunDocument& run, const SampleFilter& filter) {
    std::string csv = "target,launch,series,pass,call,latency_us\r\n";
    each_pass(run, filter,
              [&](const auto& target, std::size_t launch, const auto& series, std::int64_t number,
                  const document::Pass& pass) {
                  const std::string begin = report::csv_cell(target.name) + "," + std::to_string(launch) + "," +
                                            report::csv_cell(series.name) + "," +
                                            (number == 0 ? std::string("warmup") : std::to_string(number)) + ",";
                  for (std::size_t call = 0; call < pass.latencies_us.size(); ++call)
                      csv += begin + std::to_string(call + 1) + "," + Json(pass.latencies_us[call]).dump() + "\r\n";
              });
    return csv;
}

std::string samples_json(const document::RunDocument& run, const SampleFilter& filter) {
    Json list = Json::array();
    each_pass(run, filter,
              [&](const auto& target, std::size_t launch, const auto& series, std::int64_t number,
                  const document::Pass& pass) {
                  list.push_back({{"target", target.name},
                                  {"launch", launch},
                                  {"series", series.name},
                                  {"pass", number == 0 ? Json("warmup") : Json(number)},
                                  {"total_ms", pass.total_ms},
                                  {"latencies_us", pass.latencies_us}});
              });
    return document::to_text({{"run", run.id}, {"samples", std::move(list)}});
}

void check_series(const document::RunDocument& run, const SampleFilter& filter) {
    if (!filter.series) return;
    std::vector<std::string> known;
    for (const auto& target : run.targets) {
        for (const auto& launch : target.launches) {
            for (const auto& series : launch.series) {
                if (series.name == *filter.series) return;
                if (std::ranges::find(known, series.name) == known.end()) known.push_back(series.name);
            }
        }
    }
    std::string names;
    for (const auto& name : known) names += (names.empty() ? "" : ", ") + name;
    throw Problem(404, "the run has no series '" + document::printable(*filter.series) + "'. It has: " + names + ".");
}

bidi::Task<Response> get_samples(Context& context, const Request& request) {
    const auto filter = sample_filter(request);
    const bool csv = request.media_type.starts_with("text/csv");
    auto text = co_await context.read([&] {
        const auto run = context.reader.load(run_named(context.reader, request.parameter("id")));
        check_series(run, filter);
        return csv ? samples_csv(run, filter) : samples_json(run, filter);
    });
    auto response = http::text_response(csv ? "text/csv; charset=utf-8" : "application/json", std::move(text));
    response.cacheable = true;
    co_return response;
}

// ---- log ----

Json log_of(const document::RunDocument& run) {
    Json launches = Json::array();
    for (const auto& target : run.targets) {
        for (std::size_t i = 0; i < target.launches.size(); ++i) {
            const auto& launch = target.launches[i];
            launches.push_back({{"target", target.name},
                                {"launch", i + 1},
                                {"failure", launch.failure ? Json(*launch.failure) : Json(nullptr)},
                                {"anomalies", launch.extra.value("anomalies", Json::array())},
                                {"browser_log", launch.extra.value("browser_log", Json(nullptr))}});
        }
    }
    return {{"run", run.id}, {"log", run.extra.value("log", Json::array())}, {"launches", std::move(launches)}};
}

std::string log_text(const Json& log) {
    std::string text;
    for (const auto& line : log.at("log"))
        text +=
            line.value("at", std::string()) + " " + document::printable(line.value("text", std::string()), 2000) + "\n";
    for (const auto& launch : log.at("launches")) {
        const std::string title =
            launch.at("target").get<std::string>() + ", launch " + std::to_string(launch.at("launch").get<int>());
        if (launch.at("failure").is_string())
            text += title + ": " + document::printable(launch.at("failure").get<std::string>(), 2000) + "\n";
        for (const auto& anomaly : launch.at("anomalies"))
            text += title + ": " + document::printable(anomaly.get<std::string>(), 2000) + "\n";
        if (launch.at("browser_log").is_string()) {
            text += title + ", the browser's output:\n";
            std::istringstream lines(launch.at("browser_log").get<std::string>());
            for (std::string line; std::getline(lines, line);) text += "    " + document::printable(line, 2000) + "\n";
        }
    }
    return text;
}

bidi::Task<Response> get_log(Context& context, const Request& request) {
    const auto log = co_await context.read(
        [&] { return log_of(context.reader.load(run_named(context.reader, request.parameter("id")))); });
    if (request.media_type.starts_with("text/plain"))
        co_return http::text_response("text/plain; charset=utf-8", log_text(log));
    co_return http::json_response(log);
}

report::Table table_named(const Request& request) {
    try {
        return report::table_from(request.parameter("table"));
    } catch (const Error& error) {
        throw Problem(404, error.what());
    }
}

}  // namespace

void add_report_routes(http::RouteTable& table, Context& context) {
    auto whole = read_route("/v1/runs/{id}/report", "getRunReport",
                            [&context](const Request& request) { return get_report(context, request, std::nullopt); });
    auto part = read_route("/v1/runs/{id}/tables/{table}", "getRunTable", [&context](const Request& request) {
        return get_report(context, request, table_named(request));
    });
    for (auto* route : {&whole, &part}) {
        route->produces = report_types();
        route->query = {"format"};
        table.add(std::move(*route));
    }
    table.add(read_route("/v1/runs/{id}/document", "getRunDocument",
                         [&context](const Request& request) { return get_document(context, request); }));

    auto samples = read_route("/v1/runs/{id}/samples", "getRunSamples",
                              [&context](const Request& request) { return get_samples(context, request); });
    samples.produces = {"text/csv; charset=utf-8", "application/json"};
    samples.query = {"series", "pass", "format"};
    table.add(std::move(samples));

    auto log = read_route("/v1/runs/{id}/log", "getRunLog",
                          [&context](const Request& request) { return get_log(context, request); });
    log.produces = {"application/json", "text/plain; charset=utf-8"};
    table.add(std::move(log));
}

}  // namespace foxbench::daemon
