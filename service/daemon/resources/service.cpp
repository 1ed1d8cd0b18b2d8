#include <filesystem>

#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/daemon/scheduler.hpp"
#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"
#include "service/host/facts.hpp"
#include "service/http/openapi.hpp"
#include "service/http/problem.hpp"
#include "service/log/log.hpp"
#include "service/run/stuck.hpp"
#include "service/text/words.hpp"

namespace foxbench::daemon {
namespace {

using http::Problem;
using http::Request;
using http::Response;
using std::chrono::milliseconds;

constexpr const char* kText = "text/plain; charset=utf-8";
/// Less would not hold a pass and its report.
constexpr std::uint64_t kLeastFreeBytes = std::uint64_t{100} << 20;
/// The scheduler looks at the clock at least this often unless it hangs.
constexpr milliseconds kLateTick = 3 * milliseconds(Scheduler::kLongestSleep);
/// A night's jobs are done within a day, or the queue is stuck (rustc-perf#1430).
constexpr std::int64_t kOldestQueued = std::int64_t{24} * 3600 * 1000;

// ---- health ----

struct Check {
    std::string name;
    bool good = true;
    std::string detail;
};

bidi::Task<std::vector<Check>> check_everything(Context& context) {
    std::vector<Check> checks;
    Check database;
    database.name = "database";
    if (context.jobs.current()) {
        database.detail = "in use by the running job";  // a sync of ours would be in its measurement
    } else {
        try {
            co_await context.write([&] { static_cast<void>(context.store.reserve_event_ids(1)); });
            database.detail = "writable";
        } catch (const std::exception& error) {
            database.good = false;
            database.detail = error.what();
        }
    }
    checks.push_back(database);

    Check scheduler;
    scheduler.name = "scheduler";
    const std::int64_t tick = context.scheduler.last_tick_ms();
    scheduler.good = tick == 0 || now_ms() - tick < kLateTick.count();
    scheduler.detail = tick == 0 ? "starting" : "looked at the clock at " + document::utc_text(tick);
    checks.push_back(scheduler);

    Check runner;
    runner.name = "runner";
    if (const auto& current = context.jobs.current()) {
        const auto stuck = run::why_stuck(*current, std::chrono::steady_clock::now());
        runner.good = !stuck;
        runner.detail = stuck.value_or("at work on " + current->job.run);
    } else {
        runner.detail = "idle";
    }
    checks.push_back(runner);

    Check queue;
    queue.name = "queue";
    const auto oldest = co_await context.read([&] { return context.reader.oldest_queued_at_ms(); });
    queue.good = !oldest || now_ms() - *oldest < kOldestQueued;
    queue.detail = oldest ? "the oldest job waits since " + document::utc_text(*oldest) : "empty";
    checks.push_back(queue);

    Check disk;
    disk.name = "disk";
    const auto free = host::free_bytes(context.config->results);
    disk.good = !free || *free >= kLeastFreeBytes;
    disk.detail = free ? text::format_size(static_cast<std::int64_t>(*free >> 20 << 20)) + " free" : "unknown";
    checks.push_back(disk);

    Check running;
    running.name = "running";
    running.good = !context.stopping;
    running.detail = context.stopping ? "the daemon is ending" : "yes";
    checks.push_back(running);
    co_return checks;
}

/// One line says how it is; the others, one a check, what is wrong or with `?verbose` everything.
bidi::Task<Response> get_ready(Context& context, const Request& request) {
    const bool verbose = request.query_flag("verbose");
    const auto checks = co_await check_everything(context);
    std::string lines;
    bool good = true;
    for (const auto& check : checks) {
        good = good && check.good;
        if (verbose || !check.good)
            lines += (check.good ? "[+] " : "[-] ") + check.name + ": " + document::printable(check.detail, 500) + "\n";
    }
    auto response = http::text_response(kText, (good ? "ok\n" : "not ready\n") + lines);
    response.status = good ? 200 : 503;
    co_return response;
}

bidi::Task<Response> get_live(const Request&) {
    co_return http::text_response(kText, "ok\n");
}

// ---- about ----

bidi::Task<Response> get_version(Context& context, const Request&) {
    co_return http::json_response({{"version", FOXBENCH_VERSION},
                                   {"document_version", document::kVersion},
                                   {"started_at", document::utc_text(context.started_at_ms)},
                                   {"results", context.config->results.string()},
                                   {"host", or_null(host::read_host().name)}});
}

bidi::Task<Response> get_openapi(const Request&) {
    auto response = http::text_response("application/json", std::string(http::openapi_text()));
    response.cacheable = true;
    co_return response;
}

bidi::Task<Response> get_metrics(Context& context, const Request&) {
    struct Figures {
        std::map<document::RunState, std::int64_t> states;
        std::size_t waiting = 0;
        std::optional<std::int64_t> oldest;
        std::int64_t bytes = 0;
    };
    const auto figures = co_await context.read([&] {
        Figures now;
        now.states = context.reader.count_by_state();
        now.waiting = context.reader.queue().size();
        now.oldest = context.reader.oldest_queued_at_ms();
        now.bytes = context.reader.database_bytes();
        return now;
    });
    using document::RunState;
    for (const auto state : {RunState::queued, RunState::running, RunState::completed, RunState::partial,
                             RunState::failed, RunState::cancelled, RunState::invalid}) {
        const auto count = figures.states.find(state);
        context.metrics.set_runs_stored(state, count == figures.states.end() ? 0 : count->second);
    }
    context.metrics.set_measuring(context.jobs.current().has_value());
    const double age = figures.oldest ? static_cast<double>(now_ms() - *figures.oldest) / 1000 : 0;
    context.metrics.set_queue(static_cast<std::int64_t>(figures.waiting), age);
    context.metrics.set_database_bytes(figures.bytes);
    context.metrics.set_event_streams(static_cast<std::int64_t>(context.events.subscribers()));
    co_return http::text_response(metrics::Metrics::kContentType, context.metrics.text());
}

// ---- operation ----

bidi::Task<Response> reload(Context& context, const Request&) {
    const auto changes = context.reload();
    co_return http::json_response({{"changes", changes}});
}

bidi::Task<Response> get_log_level(const Request&) {
    co_return http::json_response({{"level", log::to_string(log::level())}});
}

bidi::Task<Response> set_log_level(const Request& request) {
    const auto level = request.json.is_object() ? request.json.find("level") : request.json.end();
    if (!request.json.is_object() || level == request.json.end() || !level->is_string() || request.json.size() != 1) {
        Problem problem(422, "expected {\"level\": \"debug\" | \"info\" | \"warn\" | \"error\"}");
        problem.errors = {{"/level", "expected one of debug, info, warn, error"}};
        throw problem;
    }
    log::set_level(log::level_from(level->get<std::string>()));
    co_return http::json_response({{"level", log::to_string(log::level())}});
}

/// What anybody may ask: how the process is and what it is.
http::Route open_route(const std::string& pattern, const std::string& operation, http::Handler handler) {
    auto route = read_route(pattern, operation, std::move(handler));
    route.scope = http::Scope::none;
    return route;
}

}  // namespace

void add_service_routes(http::RouteTable& table, Context& context) {
    const auto ready = [&context](const Request& request) { return get_ready(context, request); };
    auto livez = open_route("/livez", "getLivez", [](const Request& request) { return get_live(request); });
    auto readyz = open_route("/readyz", "getReadyz", ready);
    auto healthz = open_route("/healthz", "getHealthz", ready);
    readyz.query = healthz.query = {"verbose"};
    for (auto* route : {&livez, &readyz, &healthz}) {
        route->always = true;
        route->produces = {kText};
        table.add(std::move(*route));
    }
    auto figures = read_route("/metrics", "getMetrics",
                              [&context](const Request& request) { return get_metrics(context, request); });
    figures.produces = {metrics::Metrics::kContentType};
    table.add(std::move(figures));
    table.add(open_route("/version", "getVersion",
                         [&context](const Request& request) { return get_version(context, request); }));
    table.add(
        open_route("/v1/openapi.json", "getOpenApi", [](const Request& request) { return get_openapi(request); }));

    table.add(change_route(http::Method::post, "/v1/reload", "reloadConfiguration",
                           [&context](const Request& request) { return reload(context, request); }));
    table.add(
        read_route("/v1/log-level", "getLogLevel", [](const Request& request) { return get_log_level(request); }));
    auto level = change_route(http::Method::put, "/v1/log-level", "setLogLevel",
                              [](const Request& request) { return set_log_level(request); });
    level.body = http::Body::json;
    table.add(std::move(level));
}

}  // namespace foxbench::daemon
