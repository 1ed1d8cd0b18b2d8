#include "bidi/pending_table.hpp"

#include <algorithm>
#include <utility>

namespace bidi {

void PendingTable::add(PendingCall call) {
    const auto id = call.id;
    calls_.emplace_hint(calls_.end(), id, std::move(call));
}

std::optional<PendingCall> PendingTable::take(std::uint64_t id) {
    const auto found = calls_.find(id);
    if (found == calls_.end()) return std::nullopt;
    PendingCall call = std::move(found->second);
    calls_.erase(found);
    return call;
}

template <class Predicate>
PendingTable::Calls PendingTable::take_if(Predicate predicate) {
    Calls taken;
    for (auto each = calls_.begin(); each != calls_.end();) {
        if (predicate(std::as_const(each->second))) {
            taken.push_back(std::move(each->second));
            each = calls_.erase(each);
        } else {
            ++each;
        }
    }
    return taken;
}

PendingTable::Calls PendingTable::take_expired(TimePoint now) {
    return take_if([now](const PendingCall& call) { return call.deadline <= now; });
}

PendingTable::Calls PendingTable::take_of_context(std::string_view context, bool navigating) {
    return take_if([context, navigating](const PendingCall& call) {
        return call.scope && call.scope->context == context && (call.scope->awaits_promise || !navigating);
    });
}

PendingTable::Calls PendingTable::take_of_realm(std::string_view realm, const ScriptRealms& realms) {
    return take_if([realm, &realms](const PendingCall& call) {
        if (!call.scope) return false;
        const ScriptScope& scope = *call.scope;
        if (!scope.realm.empty()) return scope.realm == realm;
        if (!scope.expected_realm.empty()) return scope.expected_realm == realm;
        return !scope.context.empty() && realms.current(scope.context, scope.sandbox) == realm;
    });
}

PendingTable::Calls PendingTable::take_all() {
    return take_if([](const PendingCall&) { return true; });
}

std::optional<PendingTable::TimePoint> PendingTable::next_deadline() const {
    const auto first = std::ranges::min_element(
        calls_, [](const auto& left, const auto& right) { return left.second.deadline < right.second.deadline; });
    if (first == calls_.end()) return std::nullopt;
    return first->second.deadline;
}

}  // namespace bidi
