#include <charconv>
#include <cmath>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "service/cli/aa_table.hpp"
#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/in_process_run.hpp"
#include "service/cli/progress_printer.hpp"
#include "service/cli/settings.hpp"
#include "service/cli/watch.hpp"
#include "service/document/purpose.hpp"
#include "service/error.hpp"
#include "service/report/tables.hpp"
#include "service/run/run_files.hpp"
#include "service/run/runner.hpp"
#include "service/text/words.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

using document::RunState;

constexpr const char* kExamples =
    "  foxbench run\n"
    "  foxbench run --preset full --label nightly-2026-09-15\n"
    "  foxbench run --firefox ~/firefox/obj-opt/dist/bin/firefox --note 'patch 0002'\n"
    "  foxbench run --config lab.yaml --targets base,patched --launches 5\n"
    "  foxbench run --wait-quiet=0.3 --wait-quiet-for 30min\n"
    "  foxbench run --cases small-append,new-file --calls 500 --files 50\n"
    "  foxbench run --workload opfs-sync-write --help    lists that workload's parameters";

/// As many as show how much they differ, in a few minutes.
constexpr std::int64_t kAaLaunches = 10;

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::string workload, preset, targets, firefox, label, note;
    std::optional<std::int64_t> launches;
    std::string settle;
    std::optional<std::string> quiet_load;  ///< of --wait-quiet; empty where it has no value
    std::string quiet_wait;
    std::string purpose;  ///< document::kAa of `foxbench aa`
    bool json = false, quiet = false;
    std::map<std::string, std::string> overrides;  ///< by parameter; only what was given
};

run::RunRequest make_request(const Options& options, config::Config config) {
    if (!options.firefox.empty()) {
        if (!options.targets.empty())
            throw Error(ErrorCode::usage, "--firefox and --targets exclude each other: a target names its own binary");
        config::Target target;
        target.name = "firefox";
        target.binary = options.firefox;
        config.targets = {target};
        config.defaults.targets.clear();
    }
    run::Wanted wanted;
    wanted.workload = options.workload;
    wanted.preset = options.preset;
    for (const auto& [name, value] : options.overrides) wanted.overrides[name] = value;
    wanted.targets = text::split_list(options.targets);
    wanted.launches = options.launches;
    wanted.label = options.label;
    wanted.note = options.note;
    wanted.purpose = options.purpose;
    return run::resolve(wanted, config);
}

/// What was asked for of the quiet that a run waits for, each part only where it was.
struct WantedQuiet {
    std::optional<double> load_below;
    std::optional<std::chrono::milliseconds> wait;
};

/// Nothing where a run should wait as the configuration says.
std::optional<WantedQuiet> wanted_quiet(const Options& options) {
    if (!options.quiet_load && options.quiet_wait.empty()) return std::nullopt;
    WantedQuiet wanted;
    if (options.quiet_load && !options.quiet_load->empty()) {
        double load = 0;
        const std::string& word = *options.quiet_load;
        const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), load);
        if (fault != std::errc{} || end != word.data() + word.size() || !std::isfinite(load) || load <= 0)
            throw Error(ErrorCode::usage,
                        "--wait-quiet: '" + word + "' is no load; expected a number above 0, such as 0.5");
        wanted.load_below = load;
    }
    if (!options.quiet_wait.empty()) {
        wanted.wait = text::parse_duration(options.quiet_wait);
        if (*wanted.wait > config::kLongestQuietWait)
            throw Error(ErrorCode::usage, "--wait-quiet-for: expected at most 24h");
    }
    return wanted;
}

std::optional<config::Quiet> quiet_of(const Options& options, const config::Config& config) {
    const auto wanted = wanted_quiet(options);
    if (!wanted) return config.quiet;
    auto quiet = config.quiet_or_default();
    quiet.load_below = wanted->load_below.value_or(quiet.load_below);
    quiet.wait = wanted->wait.value_or(quiet.wait);
    return quiet;
}

void print_table(const std::string& heading, const document::RunDocument& document, report::Table table) {
    print(heading + " (median run, mean time per call)\n\n" +
          align_markdown_tables(report::render_table(document, table, report::Format::md)) + "\n");
}

void print_tables(const document::RunDocument& document) {
    if (document::is_aa(document)) {
        print(aa_table(document));
        return;
    }
    const auto tables = report::make_tables(document);
    if (!tables.per_call.empty()) print_table("Per-call write cost", document, report::Table::per_call);
    if (!tables.per_file.empty()) print_table("Per-file cost", document, report::Table::per_file);
}

void print_outcome(const Options& options, const config::Config& config, const run::RunOutcome& outcome,
                   const document::RunDocument& document) {
    const auto folder = config.results / outcome.id;
    if (options.json) {
        document::Json result = {
            {"id", outcome.id},
            {"state", document::to_string(outcome.state)},
            {"reason", outcome.reason.empty() ? document::Json(nullptr) : document::Json(outcome.reason)},
            {"report", (folder / "summary.md").string()},
            {"document", (folder / "run.json.zst").string()}};
        if (document::is_aa(document)) result["aa"] = aa_json(document);
        print_json(result);
    } else {
        print_tables(document);
    }
    if (outcome.state != RunState::completed) {
        std::cerr << "The run is " << document::to_string(outcome.state) << ": " << for_terminal(outcome.reason)
                  << "\n";
    }
    if (!options.quiet) {
        std::cerr << "Report: " << (folder / "summary.md").string() << "\n"
                  << "Run:    " << (folder / "run.json.zst").string() << " (foxbench show " << outcome.id << ")\n";
    }
}

/// Whether a daemon may do it: what names binaries, folders or the machine's own business is done here.
bool can_be_asked_for(const Options& options) {
    return options.firefox.empty() && options.settle.empty();
}

/// The same run, in the daemon's queue.
int run_in_daemon(const Options& options, const client::DaemonClient& daemon) {
    document::Json body = document::Json::object();
    const auto add = [&body](const char* member, const std::string& text) {
        if (!text.empty()) body[member] = text;
    };
    add("workload", options.workload);
    add("preset", options.preset);
    add("label", options.label);
    add("note", options.note);
    add("purpose", options.purpose);
    if (!options.targets.empty()) body["targets"] = text::split_list(options.targets);
    if (options.launches) body["launches"] = *options.launches;
    if (!options.overrides.empty()) body["overrides"] = options.overrides;
    if (const auto quiet = wanted_quiet(options)) {
        body["quiet"] = document::Json::object();
        if (quiet->load_below) body["quiet"]["load_below"] = *quiet->load_below;
        if (quiet->wait) body["quiet"]["wait_seconds"] = std::chrono::duration<double>(*quiet->wait).count();
    }
    const auto queued = daemon.post("/v1/runs", body).json();
    const auto run = queued.at("id").get<std::string>();
    if (!options.quiet)
        std::cerr << "Queued at " << daemon.url() << "; Ctrl-C leaves it there (foxbench cancel " << run << ")\n";

    using Style = ProgressPrinter::Style;
    ProgressPrinter printer(options.quiet ? Style::quiet : isatty(STDERR_FILENO) ? Style::bar : Style::lines);
    printer.on_started(run);
    const auto state = follow_run(daemon, run, printer);
    printer.finish();
    const auto self = "/v1/runs/" + url::percent_encoded(run);
    const auto end = daemon.get(self).json();
    if (options.json) {
        print_json(end);
    } else if (state == RunState::completed || state == RunState::partial) {
        const auto document = document::from_json(daemon.get(self + "/document").json());
        print_tables(document);
    }
    if (state != RunState::completed) {
        const auto reason = end.value("reason", document::Json(nullptr));
        std::cerr << "The run is " << document::to_string(state) << ": "
                  << (reason.is_string() ? for_terminal(reason.get<std::string>()) : "") << "\n";
    }
    if (!options.quiet) std::cerr << "Report: " << daemon.url() << self << "/report\n";
    return exit_code_of(state);
}

int run_workload(const Options& options) {
    auto config = options.store.load();
    if (can_be_asked_for(options)) {
        if (const auto daemon = options.daemon.find_unless(options.store, config))
            return run_in_daemon(options, *daemon);
    }
    if (!options.settle.empty()) config.settle = text::parse_duration(options.settle);
    run::Job job;
    job.request = make_request(options, config);
    job.terms.quiet = quiet_of(options, config);
    auto store = open_or_create(config.results);
    for (const auto& id : store.recover()) {
        run::write_run_files(store, id);
        std::cerr << "note: run " << id << " had lost its foxbench; what was finished of it is kept\n";
    }

    using Style = ProgressPrinter::Style;
    ProgressPrinter printer(options.quiet ? Style::quiet : isatty(STDERR_FILENO) ? Style::bar : Style::lines);
    const auto done = run_here(config, store, std::move(job), {}, printer);
    printer.finish();
    print_outcome(options, config, done.outcome, store.load(done.outcome.id));
    return done.interrupted ? exit_code(ErrorCode::interrupted) : exit_code_of(done.outcome.state);
}

/// The value of an option before the command line is parsed; empty where it is not given.
std::string peek(const std::vector<std::string>& arguments, const std::string& option) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == option && i + 1 < arguments.size()) return arguments[i + 1];
        if (arguments[i].starts_with(option + "=")) return arguments[i].substr(option.size() + 1);
    }
    return {};
}

/// Each parameter of the chosen workload's manifest becomes an option. A manifest or a configuration that is wrong is
/// left for the command itself to report, which reads them again.
void add_parameters(CLI::App& command, const Registry& registry, Options& options) {
    StoreOptions store;
    store.results = peek(registry.arguments, "--results");
    store.config = peek(registry.arguments, "--config");
    workload::Manifest manifest;
    try {
        const auto config = store.load();
        const auto name = peek(registry.arguments, "--workload");
        manifest = workload::find_workload(config.workloads, name.empty() ? config.defaults.workload : name);
    } catch (const Error&) {
        command.allow_extras();
        return;
    }

    const std::string group = "Parameters of " + manifest.name;
    const auto add = [&](const std::string& name, const std::string& about) {
        command
            .add_option_function<std::string>(
                "--" + name, [&options, name](const std::string& value) { options.overrides[name] = value; }, about)
            ->group(group)
            ->type_name("VALUE");
    };
    add(workload::kCases, "which cases: " + text::join(manifest.case_names()));
    for (const auto& parameter : manifest.parameters) {
        std::string about = parameter.about;
        for (const auto& [preset, values] : manifest.presets) {
            if (values.contains(parameter.name))
                about += "; " + preset + ": " + workload::in_words(parameter, values.at(parameter.name));
        }
        add(parameter.name, about);
    }
}

void add_options(CLI::App& command, const Registry& registry, const std::shared_ptr<Options>& options) {
    command.add_option("--workload", options->workload, "workload to run (default: as configured, opfs-sync-write)")
        ->type_name("NAME");
    command
        .add_option("--preset", options->preset,
                    "preset of its parameters: quick, full (default: as configured, quick)")
        ->type_name("NAME");
    command
        .add_option("--targets", options->targets, "targets of the configuration, with commas (default: as configured)")
        ->type_name("NAMES");
    command
        .add_option("--firefox", options->firefox,
                    "measure this Firefox: a binary, an object folder, or a name on the PATH")
        ->type_name("PATH");
    command
        .add_option("--launches", options->launches,
                    "browser launches of each target, 1 to 100 (default: " +
                        std::string(options->launches ? std::to_string(*options->launches) : "as configured, 1") + ")")
        ->type_name("COUNT");
    command.add_option("--label", options->label, "what to call the run; becomes part of its id")->type_name("TEXT");
    command.add_option("--note", options->note, "what the report says about the run")->type_name("TEXT");
    command
        .add_option("--settle", options->settle,
                    "pause between page load and first pass (default: as configured, 500ms)")
        ->type_name("TIME");
    command
        .add_option_function<std::vector<std::string>>(
            "--wait-quiet",
            [options](const std::vector<std::string>& values) {
                options->quiet_load = values.empty() ? "" : values.front();
            },
            "wait until the load of the last minute is below this (default: as configured, 0.5)")
        ->expected(0, 1)
        ->type_name("[LOAD]");
    command
        .add_option("--wait-quiet-for", options->quiet_wait,
                    "wait so long at most, then measure all the same (default: as configured, 30min)")
        ->type_name("TIME");
    command.add_flag("--json", options->json, "print id, state and files as JSON instead of the tables");
    command.add_flag("-q,--quiet", options->quiet, "no progress");
    options->daemon.add_to(command);
    options->store.add_to(command);
    add_parameters(command, registry, *options);
}

}  // namespace

void add_run(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("run", "Measure one or more browsers, store the run, print its tables", kExamples,
                                 [options] { return run_workload(*options); });
    add_options(command, registry, options);
}

void add_aa(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    options->purpose = document::kAa;
    options->launches = kAaLaunches;
    auto& command = registry.add("aa",
                                 "Measure a target against itself: how much launches of one build differ, which "
                                 "`compare` goes by from then on",
                                 "  foxbench aa --launches 10\n"
                                 "  foxbench aa --targets wal-full --launches 10 --preset full",
                                 [options] { return run_workload(*options); });
    add_options(command, registry, options);
}

}  // namespace foxbench::cli
