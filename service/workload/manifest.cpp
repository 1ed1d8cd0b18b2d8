#include "service/workload/manifest.hpp"

#include <algorithm>

#include "service/document/run_document.hpp"
#include "service/error.hpp"
#include "service/text/words.hpp"
#include "service/workload/plan.hpp"
#include "service/yaml/value.hpp"

namespace foxbench::workload {
namespace {

constexpr const char* kManifestFile = "workload.yaml";

using yaml::Value;

bool is_name(const std::string& word, std::string_view more) {
    return !word.empty() && std::ranges::all_of(word, [&](unsigned char c) {
        return std::isalnum(c) || more.find(static_cast<char>(c)) != std::string_view::npos;
    });
}

std::string optional_string(const Value& map, std::string_view key) {
    const auto value = map.find(key);
    return value ? value->string() : std::string();
}

ParameterType read_type(const Value& value) {
    const std::string word = value.string();
    if (word == "count") return ParameterType::count;
    if (word == "size") return ParameterType::size;
    if (word == "sizes") return ParameterType::sizes;
    value.fail("'" + word + "' is no type of a parameter. Known: count, size, sizes.");
}

/// A limit's text is a size, or the name of another parameter, which is checked once all are known.
Limit read_limit(const Value& value) {
    const std::string word = value.string();
    if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front()))) return {text::parse_size(word), ""};
    return {0, word};
}

Parameter read_parameter(const std::string& name, const Value& value) {
    value.allow_only({"letter", "type", "min", "max", "max_items", "default", "about"});
    if (!is_name(name, "_")) value.fail("'" + name + "' is no name for a parameter: letters, digits and _ only");
    if (name == kCases || name == "launches" || name == "preset")
        value.fail("the name '" + name + "' is taken by foxbench itself");
    Parameter parameter;
    parameter.name = name;
    parameter.letter = optional_string(value, "letter");
    parameter.type = read_type(value.at("type"));
    parameter.min = read_limit(value.at("min"));
    parameter.max = read_limit(value.at("max"));
    if (const auto items = value.find("max_items")) parameter.max_items = items->integer(1, 64);
    if (const auto otherwise = value.find("default")) {
        if (parameter.type == ParameterType::sizes) otherwise->fail("a list has no default: each preset names its own");
        const auto limit = read_limit(*otherwise);
        if (!limit.parameter.empty()) otherwise->fail("expected a number");
        parameter.otherwise = limit.number;
    }
    parameter.about = optional_string(value, "about");
    return parameter;
}

SeriesRule read_series(const Value& value) {
    value.allow_only({"name", "table", "calls", "bytes_per_call", "bytes_total"});
    SeriesRule rule{value.at("name").string(), value.at("table").string(), value.at("calls").string(),
                    optional_string(value, "bytes_per_call"), optional_string(value, "bytes_total")};
    if (rule.table != document::kPerCall && rule.table != document::kPerFile) {
        value.at("table").fail("'" + rule.table + "' is no table. Known: per-call, per-file.");
    }
    if (rule.bytes_per_call.empty() != rule.bytes_total.empty())
        value.fail("bytes_per_call and bytes_total go together");
    return rule;
}

Case read_case(const std::string& name, const Value& value, const Manifest& manifest) {
    value.allow_only({"about", "for_each", "disk", "series"});
    if (!is_name(name, "+._-")) value.fail("'" + name + "' is no name for a case: letters, digits and + . _ - only");
    Case result;
    result.name = name;
    result.about = optional_string(value, "about");
    result.disk = value.at("disk").string();
    if (const auto for_each = value.find("for_each")) {
        const auto members = for_each->members();
        if (members.size() != 1) for_each->fail("expected one name and one parameter: {chunk: chunks}");
        result.variable = members.front().first;
        result.for_each = members.front().second.string();
        const auto* parameter = manifest.find_parameter(result.for_each);
        if (!parameter || parameter->type != ParameterType::sizes)
            for_each->fail("'" + result.for_each + "' is no parameter of type sizes");
    }
    for (const auto& item : value.at("series").items()) result.series.push_back(read_series(item));
    if (result.series.empty()) value.at("series").fail("a case yields at least one series");
    return result;
}

void check_limits(const Manifest& manifest, const Value& parameters) {
    for (const auto& parameter : manifest.parameters) {
        for (const auto& limit : {parameter.min, parameter.max}) {
            if (!limit.parameter.empty() && !manifest.find_parameter(limit.parameter)) {
                parameters.at(parameter.name)
                    .fail("the limit '" + limit.parameter + "' is neither a number nor a parameter");
            }
        }
    }
}

Json read_preset(const Value& preset, const Manifest& manifest) {
    Json values = Json::object();
    const Json given = preset.json();
    for (const auto& [name, value] : preset.members()) {
        if (!manifest.find_parameter(name)) value.fail("there is no such parameter");
    }
    for (const auto& parameter : manifest.parameters) {
        if (!given.contains(parameter.name) && parameter.otherwise) continue;
        if (!given.contains(parameter.name)) preset.fail("the parameter '" + parameter.name + "' is missing");
        try {
            values[parameter.name] = parse_parameter(parameter, given.at(parameter.name));
        } catch (const Error& error) {
            preset.at(parameter.name).fail(error.what());
        }
    }
    return values;
}

}  // namespace

std::vector<std::string> Manifest::preset_names() const {
    std::vector<std::string> names;
    for (const auto& preset : presets) names.push_back(preset.first);
    return names;
}

std::vector<std::string> Manifest::case_names() const {
    std::vector<std::string> names;
    for (const auto& one : cases) names.push_back(one.name);
    return names;
}

const Parameter* Manifest::find_parameter(const std::string& parameter) const {
    const auto found = std::ranges::find(parameters, parameter, &Parameter::name);
    return found == parameters.end() ? nullptr : &*found;
}

Manifest load_manifest(const std::filesystem::path& folder) {
    const Value root = Value::load(folder / kManifestFile);
    root.allow_only({"name", "title", "about", "module", "parameters", "presets", "cases"});
    Manifest manifest;
    manifest.folder = folder;
    manifest.name = root.at("name").string();
    if (manifest.name != std::filesystem::weakly_canonical(folder).filename())
        root.at("name").fail("a workload bears its folder's name");
    manifest.title = optional_string(root, "title");
    manifest.about = optional_string(root, "about");
    manifest.module = root.at("module").string();
    if (manifest.module.has_parent_path() || !std::filesystem::is_regular_file(folder / manifest.module)) {
        root.at("module").fail("expected the name of a file in " + folder.string());
    }

    for (const auto& [name, value] : root.at("parameters").members())
        manifest.parameters.push_back(read_parameter(name, value));
    if (!manifest.find_parameter(kPasses)) root.at("parameters").fail("every workload has the parameter 'passes'");
    check_limits(manifest, root.at("parameters"));
    for (const auto& [name, value] : root.at("cases").members())
        manifest.cases.push_back(read_case(name, value, manifest));
    if (manifest.cases.empty()) root.at("cases").fail("a workload has at least one case");
    for (const auto& [name, value] : root.at("presets").members())
        manifest.presets.emplace_back(name, read_preset(value, manifest));
    if (manifest.presets.empty()) root.at("presets").fail("a workload has at least one preset");

    // Formulas and limits of the presets are tried at once: a fault of the manifest shows when it is read, not in the
    // night.
    for (const auto& [name, value] : root.at("presets").members()) {
        try {
            (void)make_plan(manifest, name, Json::object());
        } catch (const Error& error) {
            value.fail(error.what());
        }
    }
    return manifest;
}

std::vector<std::string> list_workloads(const std::filesystem::path& workloads) {
    std::vector<std::string> names;
    std::error_code ignored;  // a folder that is not there has no workloads
    for (const auto& entry : std::filesystem::directory_iterator(workloads, ignored)) {
        if (std::filesystem::is_regular_file(entry.path() / kManifestFile)) names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    return names;
}

Manifest find_workload(const std::filesystem::path& workloads, const std::string& name) {
    const auto known = list_workloads(workloads);
    if (std::ranges::find(known, name) == known.end()) {
        throw Error(ErrorCode::usage, "there is no workload '" + name + "' in " + workloads.string() + "." +
                                          text::suggestion(name, known));
    }
    return load_manifest(workloads / name);
}

}  // namespace foxbench::workload
