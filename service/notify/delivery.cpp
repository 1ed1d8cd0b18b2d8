#include "service/notify/delivery.hpp"

#include <array>

#include "service/document/json_text.hpp"
#include "service/error.hpp"

namespace foxbench::notify {
namespace {

using namespace std::chrono_literals;

/// A receiver's restart, its reboot, somebody's repair: after the last of these, two and a half hours, a message about
/// a run is no news any more.
constexpr std::array<std::chrono::milliseconds, 5> kBackOff{10s, 1min, 5min, 30min, 2h};

}  // namespace

const char* to_string(DeliveryState state) noexcept {
    switch (state) {
        case DeliveryState::pending:
            return "pending";
        case DeliveryState::delivered:
            return "delivered";
        case DeliveryState::failed:
            break;
    }
    return "failed";
}

DeliveryState delivery_state_from(std::string_view word) {
    for (const auto state : {DeliveryState::pending, DeliveryState::delivered, DeliveryState::failed}) {
        if (word == to_string(state)) return state;
    }
    throw Error(ErrorCode::usage,
                "'" + document::printable(word) + "' is no state of a delivery. Known: pending, delivered, failed.");
}

std::optional<std::chrono::milliseconds> next_attempt(int attempts) noexcept {
    if (attempts < 1) return std::chrono::milliseconds{0};
    const auto index = static_cast<std::size_t>(attempts) - 1;
    if (index >= kBackOff.size()) return std::nullopt;
    return kBackOff[index];
}

}  // namespace foxbench::notify
