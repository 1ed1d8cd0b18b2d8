#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "service/store/alerts.hpp"

/// What people decide about alerts. Pure functions; safe to call from any thread.
namespace foxbench::alerts {

/// What can be done with an alert, each with the word for it.
enum class Action {
    acknowledge,    ///< seen: it is not open any more, but stays what it is
    unacknowledge,  ///< open again
    expected,       ///< the new level is right: nights are compared with it from now on
    invalid,        ///< the measurement was wrong: its night does not count
    reopen,         ///< takes back `expected` or `invalid`
    note            ///< a remark, nothing else
};
[[nodiscard]] const char* to_string(Action action) noexcept;
/// Throws Error (usage) for an unknown word, with the nearest or the known ones.
[[nodiscard]] Action action_from(std::string_view word);

inline constexpr std::size_t kMaxAlertNoteCharacters = 2000;
inline constexpr std::size_t kMaxByCharacters = 100;

/// The alert afterwards, and the trail's entry. `trail` is the alert's so far: what `reopen` goes back to. Throws Error
/// (`conflict`) for what the alert's state does not allow, `usage` for a text that is too long or a note without text.
struct Decided {
    store::Alert alert;
    store::AlertChange change;
};
[[nodiscard]] Decided decide(const store::Alert& alert, const std::vector<store::AlertChange>& trail, Action action,
                             const std::string& note, const std::string& by, std::int64_t now_ms);

}  // namespace foxbench::alerts
