#pragma once

#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bidi/task.hpp"
#include "service/browser/browser.hpp"
#include "service/error.hpp"
#include "service/measure/worker_messages.hpp"
#include "service/workload/plan.hpp"

/// Drives one launch: loads the workload's page, lets the worker carry out the plan, and hands on each pass.
namespace foxbench::measure {

/// What is told while a launch is measured, on the event loop's thread. The worker waits before the next timed loop
/// until the returned task has ended: store there.
class LaunchListener {
public:
    virtual ~LaunchListener() = default;
    virtual bidi::Task<> on_environment(document::Environment environment) = 0;
    virtual bidi::Task<> on_pass(FinishedPass pass) = 0;
    /// Something that should not happen during a measurement but does not end it: a prompt, an error in the page's log.
    virtual void on_anomaly(const std::string& what) = 0;
};

struct LaunchSetup {
    const workload::Plan& plan;
    std::string page_url;  ///< of a PageServer with the workload's files, which has to go on until the end
    std::chrono::milliseconds settle{500};  ///< between page load and first pass
    std::chrono::milliseconds page_deadline{30'000};
    /// The events that this browser was found to lack before; each is told to the log once. Null: nothing is known.
    std::set<std::string>* lacking = nullptr;
};

/// What the worker said when it failed. The message names series, pass and call, and has the exception's own name and
/// text.
class WorkerError : public Error {
public:
    WorkerError(ErrorCode code, const std::string& message, std::string stack)
        : Error(code, message), stack_(std::move(stack)) {}

    /// As the browser gave it, a line a call; may be empty.
    [[nodiscard]] const std::string& stack() const noexcept { return stack_; }

private:
    std::string stack_;
};

/// A pass that would write more than this share of the origin's quota is refused before it starts.
inline constexpr double kMaxShareOfQuota = 0.6;

/// How long a pass may take before the launch is given up: far more than any real disk needs, so that only a hang meets
/// it.
[[nodiscard]] std::chrono::milliseconds pass_patience(const workload::Sequence& sequence);

/// Measures in this browser, which has just been started. Returns when every planned pass was handed on. Throws
/// foxbench::Error: `measurement` when what was written is not what is there, `usage` for a pass that is too large for
/// the quota, `browser` for everything else that went wrong in the browser; and what the listener throws. Passes handed
/// on before stay good. What the worker itself reported is a WorkerError. The setup's references have to outlive the
/// task.
[[nodiscard]] bidi::Task<> measure_launch(browser::Browser& browser, LaunchSetup setup, LaunchListener& listener);

}  // namespace foxbench::measure
