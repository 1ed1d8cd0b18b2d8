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

/// For a plan that nothing follows.
constexpr std::size_t kEverything = 10'000'000;

struct PruneOptions {
    StoreOptions store;
    bool dry_run = false, json = false;
};

int prune(const PruneOptions& options) {
    const auto policy = daemon::policy_of(options.store.load().retention);
    if (!policy.samples && !policy.runs) {
        std::cerr << "Everything is kept for ever: the configuration has no retention: {samples: ..., runs: ...}\n";
        return 0;
    }
    auto store = options.store.open_existing();
    Json done = Json::array();
    const auto note = [&](const store::PruneItem& item) {
        const char* what = item.what == What::run ? "run" : "samples";
        done.push_back({{"run", item.run}, {"what", what}, {"bytes", item.bytes}});
        if (!options.json) std::cout << item.run << ": " << what << ", " << item.bytes << " bytes\n";
    };
    daemon::Unprunable failed;
    if (options.dry_run) {
        for (const auto& item : store.prune_plan(policy, host::now_ms(), kEverything)) note(item);
    } else {
        while (const auto pruned = daemon::prune_next(store, policy, host::now_ms(), failed)) {
            if (pruned->fault)
                std::cerr << "foxbench: " << pruned->item.run << " stays: " << for_terminal(*pruned->fault) << "\n";
            else
                note(pruned->item);
        }
    }
    if (options.json)
        print_json(Json{{"dry_run", options.dry_run}, {"pruned", done}});
    else
        std::cerr << done.size() << (options.dry_run ? " would go\n" : " gone\n");
    return failed.empty() ? 0 : 1;
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
