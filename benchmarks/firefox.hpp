#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/arguments.hpp"
#include "bidi/connection.hpp"
#include "bidi/task.hpp"
#include "service/browser/browser.hpp"

namespace foxbench::benchmarks {

/// How foxbench starts this Firefox: its measuring preferences, a warmed template. The template is made if need be.
[[nodiscard]] bidi::Task<browser::LaunchOptions> launch_options(Arguments arguments);

/// Loads the page in the browser's tab and makes sure that it is cross-origin isolated. Throws std::runtime_error where
/// it is not.
[[nodiscard]] bidi::Task<> load_isolated_page(bidi::Connection& connection, std::string context, std::string url);

/// A running Firefox that nobody has a session with, so that several clients can have one in turn. Gone when destroyed.
class UnclaimedFirefox {
public:
    /// Starts it and waits until it listens.
    [[nodiscard]] static bidi::Task<std::unique_ptr<UnclaimedFirefox>> start(browser::LaunchOptions options);

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    /// What a client connects to: ws://127.0.0.1:PORT/session.
    [[nodiscard]] std::string endpoint() const;

private:
    UnclaimedFirefox() = default;

    browser::Profile profile_;  // outlives the process that uses it
    std::unique_ptr<browser::Process> process_;
    std::uint16_t port_ = 0;
};

}  // namespace foxbench::benchmarks
