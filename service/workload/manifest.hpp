#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

/// What a workload is: the manifest in its folder, read and checked, and the plan of one run made from it. A workload
/// is a folder under workloads/ and nothing else; see docs/workloads.md. Plain values and pure functions, but for
/// reading the files.
namespace foxbench::workload {

using Json = nlohmann::ordered_json;

enum class ParameterType {
    count,  ///< a whole number
    size,   ///< bytes
    sizes   ///< a list of sizes
};

/// A bound of a parameter: a number, or the value of another parameter.
struct Limit {
    std::int64_t number = 0;
    std::string parameter;  ///< empty: the number counts
};

struct Parameter {
    std::string name;
    std::string letter;  ///< what the report's Config line calls it; may be empty
    ParameterType type = ParameterType::count;
    Limit min, max;
    std::int64_t max_items = 1;  ///< of a list
    /// What a number is when nobody says otherwise; presets need not name it then, and where it is that, neither runs
    /// nor the worker are told of it. Empty: every preset has a value.
    std::optional<std::int64_t> otherwise;
    std::string about;
};

/// How one row of a table follows from the parameters; the members but `table` are formulas or, for the name, a text
/// with {variable} in it, which is written as a size.
struct SeriesRule {
    std::string name, table, calls;
    std::string bytes_per_call, bytes_total;  ///< empty where no bytes are written
};

/// A part of the workload that can be chosen on its own. One execution of it is a pass and yields a sample a call for
/// each series.
struct Case {
    std::string name, about;
    std::string variable,
        for_each;      ///< the case runs once for each item of the parameter `for_each`, as `variable`; or empty
    std::string disk;  ///< formula: bytes that a pass holds on the disk at once
    std::vector<SeriesRule> series;
};

struct Manifest {
    std::string name, title, about;
    std::filesystem::path folder;
    std::filesystem::path module;  ///< the worker's module, a file in the folder
    std::vector<Parameter> parameters;
    std::vector<std::pair<std::string, Json>>
        presets;  ///< the value of each parameter that has no `otherwise`, by name
    std::vector<Case> cases;

    [[nodiscard]] std::vector<std::string> preset_names() const;
    [[nodiscard]] std::vector<std::string> case_names() const;
    [[nodiscard]] const Parameter* find_parameter(const std::string& name) const;
};

/// The parameter that every workload has: how many measured passes.
inline constexpr const char* kPasses = "passes";
/// Not a parameter of a manifest, but overridden like one: which cases.
inline constexpr const char* kCases = "cases";

/// Reads `folder`/workload.yaml. Throws Error (usage) with file, line and column for anything that is wrong with it.
[[nodiscard]] Manifest load_manifest(const std::filesystem::path& folder);

/// The names of the folders under `workloads` that have a manifest, sorted.
[[nodiscard]] std::vector<std::string> list_workloads(const std::filesystem::path& workloads);

/// Loads the workload of that name. Throws Error (usage) naming the known ones where there is none.
[[nodiscard]] Manifest find_workload(const std::filesystem::path& workloads, const std::string& name);

}  // namespace foxbench::workload
