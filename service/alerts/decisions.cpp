#include "service/alerts/decisions.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::alerts {
namespace {

using store::Alert;
using store::AlertState;

struct ActionName {
    Action action;
    const char* name;
};
constexpr std::array<ActionName, 6> kActions = {{{Action::acknowledge, "acknowledge"},
                                                 {Action::unacknowledge, "unacknowledge"},
                                                 {Action::expected, "expected"},
                                                 {Action::invalid, "invalid"},
                                                 {Action::reopen, "reopen"},
                                                 {Action::note, "note"}}};

void check_length(const char* what, const std::string& written, std::size_t most) {
    const auto characters = text::count_characters(written);
    if (characters > most) {
        throw Error(ErrorCode::usage, std::string(what) + ": at most " + std::to_string(most) + " characters, not " +
                                          std::to_string(characters));
    }
}

[[noreturn]] void throw_conflict(const Alert& alert, Action action, const std::string& why) {
    throw Error(ErrorCode::conflict,
                "alert " + std::to_string(alert.id) + ": cannot " + to_string(action) + ": " + why);
}

bool is_settled(AlertState state) {
    return state == AlertState::expected || state == AlertState::invalid;
}

void settle(Alert& alert, Action action, AlertState state) {
    if (alert.state == state) throw_conflict(alert, action, std::string("it is ") + to_string(state) + " already");
    alert.state = state;
}

/// What the alert was before somebody settled it.
AlertState state_before(const Alert& alert, const std::vector<store::AlertChange>& trail) {
    for (auto change = trail.rbegin(); change != trail.rend(); ++change) {
        if (is_settled(change->after) && !is_settled(change->before)) return change->before;
    }
    throw_conflict(alert, Action::reopen, "nothing says what it was before");
}

}  // namespace

const char* to_string(Action action) noexcept {
    for (const auto& one : kActions) {
        if (one.action == action) return one.name;
    }
    return "note";
}

Action action_from(std::string_view word) {
    std::vector<std::string> known;
    for (const auto& one : kActions) {
        if (word == one.name) return one.action;
        known.emplace_back(one.name);
    }
    throw Error(ErrorCode::usage,
                "\"" + std::string(word) + "\" is nothing to be done with an alert." + text::suggestion(word, known));
}

Decided decide(const Alert& alert, const std::vector<store::AlertChange>& trail, Action action, const std::string& note,
               const std::string& by, std::int64_t now_ms) {
    check_length("note", note, kMaxAlertNoteCharacters);
    check_length("by", by, kMaxByCharacters);
    Alert after = alert;
    switch (action) {
        case Action::acknowledge:
            if (alert.acknowledged) throw_conflict(alert, action, "it is acknowledged already");
            after.acknowledged = true;
            break;
        case Action::unacknowledge:
            if (!alert.acknowledged) throw_conflict(alert, action, "it is not acknowledged");
            after.acknowledged = false;
            break;
        case Action::expected:
            settle(after, action, AlertState::expected);
            break;
        case Action::invalid:
            settle(after, action, AlertState::invalid);
            break;
        case Action::reopen:
            if (!is_settled(alert.state))
                throw_conflict(alert, action, std::string("it is ") + store::to_string(alert.state));
            after.state = state_before(alert, trail);
            break;
        case Action::note:
            if (note.empty()) throw Error(ErrorCode::usage, "note: there is no text");
            break;
    }
    store::AlertChange change{now_ms, to_string(action), note, by, alert.state, after.state};
    return {std::move(after), std::move(change)};
}

}  // namespace foxbench::alerts
