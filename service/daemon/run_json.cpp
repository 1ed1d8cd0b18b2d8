#include "service/daemon/run_json.hpp"

#include "service/document/utc_time.hpp"

namespace foxbench::daemon {

Json time_or_null(const std::optional<std::int64_t>& at_ms) {
    return at_ms ? Json(document::utc_text(*at_ms)) : Json(nullptr);
}

Json run_links(const std::string& run) {
    const std::string self = "/v1/runs/" + run;
    Json tables = Json::object();
    for (const char* table : {"per-call", "per-file", "latency", "derived"}) tables[table] = self + "/tables/" + table;
    return {{"self", self},
            {"report", self + "/report"},
            {"document", self + "/document"},
            {"samples", self + "/samples"},
            {"log", self + "/log"},
            {"events", self + "/events"},
            {"tables", tables}};
}

Json run_summary(const store::RunSummary& run) {
    Json trigger = nullptr;
    if (run.trigger_kind) {
        trigger = {{"kind", *run.trigger_kind}};
        if (run.trigger_name) trigger["name"] = *run.trigger_name;
    }
    return {{"id", run.id},
            {"state", document::to_string(run.state)},
            {"reason", or_null(run.reason)},
            {"label", or_null(run.label)},
            {"note", or_null(run.note)},
            {"workload", run.workload},
            {"preset", or_null(run.preset)},
            {"targets", run.targets},
            {"host", or_null(run.host)},
            {"trigger", trigger},
            {"started_at", or_null(run.started_at)},
            {"finished_at", or_null(run.finished_at)},
            {"links", run_links(run.id)}};
}

Json progress_json(const run::Progress& progress) {
    return {{"target", progress.target},
            {"launch", progress.launch},
            {"launches", progress.launches},
            {"series", progress.series},
            {"pass", progress.pass},
            {"passes", progress.passes},
            {"passes_stored", progress.passes_stored},
            {"passes_total", progress.passes_total},
            {"eta_seconds", or_null(progress.eta_seconds)}};
}

Json queue_item(const store::Job& job, std::size_t position, std::optional<double> eta_seconds) {
    return {{"id", job.run},
            {"class", store::to_string(job.job_class)},
            {"priority", job.priority},
            {"schedule", or_null(job.schedule)},
            {"queued_at", document::utc_text(job.queued_at_ms)},
            {"queue_position", position},
            {"eta_seconds", or_null(eta_seconds)},
            {"links", run_links(job.run)}};
}

}  // namespace foxbench::daemon
