#include "service/document/levels.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "service/document/json_text.hpp"
#include "service/document/object_reader.hpp"
#include "service/error.hpp"

namespace foxbench::document {
namespace {

// ---- writing ----

/// Fills one object; what has no value is left out.
class ObjectWriter {
public:
    void put(const char* name, Json value) { members().emplace_back(name, std::move(value)); }
    void put(const char* name, const std::optional<std::string>& value) { put_if(name, value); }
    void put(const char* name, const std::optional<bool>& value) { put_if(name, value); }
    void put(const char* name, const std::optional<std::int64_t>& value) { put_if(name, value); }
    void put(const char* name, const std::optional<Json>& value) { put_if(name, value); }
    void put(const char* name, const std::optional<double>& value) {
        if (value) put(name, number_to_json(*value));
    }
    template <class T>
    void put_nullable(const char* name, const std::optional<T>& value, const std::vector<std::string>& absent) {
        if (value)
            put(name, value);
        else if (std::find(absent.begin(), absent.end(), name) == absent.end())
            put(name, Json(nullptr));
    }

    /// Adds the members that no typed member has taken, and gives the object away.
    Json finish(const Json& extra) {
        if (extra.is_object()) {
            const std::size_t typed = members().size();
            for (const auto& [name, value] : extra.get_ref<const Json::object_t&>()) {
                const auto end = members().begin() + static_cast<std::ptrdiff_t>(typed);
                const bool taken = std::any_of(members().begin(), end,
                                               [&key = name](const auto& member) { return member.first == key; });
                if (!taken) members().emplace_back(name, value);
            }
        }
        return std::move(object_);
    }

private:
    Json::object_t& members() { return object_.get_ref<Json::object_t&>(); }
    template <class T>
    void put_if(const char* name, const std::optional<T>& value) {
        if (value) put(name, Json(*value));
    }

    Json object_ = Json::object();
};

Json to_json(const Environment& environment) {
    // What storage_estimate holds besides its two known members lies in `extra` under its name.
    Json estimate;
    if (environment.extra.is_object() && environment.extra.contains("storage_estimate")) {
        estimate = environment.extra["storage_estimate"];
    }
    if (environment.storage_usage_bytes || environment.storage_quota_bytes) {
        ObjectWriter known;
        known.put("usage", environment.storage_usage_bytes);
        known.put("quota", environment.storage_quota_bytes);
        estimate = known.finish(estimate);
    }
    ObjectWriter out;
    out.put("user_agent", environment.user_agent);
    out.put("platform", environment.platform);
    out.put("hardware_concurrency", environment.hardware_concurrency);
    out.put("timestamp", environment.timestamp);
    out.put("timer_resolution_us", environment.timer_resolution_us);
    out.put("cross_origin_isolated", environment.cross_origin_isolated);
    if (!estimate.is_null()) out.put("storage_estimate", std::move(estimate));
    return out.finish(environment.extra);
}

Json to_json(const SeriesSummary& summary) {
    ObjectWriter out;
    const auto put = [&](const char* name, const auto& value) { out.put_nullable(name, value, summary.absent); };
    put("calls", summary.calls);
    put("total_ms", summary.total_ms);
    put("total_min_ms", summary.total_min_ms);
    put("total_max_ms", summary.total_max_ms);
    put("ops_per_s", summary.ops_per_s);
    put("mb_per_s", summary.mb_per_s);
    put("p50_us", summary.p50_us);
    put("p90_us", summary.p90_us);
    put("p99_us", summary.p99_us);
    put("max_us", summary.max_us);
    put("first_us", summary.first_us);
    put("first_min_us", summary.first_min_us);
    put("first_max_us", summary.first_max_us);
    return out.finish(summary.extra);
}

Json to_json(const Browser& browser) {
    ObjectWriter out;
    out.put("name", Json(browser.name));
    if (!browser.version.empty()) out.put("version", Json(browser.version));
    out.put("build_id", browser.build_id);
    out.put("source_repository", browser.source_repository);
    out.put("source_stamp", browser.source_stamp);
    out.put("binary", browser.binary);
    out.put("sha256", browser.sha256);
    out.put("local_build", browser.local_build);
    return out.finish(browser.extra);
}

Json to_json(const Host& host) {
    ObjectWriter out;
    out.put("name", host.name);
    out.put("id", host.id);
    out.put("cpu", host.cpu);
    out.put("threads", host.threads);
    out.put("memory_bytes", host.memory_bytes);
    out.put("os", host.os);
    out.put("kernel", host.kernel);
    out.put("arch", host.arch);
    return out.finish(host.extra);
}

Json to_json(const Profiles& profiles) {
    ObjectWriter out;
    out.put("filesystem", profiles.filesystem);
    out.put("mount", profiles.mount);
    out.put("device", profiles.device);
    out.put("options", profiles.options);
    return out.finish(profiles.extra);
}

// ---- reading ----

Environment environment_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Environment environment;
    environment.user_agent = in.text("user_agent");
    environment.platform = in.text("platform");
    environment.hardware_concurrency = in.whole_number("hardware_concurrency");
    environment.timestamp = in.text("timestamp");
    environment.timer_resolution_us = in.number("timer_resolution_us");
    environment.cross_origin_isolated = in.boolean("cross_origin_isolated");
    Json other_estimates;
    bool nothing_known = false;
    if (const Json* estimate = in.find("storage_estimate")) {
        ObjectReader inner(*estimate, in.pointer_to("storage_estimate"));
        environment.storage_usage_bytes = inner.number("usage");
        environment.storage_quota_bytes = inner.number("quota");
        other_estimates = inner.extra();
        nothing_known = !environment.storage_usage_bytes && !environment.storage_quota_bytes;
        if (nothing_known && other_estimates.is_null()) other_estimates = Json::object();
    }
    environment.extra = in.extra();
    if (!other_estimates.is_null()) {
        if (environment.extra.is_null()) environment.extra = Json::object();
        environment.extra["storage_estimate"] = std::move(other_estimates);
    }
    return environment;
}

SeriesSummary summary_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    SeriesSummary summary;
    const auto number = [&](const char* name) { return in.nullable_number(name, summary.absent); };
    summary.calls = in.nullable_whole_number("calls", summary.absent);
    summary.total_ms = number("total_ms");
    summary.total_min_ms = number("total_min_ms");
    summary.total_max_ms = number("total_max_ms");
    summary.ops_per_s = number("ops_per_s");
    summary.mb_per_s = number("mb_per_s");
    summary.p50_us = number("p50_us");
    summary.p90_us = number("p90_us");
    summary.p99_us = number("p99_us");
    summary.max_us = number("max_us");
    summary.first_us = number("first_us");
    summary.first_min_us = number("first_min_us");
    summary.first_max_us = number("first_max_us");
    summary.extra = in.extra();
    return summary;
}

Browser browser_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Browser browser;
    browser.name = in.required_text("name");
    if (json.contains("version")) browser.version = in.required_text("version");
    browser.build_id = in.text("build_id");
    browser.source_repository = in.text("source_repository");
    browser.source_stamp = in.text("source_stamp");
    browser.binary = in.text("binary");
    browser.sha256 = in.text("sha256");
    browser.local_build = in.boolean("local_build");
    browser.extra = in.extra();
    return browser;
}

Host host_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Host host;
    host.name = in.text("name");
    host.id = in.text("id");
    host.cpu = in.text("cpu");
    host.threads = in.whole_number("threads");
    host.memory_bytes = in.number("memory_bytes");
    host.os = in.text("os");
    host.kernel = in.text("kernel");
    host.arch = in.text("arch");
    host.extra = in.extra();
    return host;
}

Profiles profiles_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Profiles profiles;
    profiles.filesystem = in.text("filesystem");
    profiles.mount = in.text("mount");
    profiles.device = in.text("device");
    profiles.options = in.text("options");
    profiles.extra = in.extra();
    return profiles;
}

/// The parameters stay as they are, since each workload has its own; those that version 1 names must have its types,
/// because reports compute with them.
Json config_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    (void)in.text("preset");
    for (const char* name : {"launches", "calls", "bytes", "passes", "files"}) (void)in.whole_number(name);
    if (const Json* chunks = in.find("chunks")) {
        if (!chunks->is_array()) in.fail("chunks", "expected an array of whole numbers");
        for (std::size_t i = 0; i < chunks->size(); ++i) {
            (void)whole_number_from((*chunks)[i], pointer_to(in.pointer_to("chunks"), i));
        }
    }
    if (const Json* cases = in.find("cases")) {
        if (!cases->is_array()) in.fail("cases", "expected an array of strings");
        for (std::size_t i = 0; i < cases->size(); ++i) {
            if (!(*cases)[i].is_string())
                throw Error(ErrorCode::usage, pointer_to(in.pointer_to("cases"), i) + ": expected a string");
        }
    }
    return json;
}

Json trigger_from(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    (void)in.required_text("kind");
    (void)in.text("name");
    return json;
}

}  // namespace

Json own_members(const RunDocument& document) {
    ObjectWriter out;
    out.put("format", Json(kFormat));
    out.put("version", Json(kVersion));
    out.put("id", Json(document.id));
    out.put("workload", Json(document.workload));
    out.put("label", document.label);
    out.put("note", document.note);
    out.put("state", Json(to_string(document.state)));
    out.put("reason", document.reason);
    out.put("trigger", document.trigger);
    out.put("started_at", document.started_at);
    out.put("finished_at", document.finished_at);
    if (document.host) out.put("host", to_json(*document.host));
    if (document.profiles) out.put("profiles", to_json(*document.profiles));
    out.put("config", document.config);
    out.put("report_markdown", document.report_markdown);
    return out.finish(document.extra);
}

RunDocument run_from_own_members(const Json& json) {
    ObjectReader in(json, "");
    RunDocument document;
    in.skip("format");
    in.skip("version");
    in.skip("targets");
    document.id = in.required_text("id");
    document.workload = in.required_text("workload");
    document.label = in.text("label");
    document.note = in.text("note");
    const std::string state = in.required_text("state");
    try {
        document.state = run_state_from(state);
    } catch (const Error& error) {
        in.fail("state", error.what());
    }
    document.reason = in.text("reason");
    if (const Json* trigger = in.find("trigger")) document.trigger = trigger_from(*trigger, in.pointer_to("trigger"));
    document.started_at = in.text("started_at");
    document.finished_at = in.text("finished_at");
    if (const Json* host = in.find("host")) document.host = host_from(*host, in.pointer_to("host"));
    if (const Json* profiles = in.find("profiles"))
        document.profiles = profiles_from(*profiles, in.pointer_to("profiles"));
    document.config = config_from(in.require("config", "an object"), in.pointer_to("config"));
    document.report_markdown = in.text("report_markdown");
    document.extra = in.extra();
    return document;
}

Json own_members(const Target& target) {
    ObjectWriter out;
    out.put("name", Json(target.name));
    out.put("browser", to_json(target.browser));
    out.put("prefs", target.prefs);
    out.put("env", target.env);
    out.put("note", target.note);
    return out.finish(target.extra);
}

Target target_from_own_members(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Target target;
    in.skip("launches");
    target.name = in.required_text("name");
    target.browser = browser_from(in.require("browser", "an object"), in.pointer_to("browser"));
    target.prefs = in.object("prefs");
    target.env = in.object("env");
    target.note = in.text("note");
    target.extra = in.extra();
    return target;
}

Json own_members(const Launch& launch) {
    ObjectWriter out;
    if (launch.environment) out.put("environment", to_json(*launch.environment));
    out.put("noise", launch.noise);
    out.put("failure", launch.failure);
    return out.finish(launch.extra);
}

Launch launch_from_own_members(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Launch launch;
    in.skip("series");
    if (const Json* environment = in.find("environment")) {
        launch.environment = environment_from(*environment, in.pointer_to("environment"));
    }
    launch.noise = in.object("noise");
    launch.failure = in.text("failure");
    launch.extra = in.extra();
    return launch;
}

Json own_members(const Series& series) {
    ObjectWriter out;
    out.put("name", Json(series.name));
    out.put("table", Json(series.table));
    out.put_nullable("bytes_per_call", series.bytes_per_call, series.absent);
    out.put_nullable("bytes_total", series.bytes_total, series.absent);
    if (series.summary) out.put("summary", to_json(*series.summary));
    return out.finish(series.extra);
}

Series series_from_own_members(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Series series;
    series.name = in.required_text("name");
    series.table = in.required_text("table");
    if (series.table != kPerCall && series.table != kPerFile) {
        in.fail("table", "expected \"" + std::string(kPerCall) + "\" or \"" + kPerFile + "\"");
    }
    series.bytes_per_call = in.nullable_whole_number("bytes_per_call", series.absent);
    series.bytes_total = in.nullable_whole_number("bytes_total", series.absent);
    if (const Json* summary = in.find("summary")) series.summary = summary_from(*summary, in.pointer_to("summary"));
    (void)in.find("warmup");
    // Beside a summary passes are not expected, so that an empty list of them would not be written again if it counted
    // as known.
    const Json* passes = json.contains("passes") ? &json.at("passes") : nullptr;
    const bool empty_beside_summary = series.summary && passes != nullptr && passes->is_array() && passes->empty();
    if (!empty_beside_summary) (void)in.find("passes");
    series.extra = in.extra();
    return series;
}

Json own_members(const Pass& pass) {
    ObjectWriter out;
    out.put("total_ms", number_to_json(pass.total_ms));
    out.put("started_at_ms", pass.started_at_ms);
    out.put("finished_at_ms", pass.finished_at_ms);
    out.put("verified", pass.verified);
    return out.finish(pass.extra);
}

Pass pass_from_own_members(const Json& json, const std::string& pointer) {
    ObjectReader in(json, pointer);
    Pass pass;
    in.skip("latencies_us");
    pass.total_ms = in.required_number("total_ms");
    pass.started_at_ms = in.number("started_at_ms");
    pass.finished_at_ms = in.number("finished_at_ms");
    pass.verified = in.object_else_unknown("verified");
    pass.extra = in.extra();
    return pass;
}

}  // namespace foxbench::document
