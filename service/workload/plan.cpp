#include "service/workload/plan.hpp"

#include <algorithm>
#include <set>

#include "service/error.hpp"
#include "service/text/words.hpp"
#include "service/workload/formula.hpp"

namespace foxbench::workload {
namespace {

[[noreturn]] void refuse(const std::string& message) {
    throw Error(ErrorCode::usage, message);
}

std::int64_t parse_number(const Parameter& parameter, const Json& value) {
    if (value.is_number_integer() && value >= 0) return value.get<std::int64_t>();
    if (value.is_string()) {
        const auto& word = value.get_ref<const std::string&>();
        return parameter.type == ParameterType::count ? text::parse_count(word) : text::parse_size(word);
    }
    refuse("'" + value.dump() + "' is no " + (parameter.type == ParameterType::count ? "whole number" : "size"));
}

std::string written(const Parameter& parameter, std::int64_t number) {
    return parameter.type == ParameterType::count ? std::to_string(number) : text::format_size(number);
}

std::int64_t limit_of(const Limit& limit, const Json& parameters) {
    return limit.parameter.empty() ? limit.number : parameters.at(limit.parameter).get<std::int64_t>();
}

void check_limits(const Parameter& parameter, const Json& parameters) {
    const Json& value = parameters.at(parameter.name);
    const std::int64_t min = limit_of(parameter.min, parameters);
    const std::int64_t max = limit_of(parameter.max, parameters);
    const auto check = [&](std::int64_t number) {
        if (number < min || number > max) {
            refuse(parameter.name + ": " + written(parameter, number) + " is out of range, " + written(parameter, min) +
                   " to " + written(parameter, max) +
                   (parameter.min.parameter.empty() ? "" : " (at least " + parameter.min.parameter + ")"));
        }
    };
    if (parameter.type != ParameterType::sizes) return check(value.get<std::int64_t>());
    if (value.empty() || static_cast<std::int64_t>(value.size()) > parameter.max_items) {
        refuse(parameter.name + ": takes 1 to " + std::to_string(parameter.max_items) + " values, not " +
               std::to_string(value.size()));
    }
    std::set<std::int64_t> seen;
    for (const auto& item : value) {
        check(item.get<std::int64_t>());
        if (!seen.insert(item.get<std::int64_t>()).second)
            refuse(parameter.name + ": " + written(parameter, item.get<std::int64_t>()) + " stands there twice");
    }
}

std::vector<std::string> parse_cases(const Manifest& manifest, const Json& value) {
    std::vector<std::string> words;
    if (value.is_string()) {
        words = text::split_list(value.get<std::string>());
    } else if (value.is_array() && std::ranges::all_of(value, [](const Json& item) { return item.is_string(); })) {
        words = value.get<std::vector<std::string>>();
    } else {
        refuse("cases: expected a list of names");
    }
    const auto known = manifest.case_names();
    for (const auto& word : words) {
        if (std::ranges::find(known, word) == known.end())
            refuse("there is no case '" + word + "' in " + manifest.name + "." + text::suggestion(word, known));
    }
    if (words.empty()) refuse("cases: name at least one. Known: " + text::join(known) + ".");
    // The manifest's order is the one in which they run, whatever order they were named in.
    std::vector<std::string> chosen;
    std::ranges::copy_if(known, std::back_inserter(chosen),
                         [&](const std::string& name) { return std::ranges::find(words, name) != words.end(); });
    return chosen;
}

Variables variables_of(const Json& parameters) {
    Variables variables;
    for (const auto& [name, value] : parameters.items()) {
        if (value.is_number_integer()) variables[name] = value.get<std::int64_t>();
    }
    return variables;
}

std::string fill_in(std::string name, const std::string& variable, std::int64_t value) {
    const std::string placeholder = "{" + variable + "}";
    if (const auto at = name.find(placeholder); at != std::string::npos)
        name.replace(at, placeholder.size(), text::format_size(value));
    return name;
}

std::optional<std::int64_t> evaluate_if(const std::string& formula, const Variables& variables) {
    if (formula.empty()) return std::nullopt;
    return evaluate(formula, variables);
}

Sequence make_sequence(const Case& from, Variables variables, std::optional<std::int64_t> item) {
    Sequence sequence;
    sequence.case_name = from.name;
    if (item) {
        sequence.values[from.variable] = *item;
        variables[from.variable] = *item;
    }
    sequence.disk_bytes = evaluate(from.disk, variables);
    for (const auto& rule : from.series) {
        sequence.series.push_back({item ? fill_in(rule.name, from.variable, *item) : rule.name, rule.table,
                                   evaluate(rule.calls, variables), evaluate_if(rule.bytes_per_call, variables),
                                   evaluate_if(rule.bytes_total, variables)});
    }
    return sequence;
}

}  // namespace

Json parse_parameter(const Parameter& parameter, const Json& value) {
    if (parameter.type != ParameterType::sizes) return parse_number(parameter, value);
    Json list = Json::array();
    if (value.is_array()) {
        for (const auto& item : value) list.push_back(parse_number(parameter, item));
    } else if (value.is_string()) {
        for (const auto& word : text::split_list(value.get<std::string>())) list.push_back(text::parse_size(word));
    } else {
        list.push_back(parse_number(parameter, value));
    }
    return list;
}

std::string in_words(const Parameter& parameter, const Json& value) {
    if (!value.is_array()) return written(parameter, value.get<std::int64_t>());
    std::vector<std::string> words;
    for (const auto& item : value) words.push_back(written(parameter, item.get<std::int64_t>()));
    return text::join(words);
}

Plan make_plan(const Manifest& manifest, const std::string& preset, const Json& overrides) {
    const auto base = std::ranges::find(manifest.presets, preset, &std::pair<std::string, Json>::first);
    if (base == manifest.presets.end()) {
        refuse("there is no preset '" + preset + "' in " + manifest.name + "." +
               text::suggestion(preset, manifest.preset_names()));
    }

    Plan plan;
    plan.workload = manifest.name;
    plan.preset = overrides.empty() ? preset : preset + "+overrides";
    plan.parameters = base->second;
    auto cases = manifest.case_names();
    for (const auto& [name, value] : overrides.items()) {
        if (name == kCases) {
            plan.cases = parse_cases(manifest, value);
            if (plan.cases.size() == cases.size()) plan.cases.clear();
            continue;
        }
        const auto* parameter = manifest.find_parameter(name);
        if (!parameter) {
            std::vector<std::string> known{kCases};
            for (const auto& one : manifest.parameters) known.push_back(one.name);
            refuse("there is no parameter '" + name + "' in " + manifest.name + "." + text::suggestion(name, known));
        }
        try {
            plan.parameters[name] = parse_parameter(*parameter, value);
        } catch (const Error& error) {
            refuse(name + ": " + error.what());
        }
    }
    Json values = plan.parameters;
    for (const auto& parameter : manifest.parameters) {
        if (parameter.otherwise && !values.contains(parameter.name)) values[parameter.name] = *parameter.otherwise;
    }
    for (const auto& parameter : manifest.parameters) {
        check_limits(parameter, values);
        if (parameter.otherwise && values[parameter.name] == Json(*parameter.otherwise))
            plan.parameters.erase(parameter.name);
    }
    if (!plan.cases.empty()) cases = plan.cases;

    plan.passes = values.at(kPasses).get<std::int64_t>();
    const auto variables = variables_of(values);
    for (const auto& one : manifest.cases) {
        if (std::ranges::find(cases, one.name) == cases.end()) continue;
        if (one.for_each.empty()) {
            plan.sequences.push_back(make_sequence(one, variables, std::nullopt));
        } else {
            for (const auto& item : plan.parameters.at(one.for_each))
                plan.sequences.push_back(make_sequence(one, variables, item.get<std::int64_t>()));
        }
    }
    return plan;
}

Plan restore_plan(const Manifest& manifest, const Json& config) {
    if (manifest.presets.empty()) refuse(manifest.name + " has no preset any more");
    Json values = Json::object();
    for (const auto& [name, value] : config.items()) {
        if (name == kCases || manifest.find_parameter(name)) values[name] = value;
    }
    Plan plan = make_plan(manifest, manifest.presets.front().first, values);
    plan.preset = config.at("preset").get<std::string>();
    return plan;
}

std::int64_t Plan::disk_bytes() const {
    std::int64_t most = 0;
    for (const auto& sequence : sequences) most = std::max(most, sequence.disk_bytes);
    return most;
}

Json Plan::config() const {
    Json config = {{"preset", preset}};
    config.update(parameters);
    if (!cases.empty()) config["cases"] = cases;
    return config;
}

Json Plan::for_worker() const {
    Json list = Json::array();
    for (const auto& sequence : sequences) {
        Json names = Json::array();
        for (const auto& series : sequence.series) names.push_back(series.name);
        list.push_back({{"case", sequence.case_name}, {"values", sequence.values}, {"series", std::move(names)}});
    }
    return {{"parameters", parameters}, {"passes", passes}, {"sequences", std::move(list)}};
}

}  // namespace foxbench::workload
