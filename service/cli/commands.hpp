#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// One function a subcommand, each in a file of its own: it declares the subcommand's options and what it does.
namespace foxbench::cli {

/// What a subcommand does once its options are read; gives the exit code.
using Action = std::function<int()>;

/// What a subcommand is given to declare itself.
struct Registry {
    CLI::App& application;
    /// All arguments, for what depends on them before they are parsed: the options of `run` come from the workload's
    /// manifest.
    const std::vector<std::string>& arguments;
    /// What the chosen subcommand does; set by its callback.
    Action& chosen;

    /// Declares a subcommand with its help, and examples for the help's end.
    CLI::App& add(const std::string& name, const std::string& description, const std::string& examples,
                  Action action) const;
};

void add_run(const Registry& registry);
/// The same for an A/A run: one target against itself.
void add_aa(const Registry& registry);
void add_compare(const Registry& registry);
void add_history(const Registry& registry);
void add_baseline(const Registry& registry);
void add_alerts(const Registry& registry);
void add_selftest(const Registry& registry);
void add_render(const Registry& registry);
void add_export(const Registry& registry);
void add_import(const Registry& registry);
void add_list(const Registry& registry);
void add_show(const Registry& registry);
void add_delete(const Registry& registry);
void add_doctor(const Registry& registry);
void add_serve(const Registry& registry);
void add_watch(const Registry& registry);
/// queue, schedules, cancel, reload.
void add_daemon_commands(const Registry& registry);
/// prune, backup.
void add_maintenance_commands(const Registry& registry);
void add_config(const Registry& registry);
void add_version(const Registry& registry);

}  // namespace foxbench::cli
