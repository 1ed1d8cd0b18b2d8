#pragma once

#include <string>

#include "service/document/run_document.hpp"

/// Each level of a run document on its own, without the levels below it: what the store keeps as one row. Reading and
/// writing a whole document is made of these. `pointer` is where the level stands, for messages; faults are as in
/// from_json(). Pure functions.
namespace foxbench::document {

/// Everything of the run but `targets`.
[[nodiscard]] Json own_members(const RunDocument& document);
[[nodiscard]] RunDocument run_from_own_members(const Json& json);

/// Everything of a target but `launches`.
[[nodiscard]] Json own_members(const Target& target);
[[nodiscard]] Target target_from_own_members(const Json& json, const std::string& pointer);

/// Everything of a launch but `series`.
[[nodiscard]] Json own_members(const Launch& launch);
[[nodiscard]] Launch launch_from_own_members(const Json& json, const std::string& pointer);

/// Everything of a series but `warmup` and `passes`.
[[nodiscard]] Json own_members(const Series& series);
[[nodiscard]] Series series_from_own_members(const Json& json, const std::string& pointer);

/// Everything of a pass but `latencies_us`.
[[nodiscard]] Json own_members(const Pass& pass);
[[nodiscard]] Pass pass_from_own_members(const Json& json, const std::string& pointer);

}  // namespace foxbench::document
