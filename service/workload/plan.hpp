#pragma once

#include <optional>

#include "service/workload/manifest.hpp"

namespace foxbench::workload {

/// One row that will be measured.
struct PlannedSeries {
    std::string name, table;
    std::int64_t calls = 0;
    std::optional<std::int64_t> bytes_per_call, bytes_total;
};

/// One warm-up pass and the measured passes of a case, with one item of its `for_each`.
struct Sequence {
    std::string case_name;
    Json values = Json::object();  ///< what `for_each` chose: {"chunk": 65536}
    std::vector<PlannedSeries> series;
    std::int64_t disk_bytes = 0;  ///< what a pass holds on the disk at once
};

/// Everything that a launch does, fixed before it starts.
struct Plan {
    std::string workload;
    std::string preset;                ///< "quick", or "quick+overrides"
    Json parameters = Json::object();  ///< every parameter's value, but for those that are at their default
    std::vector<std::string> cases;    ///< only when not all
    std::int64_t passes = 0;           ///< measured ones; each sequence has one more to warm up
    std::vector<Sequence> sequences;

    /// All passes of one launch, the warm-ups included.
    [[nodiscard]] std::int64_t passes_total() const {
        return static_cast<std::int64_t>(sequences.size()) * (passes + 1);
    }
    /// The most that a pass holds on the disk at once.
    [[nodiscard]] std::int64_t disk_bytes() const;
    /// The run document's `config`, without `launches`.
    [[nodiscard]] Json config() const;
    /// What the worker is given (service/measure/page/runtime.js).
    [[nodiscard]] Json for_worker() const;
};

/// Makes the plan of a preset with overrides: an object of parameters (and `cases`, a list or a text with commas),
/// whose values may be numbers or words ("64KiB"). Throws Error (usage): unknown preset, parameter or case, a value out
/// of its limits.
[[nodiscard]] Plan make_plan(const Manifest& manifest, const std::string& preset, const Json& overrides);

/// The plan that a run document's `config` came from, whatever the presets of the manifest say by now: every parameter
/// has the value that it had then. A parameter that the manifest has got since takes the first preset's value. Throws
/// Error (usage) where the manifest cannot do it any more.
[[nodiscard]] Plan restore_plan(const Manifest& manifest, const Json& config);

/// A parameter's value as numbers, from numbers or words; limits are not checked. Throws Error (usage).
[[nodiscard]] Json parse_parameter(const Parameter& parameter, const Json& value);

/// A parameter's value as people write it: "2000", "4 KiB", "64 KiB, 1 MiB".
[[nodiscard]] std::string in_words(const Parameter& parameter, const Json& value);

}  // namespace foxbench::workload
