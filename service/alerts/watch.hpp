#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/config/config.hpp"
#include "service/history/series_history.hpp"
#include "service/store/history_store.hpp"
#include "service/store/store.hpp"

/// Keeps the histories and the alerts up with the runs in a store.
namespace foxbench::alerts {

/// A series as the store has it, with what people said of its nights: known steps and nights whose value was wrong.
/// With `until`, as it was seen after that night. Throws Error (not_found).
[[nodiscard]] history::SeriesHistory load_history(store::Store& store, const std::string& series,
                                                  const config::Alerts& settings,
                                                  const std::optional<std::string>& until = std::nullopt);

/// What judging one run came to.
struct Judged {
    std::string run;
    std::vector<std::string> lines;           ///< what happened to alerts, for the log
    std::optional<std::string> confirmation;  ///< the run that was queued to measure again
    std::string trouble;                      ///< why something suspected cannot be measured again; empty
};

/// Whether runs with a planted slowdown count: nowhere but in a self-test's own store.
enum class Planted { never_counts, counts };

/// Takes one run that has ended into the histories, the oldest first. Its id; nothing where all are. Throws as Store.
std::optional<std::string> take_next(store::Store& store, Planted planted = Planted::never_counts);
/// Judges one run that is in the histories, the oldest first; nothing where all are judged. Throws as Store.
std::optional<Judged> judge_next(store::Store& store, const config::Config& config, std::int64_t now_ms);

/// Both, until nothing is left. For command lines; the daemon goes step by step.
void catch_up(store::Store& store, const config::Config& config, std::int64_t now_ms,
              Planted planted = Planted::never_counts);

}  // namespace foxbench::alerts
