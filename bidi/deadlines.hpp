#pragma once

#include <chrono>
#include <string_view>

namespace bidi {

/// The default deadlines, by class of command. None is without: some commands are never answered
/// (w3c/webdriver-bidi#378).
struct Deadlines {
    std::chrono::milliseconds cheap{5'000};  ///< everything that only asks or sets something in the browser
    std::chrono::milliseconds navigation{
        30'000};  ///< what loads or renders a page, and `session.new`, which waits for the start
    std::chrono::milliseconds script{30'000};  ///< `script.evaluate` and `script.callFunction`

    /// The deadline of a command, also of one that this library does not know.
    [[nodiscard]] std::chrono::milliseconds of(std::string_view method) const noexcept;
};

}  // namespace bidi
