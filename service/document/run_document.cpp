#include "service/document/run_document.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <unordered_set>
#include <utility>

#include "service/document/ids.hpp"
#include "service/document/json_text.hpp"
#include "service/document/levels.hpp"
#include "service/document/object_reader.hpp"
#include "service/error.hpp"
#include "service/text/words.hpp"

namespace foxbench::document {
namespace {

struct StateName {
    RunState state;
    const char* word;
};

constexpr std::array<StateName, 7> kStateNames = {{{RunState::queued, "queued"},
                                                   {RunState::running, "running"},
                                                   {RunState::completed, "completed"},
                                                   {RunState::partial, "partial"},
                                                   {RunState::failed, "failed"},
                                                   {RunState::cancelled, "cancelled"},
                                                   {RunState::invalid, "invalid"}}};

/// Twice the most calls that a workload may ask for in a pass (docs/report-format.md); what claims more is no
/// measurement.
constexpr std::size_t kMaxCallsPerPass = 2'000'000;

[[noreturn]] void fail(const std::string& pointer, const std::string& what) {
    throw Error(ErrorCode::usage, printable(pointer, 300) + ": " + what);
}

/// Refuses a name that stands twice in a list: what is asked for by name has to be one thing.
void require_new(std::unordered_set<std::string>& names, const std::string& name, const std::string& pointer) {
    if (!names.insert(name).second)
        fail(pointer_to(pointer, "name"), "\"" + printable(name) + "\" is there twice in this list");
}

Pass pass_from(const Json& json, const std::string& pointer) {
    Pass pass = pass_from_own_members(json, pointer);
    const std::string where = pointer_to(pointer, "latencies_us");
    const Json& latencies = ObjectReader(json, pointer).required_array("latencies_us");
    if (latencies.empty()) fail(where, "a pass has at least one call");
    if (latencies.size() > kMaxCallsPerPass) fail(where, "more than " + std::to_string(kMaxCallsPerPass) + " calls");
    pass.latencies_us.reserve(latencies.size());
    for (const Json& latency : latencies) {
        // The pointer of each element would cost more than reading it, so it is made for the faulty one only.
        const double value = latency.is_number() ? latency.get<double>() : -1;
        const bool good = value >= 0 && value <= kMaxNumber;
        pass.latencies_us.push_back(good ? value : number_from(latency, pointer_to(where, pass.latencies_us.size())));
    }
    return pass;
}

Series series_from(const Json& json, const std::string& pointer) {
    Series series = series_from_own_members(json, pointer);
    ObjectReader in(json, pointer);
    if (const Json* warmup = in.find("warmup")) series.warmup = pass_from(*warmup, in.pointer_to("warmup"));
    if (const Json* passes = in.find("passes")) {
        if (!passes->is_array()) in.fail("passes", "expected an array");
        for (std::size_t i = 0; i < passes->size(); ++i) {
            series.passes.push_back(pass_from((*passes)[i], pointer_to(in.pointer_to("passes"), i)));
        }
    } else if (!series.summary) {
        in.fail("passes", "missing; expected an array (or a \"summary\" where the samples are not there)");
    }
    return series;
}

Launch launch_from(const Json& json, const std::string& pointer) {
    Launch launch = launch_from_own_members(json, pointer);
    ObjectReader in(json, pointer);
    const Json& list = in.required_array("series");
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = pointer_to(in.pointer_to("series"), i);
        launch.series.push_back(series_from(list[i], where));
        require_new(names, launch.series.back().name, where);
    }
    return launch;
}

Target target_from(const Json& json, const std::string& pointer) {
    Target target = target_from_own_members(json, pointer);
    ObjectReader in(json, pointer);
    const Json& list = in.required_array("launches");
    for (std::size_t i = 0; i < list.size(); ++i) {
        target.launches.push_back(launch_from(list[i], pointer_to(in.pointer_to("launches"), i)));
    }
    return target;
}

void require_format(const Json& json) {
    if (!json.is_object()) {
        throw Error(ErrorCode::usage,
                    "not a run document: expected a JSON object with \"format\": \"" + std::string(kFormat) + "\"");
    }
    ObjectReader in(json, "");
    const Json* format = in.find("format");
    if (format == nullptr || *format != kFormat) {
        const std::string found = format == nullptr ? "there is none" : "it is " + printable(to_text(*format), 60);
        throw Error(ErrorCode::usage,
                    "/format: not a run document: expected \"" + std::string(kFormat) + "\", but " + found);
    }
    in.require("version", "a whole number");
    const std::int64_t version = *in.whole_number("version");
    if (version > kVersion) {
        throw Error(ErrorCode::unsupported, "/version: the document has version " + std::to_string(version) +
                                                ", this foxbench reads up to version " + std::to_string(kVersion) +
                                                "; use a newer foxbench");
    }
    if (version < 1) in.fail("version", "expected 1");
}

Json to_json(const Pass& pass) {
    Json json = own_members(pass);
    Json::array_t latencies;
    latencies.reserve(pass.latencies_us.size());
    for (const double latency : pass.latencies_us) latencies.push_back(number_to_json(latency));
    json["latencies_us"] = std::move(latencies);
    return json;
}

Json to_json(const Series& series) {
    Json json = own_members(series);
    if (series.warmup) json["warmup"] = to_json(*series.warmup);
    if (!series.passes.empty() || !series.summary) {
        Json::array_t passes;
        for (const Pass& pass : series.passes) passes.push_back(to_json(pass));
        json["passes"] = std::move(passes);
    }
    return json;
}

Json to_json(const Launch& launch) {
    Json json = own_members(launch);
    Json::array_t list;
    for (const Series& series : launch.series) list.push_back(to_json(series));
    json["series"] = std::move(list);
    return json;
}

Json to_json(const Target& target) {
    Json json = own_members(target);
    Json::array_t list;
    for (const Launch& launch : target.launches) list.push_back(to_json(launch));
    json["launches"] = std::move(list);
    return json;
}

}  // namespace

const char* to_string(RunState state) noexcept {
    for (const StateName& known : kStateNames) {
        if (known.state == state) return known.word;
    }
    return "invalid";
}

bool is_final(RunState state) noexcept {
    return state != RunState::queued && state != RunState::running;
}

RunState run_state_from(const std::string& word) {
    std::string words;
    for (const StateName& known : kStateNames) {
        if (word == known.word) return known.state;
        words += (words.empty() ? "" : ", ") + std::string(known.word);
    }
    throw Error(ErrorCode::usage, "unknown state \"" + printable(word, 40) + "\"; the states are " + words);
}

RunDocument from_json(const Json& json) {
    require_format(json);
    RunDocument document = run_from_own_members(json);
    if (!is_run_id(document.id)) {
        std::string what = "expected a run id: ";
        what += kRunIdRule;
        fail("/id", what);
    }
    // It is given back word for word, to terminals too.
    if (document.report_markdown && text::has_control_characters(*document.report_markdown, true))
        fail("/report_markdown", "expected text without control characters other than line breaks and tabs");
    const Json& list = ObjectReader(json, "").required_array("targets");
    std::unordered_set<std::string> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const std::string where = pointer_to("/targets", i);
        document.targets.push_back(target_from(list[i], where));
        require_new(names, document.targets.back().name, where);
    }
    return document;
}

RunDocument parse(std::string_view text, std::string_view origin) {
    const Json json = parse_json(text, origin);
    try {
        return from_json(json);
    } catch (const Error& error) {
        throw Error(error.code(), std::string(origin) + ": " + error.what());
    }
}

Json to_json(const RunDocument& document) {
    Json json = own_members(document);
    Json::array_t list;
    for (const Target& target : document.targets) list.push_back(to_json(target));
    json["targets"] = std::move(list);
    return json;
}

}  // namespace foxbench::document
