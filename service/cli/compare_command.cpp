#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "service/alerts/watch.hpp"
#include "service/cli/aligned.hpp"
#include "service/cli/commands.hpp"
#include "service/cli/daemon_option.hpp"
#include "service/cli/settings.hpp"
#include "service/compare/render.hpp"
#include "service/error.hpp"
#include "service/store/comparisons.hpp"
#include "service/url/url.hpp"

namespace foxbench::cli {
namespace {

constexpr int kExitSlower = 4;
constexpr int kExitCannotTell = 5;

struct Options {
    StoreOptions store;
    DaemonOption daemon;
    store::CompareRequest request;
    std::string format = "md", file;
    bool json = false, explain = false;
};

struct Compared {
    std::string text, verdict;
};

Compared compare_in_daemon(const Options& options, const client::DaemonClient& daemon) {
    std::string target = "/v1/compare?base=" + url::percent_encoded(options.request.base) +
                         "&new=" + url::percent_encoded(options.request.next) + "&format=" + options.format;
    if (options.explain) target += "&explain=1";
    if (options.request.force) target += "&force=1";
    const auto answer = daemon.get(target, "*/*");
    const auto verdict = answer.headers.find("foxbench-verdict");
    if (verdict == answer.headers.end())
        throw Error(ErrorCode::environment, "the daemon at " + daemon.url() + " gave no verdict: it is an older one");
    return {answer.body, verdict->second};
}

Compared compare_in_store(const Options& options) {
    auto store = options.store.open_existing();
    // A/A runs count from the moment they are stored, daemon or not.
    while (alerts::take_next(store)) {
    }
    const auto comparisons = store::compare_runs(store, options.request);
    return {compare::render(comparisons, report::format_from(options.format), options.explain),
            stats::to_string(compare::overall(comparisons))};
}

int exit_code_of(const std::string& verdict) {
    if (verdict == stats::to_string(stats::Verdict::slower)) return kExitSlower;
    return verdict == stats::to_string(stats::Verdict::cannot_tell) ? kExitCannotTell : 0;
}

int compare_sides(Options& options) {
    if (options.json) options.format = "json";
    (void)report::format_from(options.format);  // a wrong word is found before anything is asked
    const auto daemon = options.daemon.find_unless(options.store, options.store.load());
    auto compared = daemon ? compare_in_daemon(options, *daemon) : compare_in_store(options);
    OutputOptions output;
    output.file = options.file;
    const bool to_terminal = options.file.empty() && isatty(STDOUT_FILENO) != 0;
    output.write(to_terminal && options.format == "md" ? align_markdown_tables(compared.text) : compared.text);
    return exit_code_of(compared.verdict);
}

}  // namespace

void add_compare(const Registry& registry) {
    const auto options = std::make_shared<Options>();
    auto& command =
        registry.add("compare", "Is NEW slower than BASE? Series by series, with intervals and what cannot be told",
                     "  foxbench compare 2026-09-15_02-00-00 latest\n"
                     "  foxbench compare latest:firefox latest:patched          two targets of one run\n"
                     "  foxbench compare baseline:release-152 latest --explain\n"
                     "  foxbench compare baseline:release-152 latest > bug.md   to paste into a bug report\n"
                     "Exit codes: 0 nothing is slower, 4 something is slower, 5 it cannot be told.",
                     [options] { return compare_sides(*options); });
    command
        .add_option("BASE", options->request.base, "a run's id, latest or baseline:NAME; :TARGET after it names one")
        ->required();
    command.add_option("NEW", options->request.next, "the same")->required();
    command.add_option("--format", options->format, "md, json, csv or html")->capture_default_str();
    command.add_flag("--json", options->json, "the same as --format json");
    command.add_flag("--explain", options->explain, "every condition of each verdict, with its value and threshold");
    command.add_flag("--force", options->request.force, "compare also what did different work");
    command.add_option("-o,--output", options->file, "write to this file, all or nothing")->type_name("FILE");
    options->daemon.add_to(command);
    options->store.add_to(command);
}

}  // namespace foxbench::cli
