#include "service/report/wording.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "service/document/object_reader.hpp"
#include "service/report/numbers.hpp"
#include "service/report/opfs_sync_write.hpp"
#include "service/stats/measured_passes.hpp"

namespace foxbench::report {
namespace {

using document::Json;
using document::RunDocument;
using document::Target;

void join(std::string& line, const std::string& part, const char* separator) {
    if (part.empty()) return;
    if (!line.empty()) line += separator;
    line += part;
}

/// A parameter's value where it is a whole number; 2000.0 is one.
std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const auto number = value.get<double>();
    if (std::fabs(number) > document::kMaxNumber || number != std::floor(number)) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

/// A parameter's value as text; an array's between slashes.
std::string value_text(const Json& value, const std::string& unit) {
    if (value.is_array()) {
        std::string text;
        for (const auto& element : value) join(text, value_text(element, unit), " / ");
        return text;
    }
    std::string text;
    if (const auto number = whole_number(value)) {
        if (unit == "words") return size_in_words(*number);
        text = std::to_string(*number);
    } else {
        text =
            value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return unit == "B" ? text + " B" : text;
}

std::string opfs_configuration(const Json& config) {
    struct Parameter {
        const char* name;
        const char* letter;
        const char* unit;
    };
    static constexpr std::array<Parameter, 6> kParameters{{{"preset", "preset", ""},
                                                           {"calls", "N", ""},
                                                           {"bytes", "S", "B"},
                                                           {"chunks", "chunks", "words"},
                                                           {"passes", "R", ""},
                                                           {"files", "M", ""}}};
    std::string line;
    for (const auto& parameter : kParameters) {
        const auto value = config.find(parameter.name);
        if (value == config.end() || (value->is_array() && value->empty())) continue;
        join(line, std::string(parameter.letter) + "=" + value_text(*value, parameter.unit), ", ");
    }
    return line;
}

/// A positive number of the configuration, or 0.
std::size_t count_in(const Json& config, const char* name) {
    if (!config.is_object()) return 0;
    const auto value = config.find(name);
    const auto count = value == config.end() ? std::nullopt : whole_number(*value);
    return count && *count > 0 ? static_cast<std::size_t>(*count) : 0;
}

std::string own_title(const RunDocument& document) {
    if (document.extra.is_object()) {
        const auto own = document.extra.find("title");
        if (own != document.extra.end() && own->is_string()) return own->get<std::string>();
    }
    return document.workload;
}

std::string architecture(const std::string& name) {
    if (name == "x86_64" || name == "amd64") return "x64";
    return name == "aarch64" ? "arm64" : name;
}

}  // namespace

std::string heading(const RunDocument& document) {
    return document.workload == kOpfsSyncWrite ? kOpfsHeading : own_title(document);
}

std::string title(const RunDocument& document) {
    return document.workload == kOpfsSyncWrite ? kOpfsTitle : own_title(document);
}

std::string configuration(const RunDocument& document) {
    if (!document.config.is_object()) return {};
    if (document.workload == kOpfsSyncWrite) return opfs_configuration(document.config);
    std::string line;
    for (const auto& [name, value] : document.config.items()) {
        if (name == "launches" || name == "cases") continue;
        join(line, name + "=" + value_text(value, ""), ", ");
    }
    return line;
}

std::string host(const RunDocument& document) {
    if (!document.host) return {};
    const auto& machine = *document.host;
    std::string processor = machine.cpu.value_or("");
    if (machine.threads) join(processor, "(" + std::to_string(*machine.threads) + " threads)", " ");
    std::string system = machine.os.value_or("");
    join(system, machine.kernel.value_or(""), " ");
    join(system, architecture(machine.arch.value_or("")), " ");

    std::string line = processor;
    if (machine.memory_bytes) join(line, gigabytes(*machine.memory_bytes) + " GB", ", ");
    join(line, system, ", ");
    return line;
}

std::string profiles(const RunDocument& document) {
    if (!document.profiles) return {};
    std::string line = document.profiles->filesystem.value_or("");
    if (document.profiles->mount) join(line, "(" + *document.profiles->mount + ")", " ");
    return line;
}

std::size_t asked_launches(const RunDocument& document, const Target& target) {
    const auto asked = count_in(document.config, "launches");
    return asked > 0 ? asked : std::max<std::size_t>(target.launches.size(), 1);
}

std::size_t measured_launches(const RunDocument& document, const Target& target) {
    const auto measured =
        std::count_if(target.launches.begin(), target.launches.end(), [](const document::Launch& launch) {
            return std::any_of(launch.series.begin(), launch.series.end(),
                               [](const document::Series& series) { return !stats::measured_passes(series).empty(); });
        });
    return measured > 0 ? static_cast<std::size_t>(measured) : asked_launches(document, target);
}

std::size_t asked_passes(const RunDocument& document, const Target& target) {
    auto passes = count_in(document.config, "passes");
    if (passes > 0) return passes;
    for (const auto& launch : target.launches) {
        for (const auto& series : launch.series) passes = std::max(passes, stats::measured_passes(series).size());
    }
    return passes;
}

std::string median_run(const RunDocument& document, const Target& target) {
    const auto launches = measured_launches(document, target);
    const auto passes = asked_passes(document, target);
    std::string sentence = "Median run of R=" + std::to_string(launches * passes);
    if (launches > 1) sentence += " (" + std::to_string(launches) + " launches × " + std::to_string(passes) + ")";
    sentence +=
        " (by total time) after one warm-up pass; latency percentiles are per call; \"1st call\" is call number 1 of "
        "that run";
    if (document.workload == kOpfsSyncWrite) sentence += kOpfsFirstCall;
    return sentence + ":";
}

std::string state(const RunDocument& document) {
    std::string text = std::string(document::to_string(document.state)) + ".";
    join(text, document.reason.value_or(""), " ");
    return text;
}

EnvironmentLines environment(const Target& target) {
    const auto launch = std::find_if(target.launches.begin(), target.launches.end(),
                                     [](const document::Launch& each) { return each.environment.has_value(); });
    EnvironmentLines lines;
    if (launch == target.launches.end()) return lines;
    const auto& seen = *launch->environment;
    lines.user_agent = seen.user_agent.value_or("");
    lines.platform = seen.platform.value_or("");
    if (seen.hardware_concurrency) {
        join(lines.platform, "hardwareConcurrency: " + std::to_string(*seen.hardware_concurrency), "; ");
    }
    lines.timestamp = seen.timestamp.value_or("");
    if (seen.timer_resolution_us) lines.resolution = resolution(*seen.timer_resolution_us);
    if (seen.cross_origin_isolated) {
        join(lines.resolution,
             std::string("(crossOriginIsolated: ") + (*seen.cross_origin_isolated ? "true)" : "false)"), " ");
    }
    if (seen.storage_usage_bytes) lines.estimate = decimal(*seen.storage_usage_bytes / 1e6, 1) + " MB used";
    if (seen.storage_quota_bytes)
        join(lines.estimate, "of " + decimal(*seen.storage_quota_bytes / 1e6, 0) + " MB", " ");
    return lines;
}

}  // namespace foxbench::report
