#include <csignal>
#include <cstdlib>
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <boost/asio.hpp>
#include <unistd.h>

#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/progress_printer.hpp"
#include "service/cli/settings.hpp"
#include "service/cli/watch.hpp"
#include "service/error.hpp"
#include "service/report/tables.hpp"
#include "service/run/run_files.hpp"
#include "service/run/runner.hpp"
#include "service/text/words.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

namespace asio = boost::asio;
using document::RunState;

constexpr const char* kExamples =
    "  foxbench run\n"
    "  foxbench run --preset full --label nightly-2026-09-15\n"
    "  foxbench run --firefox ~/firefox/obj-opt/dist/bin/firefox --note 'patch 0002'\n"
    "  foxbench run --config lab.yaml --targets base,patched --launches 5\n"
    "  foxbench run --cases small-append,new-file --calls 500 --files 50\n"
    "  foxbench run --workload opfs-sync-write --help    lists that workload's parameters";

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    std::string workload, preset, targets, firefox, label, note;
    std::optional<std::int64_t> launches;
    std::string settle;
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
    return run::resolve(wanted, config);
}

/// Ends the run at the first Ctrl-C, and this program at the second, at once: the browser dies with it.
class Interruption {
public:
    Interruption(asio::io_context& loop, run::Runner& runner) : signals_(loop, SIGINT, SIGTERM), runner_(runner) {
        wait();
    }

private:
    void wait() {
        signals_.async_wait([this](const boost::system::error_code& error, int) {
            if (error) return;
            if (interrupted_) std::_Exit(exit_code(ErrorCode::interrupted));
            interrupted_ = true;
            std::cerr << "\nEnding the run; what is finished is kept. Once more ends at once." << std::endl;
            runner_.stop(run::StopReason::interrupted);
            wait();
        });
    }

    asio::signal_set signals_;
    run::Runner& runner_;
    bool interrupted_ = false;
};

run::RunOutcome execute(const config::Config& config, store::Store& store, run::RunRequest request,
                        run::RunListener& listener, bool& interrupted) {
    // A terminal or a reader that goes away must not end a measurement.
    std::signal(SIGPIPE, SIG_IGN);
    // SQLite, compression and hashing go to one thread, so that the store is never used from two at a time.
    asio::thread_pool pool(1);
    asio::io_context loop(1);
    // While the pool works for the run, the loop has nothing to do and would end.
    const auto until_stopped = asio::make_work_guard(loop);
    run::Runner runner(config, store, pool, listener);
    Interruption interruption(loop, runner);
    std::exception_ptr failure;
    run::RunOutcome outcome;
    run::Job job;
    job.request = std::move(request);
    asio::co_spawn(loop, runner.execute(std::move(job)), [&](std::exception_ptr error, run::RunOutcome result) {
        failure = error;
        outcome = std::move(result);
        loop.stop();
    });
    loop.run();
    interrupted = runner.stopping();
    pool.join();
    if (failure) std::rethrow_exception(failure);
    return outcome;
}

void print_table(const std::string& heading, const document::RunDocument& document, report::Table table) {
    print(heading + " (median run, mean time per call)\n\n" +
          align_markdown_tables(report::render_table(document, table, report::Format::md)) + "\n");
}

void print_tables(const document::RunDocument& document) {
    const auto tables = report::make_tables(document);
    if (!tables.per_call.empty()) print_table("Per-call write cost", document, report::Table::per_call);
    if (!tables.per_file.empty()) print_table("Per-file cost", document, report::Table::per_file);
}

void print_outcome(const Options& options, const config::Config& config, const run::RunOutcome& outcome,
                   const document::RunDocument& document) {
    const auto folder = config.results / outcome.id;
    if (options.json) {
        print(document::Json{
                  {"id", outcome.id},
                  {"state", document::to_string(outcome.state)},
                  {"reason", outcome.reason.empty() ? document::Json(nullptr) : document::Json(outcome.reason)},
                  {"report", (folder / "summary.md").string()},
                  {"document", (folder / "run.json.zst").string()}}
                  .dump(2) +
              "\n");
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
    return options.firefox.empty() && options.settle.empty() &&
           (options.store.results.empty() || options.daemon.is_named());
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
    if (!options.targets.empty()) body["targets"] = text::split_list(options.targets);
    if (options.launches) body["launches"] = *options.launches;
    if (!options.overrides.empty()) body["overrides"] = options.overrides;
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
        print(end.dump(2) + "\n");
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
        if (const auto daemon = options.daemon.find(config)) return run_in_daemon(options, *daemon);
    }
    if (!options.settle.empty()) config.settle = text::parse_duration(options.settle);
    auto request = make_request(options, config);
    auto store = open_or_create(config.results);
    for (const auto& id : store.recover()) {
        run::write_run_files(store, id);
        std::cerr << "note: run " << id << " had lost its foxbench; what was finished of it is kept\n";
    }

    using Style = ProgressPrinter::Style;
    ProgressPrinter printer(options.quiet ? Style::quiet : isatty(STDERR_FILENO) ? Style::bar : Style::lines);
    bool interrupted = false;
    const auto outcome = execute(config, store, std::move(request), printer, interrupted);
    printer.finish();
    print_outcome(options, config, outcome, store.load(outcome.id));
    return interrupted ? exit_code(ErrorCode::interrupted) : exit_code_of(outcome.state);
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
        for (const auto& [preset, values] : manifest.presets)
            about += "; " + preset + ": " + workload::in_words(parameter, values.at(parameter.name));
        add(parameter.name, about);
    }
}

}  // namespace

void add_run(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command = registry.add("run", "Measure one or more browsers, store the run, print its tables", kExamples,
                                 [options] { return run_workload(*options); });
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
                    "browser launches of each target, 1 to 100 (default: as configured, 1)")
        ->type_name("COUNT");
    command.add_option("--label", options->label, "what to call the run; becomes part of its id")->type_name("TEXT");
    command.add_option("--note", options->note, "what the report says about the run")->type_name("TEXT");
    command
        .add_option("--settle", options->settle,
                    "pause between page load and first pass (default: as configured, 500ms)")
        ->type_name("TIME");
    command.add_flag("--json", options->json, "print id, state and files as JSON instead of the tables");
    command.add_flag("-q,--quiet", options->quiet, "no progress");
    options->daemon.add_to(command);
    options->store.add_to(command);
    add_parameters(command, registry, *options);
}

}  // namespace foxbench::cli
