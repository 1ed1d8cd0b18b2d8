#include "service/cli/run_source.hpp"

#include <utility>

#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"
#include "service/run/run_files.hpp"
#include "service/store/results_folder.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

using client::Json;

class StoreRuns : public RunSource {
public:
    explicit StoreRuns(store::Store store) : store_(std::move(store)) {}

    std::string resolve(const std::string& text) const override { return store_.resolve(text); }
    store::RunPage list(const store::RunFilter& filter) const override { return store_.list(filter); }
    std::string report(const std::string& run, const OutputOptions& as) const override {
        return as.render(store_.load(run));
    }
    std::string document(const std::string& run) const override {
        return document::to_text(document::to_json(store_.load(run)));
    }
    store::Imported import_document(const document::RunDocument& document) override {
        auto imported = store_.import_document(document);
        if (!imported.already_there) run::write_run_files(store_, imported.id);
        return imported;
    }
    void remove(const std::string& run) override {
        store_.remove(run);
        store::remove_run_folder(store_.results_dir(), run);
    }

private:
    store::Store store_;
};

std::string path_of(const std::string& run) {
    return "/v1/runs/" + url::percent_encoded(run);
}

/// "/v1/runs?state=completed&limit=50".
std::string list_target(const store::RunFilter& filter) {
    std::string target = "/v1/runs?limit=" + std::to_string(filter.limit);
    const auto add = [&target](const char* name, const std::optional<std::string>& value) {
        if (value) target += std::string("&") + name + "=" + url::percent_encoded(*value);
    };
    const auto text_of = [](const std::optional<std::int64_t>& at_ms) {
        return at_ms ? std::optional(document::utc_text(*at_ms)) : std::nullopt;
    };
    add("state", filter.state ? std::optional<std::string>(document::to_string(*filter.state)) : std::nullopt);
    add("workload", filter.workload);
    add("target", filter.target);
    add("label", filter.label);
    add("host", filter.host);
    add("trigger", filter.trigger);
    add("since", text_of(filter.since_ms));
    add("until", text_of(filter.until_ms));
    add("cursor", filter.cursor);
    return target;
}

std::optional<std::string> text_or_none(const Json& object, const char* member) {
    const auto found = object.find(member);
    if (found == object.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

store::RunSummary summary_from(const Json& run) {
    store::RunSummary summary;
    summary.id = run.at("id").get<std::string>();
    summary.state = document::run_state_from(run.at("state").get<std::string>());
    summary.workload = run.at("workload").get<std::string>();
    summary.targets = run.at("targets").get<std::vector<std::string>>();
    summary.label = text_or_none(run, "label");
    summary.note = text_or_none(run, "note");
    summary.reason = text_or_none(run, "reason");
    summary.host = text_or_none(run, "host");
    summary.preset = text_or_none(run, "preset");
    summary.started_at = text_or_none(run, "started_at");
    summary.finished_at = text_or_none(run, "finished_at");
    if (const auto trigger = run.find("trigger"); trigger != run.end() && trigger->is_object()) {
        summary.trigger_kind = text_or_none(*trigger, "kind");
        summary.trigger_name = text_or_none(*trigger, "name");
    }
    return summary;
}

class DaemonRuns : public RunSource {
public:
    explicit DaemonRuns(client::DaemonClient daemon) : daemon_(std::move(daemon)) {}

    std::string resolve(const std::string& text) const override {
        return daemon_.get(path_of(text)).json().at("id").get<std::string>();
    }
    store::RunPage list(const store::RunFilter& filter) const override {
        const Json answer = daemon_.get(list_target(filter)).json();
        store::RunPage page;
        for (const auto& run : answer.at("runs")) page.runs.push_back(summary_from(run));
        page.next = text_or_none(answer, "next");
        return page;
    }
    std::string report(const std::string& run, const OutputOptions& as) const override {
        // A word that is none is refused before it becomes a part of an address.
        const auto format = std::string(report::to_string(report::format_from(as.format)));
        const std::string what =
            as.table.empty() ? "/report" : "/tables/" + std::string(report::to_string(report::table_from(as.table)));
        return daemon_.get(path_of(run) + what + "?format=" + format, "*/*").body;
    }
    std::string document(const std::string& run) const override { return daemon_.get(path_of(run) + "/document").body; }
    store::Imported import_document(const document::RunDocument& document) override {
        const Json answer = daemon_.post("/v1/imports", document::to_json(document)).json();
        return {answer.at("id").get<std::string>(), answer.at("already_there").get<bool>()};
    }
    void remove(const std::string& run) override { daemon_.del(path_of(run)); }

private:
    client::DaemonClient daemon_;
};

}  // namespace

std::unique_ptr<RunSource> open_runs(const StoreOptions& store, const DaemonOption& daemon, store::Store::Mode mode) {
    const auto config = store.load();
    if (auto found = daemon.find_unless(store, config)) return std::make_unique<DaemonRuns>(std::move(*found));
    if (mode == store::Store::Mode::create) return std::make_unique<StoreRuns>(open_or_create(config.results));
    return std::make_unique<StoreRuns>(store::Store(config.results, mode));
}

}  // namespace foxbench::cli
