#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "service/document/run_document.hpp"
#include "service/workload/plan.hpp"

/// What the worker sends (service/measure/page/runtime.js), read and checked against the plan. Pure.
namespace foxbench::measure {

/// One finished pass, with a document pass for each of its sequence's series, in their order.
struct FinishedPass {
    std::size_t sequence = 0;  ///< index into Plan::sequences
    std::int64_t pass = 0;     ///< 0 is the warm-up
    std::vector<document::Pass> series;
};

/// The worker's last word after a failure, as the browser put it.
struct WorkerFailure {
    std::string name, message, stack;
    std::string series;                ///< empty: before the first
    std::optional<std::int64_t> pass;  ///< 0 is the warm-up
    std::optional<std::int64_t> call;

    /// Whether what was written is not what is there: the run is then invalid.
    [[nodiscard]] bool is_mismatch() const { return name == "Mismatch"; }
    /// One line that names series, pass and call.
    [[nodiscard]] std::string describe() const;
};

struct WorkerDone {};

using WorkerMessage = std::variant<document::Environment, FinishedPass, WorkerFailure, WorkerDone>;

/// Reads one message. Throws Error (browser) for what is none, or a pass that does not fit the plan: names, numbers of
/// calls, figures that are no latencies.
[[nodiscard]] WorkerMessage read_worker_message(std::string_view text, const workload::Plan& plan);

/// Puts messages together again that came in parts: "+" and a part, "." and the last one.
class MessageParts {
public:
    /// The most that one pass can have: a million calls and room to spare. What is longer is no pass of ours.
    static constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

    /// The whole message once its last part is there. Throws Error (browser) for a part without its mark and for too
    /// much.
    [[nodiscard]] std::optional<std::string> add(std::string_view part);

private:
    std::string text_;
};

}  // namespace foxbench::measure
