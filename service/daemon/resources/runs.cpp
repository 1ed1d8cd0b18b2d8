#include "service/daemon/expected_waits.hpp"
#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/daemon/run_request.hpp"
#include "service/daemon/store_adapters.hpp"
#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"
#include "service/log/log.hpp"
#include "service/run/preparation.hpp"
#include "service/run/run_files.hpp"
#include "service/store/results_folder.hpp"
#include "service/url/url.hpp"

namespace foxbench::daemon {
namespace {

using http::Problem;
using http::Request;
using http::Response;

// ---- list ----

std::optional<std::int64_t> query_time(const Request& request, const std::string& name) {
    const auto text = request.query_text(name);
    if (!text) return std::nullopt;
    const auto at = document::utc_milliseconds(*text);
    if (!at)
        throw Problem(422, name + ": '" + document::printable(*text) +
                               "' is no time; expected ISO 8601, such as 2026-09-16T05:13:01Z or 2026-09-16");
    return at;
}

store::RunFilter filter_of(const Request& request) {
    store::RunFilter filter;
    if (const auto state = request.query_text("state")) filter.state = document::run_state_from(*state);
    filter.workload = request.query_text("workload");
    filter.target = request.query_text("target");
    filter.label = request.query_text("label");
    filter.host = request.query_text("host");
    filter.trigger = request.query_text("trigger");
    filter.since_ms = query_time(request, "since");
    filter.until_ms = query_time(request, "until");
    filter.limit = static_cast<std::size_t>(
        request.query_count("limit", 1, static_cast<std::int64_t>(store::kMaxListLimit)).value_or(50));
    filter.cursor = request.query_text("cursor");
    return filter;
}

std::string link_to_next(const Request& request, const std::string& cursor) {
    std::string target = request.path + "?";
    for (const auto& [name, value] : request.query) {
        if (name != "cursor") target += url::percent_encoded(name) + "=" + url::percent_encoded(value) + "&";
    }
    return "<" + target + "cursor=" + url::percent_encoded(cursor) + ">; rel=\"next\"";
}

bidi::Task<Response> list_runs(Context& context, const Request& request) {
    const auto filter = filter_of(request);
    const auto page = co_await context.read([&] { return context.reader.list(filter); });
    Json runs = Json::array();
    for (const auto& run : page.runs) runs.push_back(run_summary(run));
    auto response = http::json_response({{"runs", std::move(runs)}, {"next", or_null(page.next)}});
    if (page.next) response.fields.emplace_back("Link", link_to_next(request, *page.next));
    co_return response;
}

// ---- one ----

/// Where a queued run stands: its position from 1, and when it will begin.
struct Place {
    std::size_t position = 0;
    std::optional<double> eta_seconds;
};

/// `first` is when the first of the queue will begin; `length_of` gives how long a job takes.
template <class LengthOf>
Place place_of(const std::string& run, const std::vector<store::Job>& queue, std::optional<double> first,
               const LengthOf& length_of) {
    Place place;
    std::vector<std::optional<double>> lengths;
    for (const auto& job : queue) {
        lengths.push_back(length_of(job));
        if (job.run == run) {
            place.position = lengths.size();
            place.eta_seconds = expected_waits(first, lengths).back();
            break;
        }
    }
    return place;
}

std::optional<double> current_eta(const Context& context) {
    const auto& current = context.jobs.current();
    if (!current) return 0.0;
    return current->progress ? current->progress->eta_seconds : std::nullopt;
}

bidi::Task<Json> describe_run(Context& context, std::string id) {
    const auto eta = current_eta(context);
    Json run = co_await context.read([&] {
        const auto name = run_named(context.reader, id);
        const auto summary = context.reader.load_summary(name);
        Json json = run_summary(summary);
        const auto job = context.reader.job_of(name);
        json["queued_at"] = job ? Json(document::utc_text(job->queued_at_ms)) : Json(nullptr);
        json["config"] = job ? job->request.at("config") : context.reader.load(name).config;
        json["request"] = job ? job->request : Json(nullptr);
        if (summary.state == document::RunState::queued) {
            const auto place = place_of(name, context.reader.queue(), eta,
                                        [&](const store::Job& one) { return expected_seconds(one, context.reader); });
            json["queue_position"] = place.position;
            json["eta_seconds"] = or_null(place.eta_seconds);
        }
        return json;
    });
    run["progress"] = nullptr;
    run["stage"] = nullptr;
    if (const auto& current = context.jobs.current(); current && current->job.run == run.at("id").get<std::string>()) {
        if (current->progress) run["progress"] = progress_json(*current->progress);
        if (!current->stage.empty()) run["stage"] = current->stage;
    }
    co_return run;
}

bidi::Task<Response> get_run(Context& context, const Request& request) {
    co_return http::json_response(co_await describe_run(context, request.parameter("id")));
}

// ---- start ----

Response queued_response(const std::string& run, const Place& place) {
    return http::created_response(202, "/v1/runs/" + run,
                                  {{"id", run},
                                   {"state", "queued"},
                                   {"queue_position", place.position},
                                   {"eta_seconds", or_null(place.eta_seconds)},
                                   {"links", run_links(run)}});
}

/// The job and the answer under the request's Idempotency-Key are stored together: whoever asks again after a crash in
/// between gets this run, and not a second one.
bidi::Task<Response> queue_job(Context& context, const Request& request, store::NewJob job) {
    if (context.stopping) throw Problem(503, "the daemon is ending; it takes no new runs");
    const auto eta = current_eta(context);
    // Looked up before, so that the transaction is short. A job that comes in between has no known length.
    std::map<std::string, std::optional<double>> lengths = co_await context.read([&] {
        std::map<std::string, std::optional<double>> known;
        for (const auto& waiting : context.reader.queue())
            known[waiting.run] = expected_seconds(waiting, context.reader);
        return known;
    });
    Response response;
    const store::AnswerTo answer_to = [&](const std::string& run) {
        response = queued_response(
            run, place_of(run, context.store.queue(), eta, [&](const store::Job& one) { return lengths[one.run]; }));
        return keyed_answer(request, response);
    };
    const auto id = co_await context.write([&] { return context.store.enqueue(job, answer_to); });
    log::info("run.queued", "a run was queued", {{"run", id}});
    context.events.publish("run.queued", id, {{"id", id}, {"state", "queued"}});
    context.jobs.wake();
    co_return response;
}

bidi::Task<Response> start_run(Context& context, const Request& request) {
    const auto config = context.config;
    const auto asked = parse_run_request(request.json, *config);
    const auto now = now_ms();
    store::NewJob job;
    job.skeleton = run::make_queued_document(asked.job.request, *config, now);
    job.request = run::freeze(asked.job);
    job.priority = asked.priority;
    job.queued_at_ms = now;
    co_return co_await queue_job(context, request, std::move(job));
}

bidi::Task<Response> rerun(Context& context, const Request& request) {
    const auto config = context.config;
    const auto id = request.parameter("id");
    const auto before = co_await context.read([&] { return context.reader.job_of(run_named(context.reader, id)); });
    if (!before) {
        throw Problem(409,
                      "the run did not come from this queue (it was imported, or measured by the command line), so "
                      "that what it was asked for is not known here; POST /v1/runs asks for a new one");
    }
    auto again = run::thaw(before->request, config->workloads);
    again.request.trigger = {{"kind", "http"}, {"name", "rerun of " + before->run}};
    again.terms = {};
    const auto now = now_ms();
    store::NewJob job;
    job.skeleton = run::make_queued_document(again.request, *config, now);
    job.request = run::freeze(again);
    job.priority = before->priority;
    job.queued_at_ms = now;
    co_return co_await queue_job(context, request, std::move(job));
}

// ---- end ----

/// Takes a run out of the queue. False where it is not there any more, but running.
bidi::Task<bool> cancel_queued(Context& context, const std::string& id) {
    run::RunOutcome outcome;
    outcome.id = id;
    outcome.state = document::RunState::cancelled;
    outcome.reason = "Cancelled before it began";
    const auto at = document::utc_text(now_ms());
    std::optional<std::string> fault;
    const bool cancelled = co_await context.write([&] {
        const auto state = context.store.load_summary(id).state;
        if (document::is_final(state))
            throw Problem(409, "the run has ended already: it is " + std::string(document::to_string(state)));
        if (state == document::RunState::running) return false;
        context.store.finish_run(id, outcome.state, outcome.reason, at);
        fault = run::try_write_run_files(context.store, id);
        return true;
    });
    if (fault) context.listener.on_trouble(id, *fault);
    if (cancelled) context.listener.on_finished(outcome);
    co_return cancelled;
}

bidi::Task<Response> cancel_run(Context& context, const Request& request) {
    const auto id = co_await context.read([&] { return run_named(context.reader, request.parameter("id")); });
    // It may be taken from the queue between the two questions, or, where the daemon is ending, go back there.
    constexpr int kTries = 3;
    for (int i = 0; i < kTries; ++i) {
        bool ended = false;
        if (co_await context.jobs.cancel(id)) {
            ended = co_await context.read([&] { return document::is_final(context.reader.load_summary(id).state); });
        } else {
            ended = co_await cancel_queued(context, id);
        }
        if (ended) co_return http::json_response(co_await describe_run(context, id));
    }
    throw Problem(409, "another process measures this run; end it there");
}

bidi::Task<Response> delete_run(Context& context, const Request& request) {
    const auto id = co_await context.read([&] { return run_named(context.reader, request.parameter("id")); });
    co_await context.write([&] {
        if (!document::is_final(context.store.load_summary(id).state))
            throw Problem(409, "the run has not ended; cancel it first (POST /v1/runs/" + id + "/cancel)");
        context.store.remove(id);
    });
    co_await context.write([&] { store::remove_run_folder(context.store.results_dir(), id); });
    log::info("run.deleted", "by request", {{"run", id}});
    context.events.publish("run.deleted", id, {{"id", id}});
    co_return http::empty_response();
}

}  // namespace

void add_run_routes(http::RouteTable& table, Context& context) {
    using http::Method;
    auto list =
        read_route("/v1/runs", "listRuns", [&context](const Request& request) { return list_runs(context, request); });
    list.query = {"state", "workload", "target", "label", "host", "trigger", "since", "until", "limit", "cursor"};
    table.add(std::move(list));
    table.add(read_route("/v1/runs/{id}", "getRun",
                         [&context](const Request& request) { return get_run(context, request); }));

    auto start = change_route(Method::post, "/v1/runs", "startRun",
                              [&context](const Request& request) { return start_run(context, request); });
    start.body = http::Body::json;
    table.add(std::move(start));
    table.add(change_route(Method::post, "/v1/runs/{id}/rerun", "rerunRun",
                           [&context](const Request& request) { return rerun(context, request); }));
    table.add(change_route(Method::post, "/v1/runs/{id}/cancel", "cancelRun",
                           [&context](const Request& request) { return cancel_run(context, request); }));
    table.add(change_route(Method::del, "/v1/runs/{id}", "deleteRun",
                           [&context](const Request& request) { return delete_run(context, request); }));
}

}  // namespace foxbench::daemon
