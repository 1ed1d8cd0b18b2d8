#include "service/cli/application.hpp"

#include <iostream>

#include <CLI/CLI.hpp>

#include "bidi/error.hpp"
#include "service/cli/commands.hpp"
#include "service/error.hpp"
#include "service/log/log.hpp"
#include "service/report/text.hpp"
#include "service/text/words.hpp"

namespace foxbench::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  foxbench run                                  measure the installed Firefox, print the tables\n"
    "  foxbench run --firefox ~/firefox/obj-opt      measure a local build\n"
    "  foxbench show latest --format html > run.html\n"
    "  foxbench serve                                run the daemon: nightly runs, HTTP, the dashboard\n"
    "  foxbench doctor                               what a run needs, and whether it is there\n"
    "\n"
    "foxbench COMMAND --help says more about each command.\n"
    "Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 the result is invalid or partial.";

/// Messages are one line whatever a path, a browser or a document put into them.
int report_failure(const std::string& message, int code) {
    std::cerr << "foxbench: " << report::one_line(message) << "\n";
    return code;
}

void set_up_logging(bool verbose) {
    log::Options options;
    options.level = verbose ? log::Level::debug : log::Level::warn;
    log::set_up(options);
}

/// What to say about a first argument that is no command; empty where it is one, or an option.
std::string unknown_command(const CLI::App& application, const std::string& word) {
    std::vector<std::string> known;
    for (const auto* command : application.get_subcommands([](const CLI::App*) { return true; }))
        known.push_back(command->get_name());
    if (word.starts_with('-') || std::ranges::find(known, word) != known.end()) return {};
    return "there is no command '" + word + "'." + text::suggestion(word, known);
}

int act(const Action& action) {
    try {
        const int code = action();
        std::cout.flush();
        if (!std::cout) return report_failure("the output could not be written", 1);
        return code;
    } catch (const Error& error) {
        return report_failure(error.what(), exit_code(error.code()));
    } catch (const bidi::Error& error) {
        return report_failure(error.what(), 1);
    } catch (const std::exception& error) {
        return report_failure(std::string("unexpected: ") + error.what(), 1);
    }
}

}  // namespace

CLI::App& Registry::add(const std::string& name, const std::string& description, const std::string& examples,
                        Action action) const {
    auto* command = application.add_subcommand(name, description);
    command->footer("Examples:\n" + examples);
    command->callback([&chosen = chosen, action = std::move(action)] { chosen = action; });
    return *command;
}

int run_application(const std::vector<std::string>& arguments) {
    CLI::App application{
        "foxbench measures what browser storage costs: it drives a Firefox over WebDriver BiDi and reports every "
        "call."};
    application.name("foxbench");
    application.footer(kExamples);
    application.require_subcommand(1);
    bool verbose = false;
    application.add_flag("-v,--verbose", verbose, "say on stderr what is going on");
    application.fallthrough();

    Action chosen;
    try {
        const Registry registry{application, arguments, chosen};
        for (const auto add : {add_run,
                               add_compare,
                               add_aa,
                               add_baseline,
                               add_history,
                               add_alerts,
                               add_selftest,
                               add_show,
                               add_list,
                               add_render,
                               add_export,
                               add_import,
                               add_delete,
                               add_serve,
                               add_watch,
                               add_daemon_commands,
                               add_maintenance_commands,
                               add_config,
                               add_doctor,
                               add_version})
            add(registry);
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
        if (!reversed.empty()) reversed.pop_back();
        application.parse(reversed);
    } catch (const CLI::Success& help) {
        return application.exit(help);
    } catch (const CLI::ParseError& error) {
        if (arguments.size() < 2) return application.exit(CLI::CallForHelp(), std::cerr, std::cerr), 2;
        if (const auto wrong = unknown_command(application, arguments[1]); !wrong.empty())
            return report_failure(wrong, 2);
        return report_failure(std::string(error.what()) + " (foxbench --help, foxbench COMMAND --help)", 2);
    } catch (const Error& error) {
        return report_failure(error.what(), exit_code(error.code()));
    }
    set_up_logging(verbose);
    return act(chosen);
}

}  // namespace foxbench::cli
