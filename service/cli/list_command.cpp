#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/run_source.hpp"
#include "service/document/json_text.hpp"
#include "service/document/utc_time.hpp"
#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::cli {
namespace {

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::string state, workload, target, label, host, since, until, cursor;
    std::size_t limit = 50;
    bool json = false;
};

std::optional<std::string> given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

std::optional<std::int64_t> time_of(const std::string& text, const char* option) {
    if (text.empty()) return std::nullopt;
    if (const auto time = document::utc_milliseconds(text)) return time;
    throw Error(ErrorCode::usage,
                std::string(option) + ": '" + text + "' is no time; write 2026-09-16 or 2026-09-16T05:13:01Z");
}

store::RunFilter make_filter(const Options& options) {
    store::RunFilter filter;
    if (!options.state.empty()) filter.state = document::run_state_from(options.state);
    filter.workload = given(options.workload);
    filter.target = given(options.target);
    filter.label = given(options.label);
    filter.host = given(options.host);
    filter.since_ms = time_of(options.since, "--since");
    filter.until_ms = time_of(options.until, "--until");
    filter.cursor = given(options.cursor);
    filter.limit = options.limit;
    return filter;
}

document::Json to_json(const store::RunPage& page) {
    auto runs = document::Json::array();
    for (const auto& run : page.runs) {
        document::Json entry = {{"id", run.id},
                                {"state", document::to_string(run.state)},
                                {"workload", run.workload},
                                {"targets", run.targets}};
        const auto add = [&](const char* name, const std::optional<std::string>& value) {
            entry[name] = value ? document::Json(*value) : document::Json(nullptr);
        };
        add("label", run.label);
        add("note", run.note);
        add("reason", run.reason);
        add("host", run.host);
        add("preset", run.preset);
        add("trigger", run.trigger_kind);
        add("started_at", run.started_at);
        add("finished_at", run.finished_at);
        runs.push_back(std::move(entry));
    }
    return {{"runs", std::move(runs)}, {"next", page.next ? document::Json(*page.next) : document::Json(nullptr)}};
}

void print_table(const store::RunPage& page) {
    std::vector<std::vector<std::string>> rows{{"RUN", "STATE", "STARTED", "PRESET", "TARGETS", "NOTE"}};
    for (const auto& run : page.runs) {
        std::vector<std::string> row{run.id,
                                     document::to_string(run.state),
                                     run.started_at.value_or("-"),
                                     run.preset.value_or("-"),
                                     text::join(run.targets),
                                     run.reason.value_or(run.note.value_or(""))};
        for (auto& cell : row) cell = for_terminal(cell);
        rows.push_back(std::move(row));
    }
    std::cout << align_columns(rows);
    if (page.next) std::cerr << "There are more: --cursor " << *page.next << "\n";
}

int list_runs(const Options& options) {
    const auto page = open_runs(options.store, options.daemon)->list(make_filter(options));
    if (options.json) {
        std::cout << document::to_text(to_json(page), 2) << "\n";
    } else if (page.runs.empty()) {
        std::cerr << "There are no such runs.\n";
    } else {
        print_table(page);
    }
    return 0;
}

}  // namespace

void add_list(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("list", "List the stored runs, newest first",
                                 "  foxbench list\n"
                                 "  foxbench list --state completed --target firefox --since 2026-09-01\n"
                                 "  foxbench list --json | jq -r '.runs[].id'",
                                 [options] { return list_runs(*options); });
    command.add_option("--state", options->state, "queued, running, completed, partial, failed, cancelled or invalid");
    command.add_option("--workload", options->workload, "runs of this workload");
    command.add_option("--target", options->target, "runs with a target of this name");
    command.add_option("--label", options->label, "runs with this label");
    command.add_option("--host", options->host, "runs of the machine of this name");
    command.add_option("--since", options->since, "from this time on (UTC)")->type_name("TIME");
    command.add_option("--until", options->until, "before this time (UTC)")->type_name("TIME");
    command.add_option("--limit", options->limit, "how many at the most")
        ->capture_default_str()
        ->check(CLI::Range(std::size_t{1}, store::kMaxListLimit));
    command.add_option("--cursor", options->cursor, "go on where the list before ended");
    command.add_flag("--json", options->json, "print as JSON");
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
