#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "service/browser/process.hpp"
#include "service/error.hpp"

/// Why a browser did not start, in words that help.
namespace foxbench::browser {

/// What is known about a launch that failed.
struct FailedLaunch {
    std::filesystem::path binary;
    std::string what;                     ///< "ended before it listened", "did not listen within 30 s", ...
    std::optional<ExitStatus> exit;       ///< when it had ended by itself
    std::string output_tail, error_tail;  ///< what it wrote
    bool snap = false;                    ///< see is_snap
};

/// A browser that did not start. The message is one line; the tails are there for a log.
class LaunchError : public Error {
public:
    /// Looks for texts in the tails that are known to tell the cause, and explains them. Firefox gives no other sign:
    /// its exit code is 0 for most of these failures (firefox-bidi.md, finding 4).
    explicit LaunchError(FailedLaunch failed);

    [[nodiscard]] const std::string& output_tail() const noexcept { return failed_.output_tail; }
    [[nodiscard]] const std::string& error_tail() const noexcept { return failed_.error_tail; }
    [[nodiscard]] const std::optional<ExitStatus>& exit_status() const noexcept { return failed_.exit; }
    /// Whether another try could go better: false when the machine or the request is at fault.
    [[nodiscard]] bool worth_retrying() const noexcept { return code() == ErrorCode::browser; }

private:
    FailedLaunch failed_;
};

/// The address in the line that tells that the browser can be connected to, whatever stands before it; nothing for any
/// other line.
[[nodiscard]] std::optional<std::string> parse_listening_line(std::string_view line);

/// The last lines of a log that say something, in one line of at most some hundred characters; empty for an empty log.
[[nodiscard]] std::string last_lines(std::string_view log, std::size_t count = 3);

}  // namespace foxbench::browser
