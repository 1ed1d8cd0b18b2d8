// What is done to the store itself: prune, backup.

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "service/cli/commands.hpp"
#include "service/cli/settings.hpp"
#include "service/daemon/retention.hpp"
#include "service/document/json_text.hpp"
#include "service/host/clock.hpp"
#include "service/text/words.hpp"

namespace foxbench::cli {
namespace {

using document::Json;
using What = store::PruneItem::What;

/// As many as a plan is made of at a time.
constexpr std::size_t kStep = 1000;
/// For a plan that nothing follows.
constexpr std::size_t kEverything = 10'000'000;

struct PruneOptions {
    StoreOptions store;
    bool dry_run = false, json = false;
};

int prune(const PruneOptions& options) {
    const auto config = options.store.load();
    store::RetentionPolicy policy;
    policy.samples = config.retention.samples;
    policy.runs = config.retention.runs;
    policy.keep_last = config.retention.keep_last;
    if (!policy.samples && !policy.runs) {
        std::cerr << "Everything is kept for ever: the configuration has no retention: {samples: ..., runs: ...}\n";
        return 0;
    }
    auto store = options.store.open_existing();
    Json done = Json::array();
    for (bool more = true; more;) {
        const auto plan = store.prune_plan(policy, host::now_ms(), options.dry_run ? kEverything : kStep);
        more = !options.dry_run && plan.size() == kStep;
        for (const auto& item : plan) {
            if (!options.dry_run && !daemon::prune(store, item)) continue;
            const char* what = item.what == What::run ? "run" : "samples";
            done.push_back({{"run", item.run}, {"what", what}, {"bytes", item.bytes}});
            if (!options.json) std::cout << item.run << ": " << what << ", " << item.bytes << " bytes\n";
        }
    }
    if (options.json)
        print(Json{{"dry_run", options.dry_run}, {"pruned", done}}.dump(2) + "\n");
    else
        std::cerr << done.size() << (options.dry_run ? " would go\n" : " gone\n");
    return 0;
}

struct BackupOptions {
    StoreOptions store;
    std::string file;
};

int backup(const BackupOptions& options) {
    options.store.open_existing().backup(options.file);
    std::cerr << "The database is copied to " << options.file
              << "; foxbench --results DIR reads it as DIR/foxbench.db\n";
    return 0;
}

}  // namespace

void add_maintenance_commands(const Registry& registry) {
    const auto pruning = std::make_shared<PruneOptions>();
    auto& prune_command = registry.add("prune", "Remove what is older than the configuration's retention keeps",
                                       "  foxbench prune --dry-run     says what would go\n"
                                       "  foxbench prune",
                                       [pruning] { return prune(*pruning); });
    prune_command.add_flag("--dry-run", pruning->dry_run, "change nothing");
    prune_command.add_flag("--json", pruning->json, "print as JSON");
    pruning->store.add_to(prune_command);

    const auto saving = std::make_shared<BackupOptions>();
    auto& backup_command =
        registry.add("backup", "Copy the database while everything goes on",
                     "  foxbench backup /backups/foxbench-$(date +%F).db", [saving] { return backup(*saving); });
    backup_command.add_option("FILE", saving->file, "where to; must not be there yet")->required();
    saving->store.add_to(backup_command);
}

}  // namespace foxbench::cli
