#include "service/run/request.hpp"

#include <algorithm>

#include "service/document/purpose.hpp"
#include "service/text/words.hpp"

namespace foxbench::run {
namespace {

/// Does one step; its failure is the member's.
template <class Step>
auto of_member(const char* member, Step step) {
    try {
        return step();
    } catch (const Error& error) {
        throw RequestError(member, error.what());
    }
}

void check_text(const char* member, const std::string& written, std::size_t most, bool line_breaks) {
    const auto characters = text::count_characters(written);
    if (characters > most) {
        throw RequestError(member, std::string(member) + ": at most " + std::to_string(most) + " characters, not " +
                                       std::to_string(characters));
    }
    if (text::has_control_characters(written, line_breaks)) {
        throw RequestError(member, std::string(member) + ": it has control characters" +
                                       (line_breaks ? " other than line breaks and tabs" : ""));
    }
}

/// An A/A run says how much launches differ: one alone says nothing.
void check_purpose(const std::string& purpose, std::int64_t launches) {
    if (purpose.empty()) return;
    if (purpose != document::kAa)
        throw Error(ErrorCode::usage, "purpose: \"" + purpose + "\" is none; there is \"aa\"");
    if (launches < 2) throw Error(ErrorCode::usage, "purpose: an A/A run needs at least 2 launches, better 10 or more");
}

std::int64_t planted_in(const workload::Plan& plan) {
    return plan.parameters.value(document::kPlanted, std::int64_t{0});
}

/// Takes over what is planted into single targets, and checks that the workload can do it.
void plant(RunRequest& request, const std::map<std::string, std::int64_t>& planted_us) {
    for (const auto& [name, us] : planted_us) {
        const auto target = std::ranges::find(request.targets, name, &config::Target::name);
        if (target != request.targets.end()) target->planted_us = us;
    }
    for (auto& target : request.targets) {
        if (target.planted_us == planted_in(request.plan)) target.planted_us.reset();
        of_member("targets", [&] {
            try {
                (void)plan_of(request, target);
            } catch (const Error& error) {
                throw Error(error.code(), "target " + target.name + ": " + error.what());
            }
        });
    }
}

}  // namespace

workload::Plan plan_of(const RunRequest& request, const config::Target& target) {
    if (!target.planted_us) return request.plan;
    if (request.manifest.find_parameter(document::kPlanted) == nullptr) {
        throw Error(ErrorCode::usage,
                    "the workload " + request.manifest.name + " has no parameter " + document::kPlanted);
    }
    auto config = request.plan.config();
    config[document::kPlanted] = *target.planted_us;
    return workload::restore_plan(request.manifest, config);
}

RunRequest resolve(const Wanted& wanted, const config::Config& config) {
    const auto& defaults = config.defaults;
    RunRequest request;
    request.manifest = of_member("workload", [&] {
        return workload::find_workload(config.workloads, wanted.workload.empty() ? defaults.workload : wanted.workload);
    });
    const std::string preset = wanted.preset.empty() ? defaults.preset : wanted.preset;
    of_member("preset", [&] { (void)workload::make_plan(request.manifest, preset, document::Json::object()); });
    request.plan =
        of_member("overrides", [&] { return workload::make_plan(request.manifest, preset, wanted.overrides); });
    request.targets = of_member("targets", [&] { return config.choose_targets(wanted.targets); });
    plant(request, wanted.planted_us);
    request.launches = wanted.launches.value_or(defaults.launches);
    if (request.launches < 1 || request.launches > config::kMaxLaunches) {
        throw RequestError("launches", "launches: " + std::to_string(request.launches) + " is out of range, 1 to " +
                                           std::to_string(config::kMaxLaunches));
    }
    check_text("label", wanted.label, document::kMaxLabelCharacters, false);
    check_text("note", wanted.note, document::kMaxNoteCharacters, true);
    of_member("purpose", [&] { check_purpose(wanted.purpose, request.launches); });
    request.purpose = wanted.purpose;
    request.label = wanted.label;
    request.note = wanted.note;
    request.settle = config.settle;
    return request;
}

}  // namespace foxbench::run
