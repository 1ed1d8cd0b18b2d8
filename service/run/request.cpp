#include "service/run/request.hpp"

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

void check_text(const char* member, const std::string& written, std::size_t most) {
    const auto characters = text::count_characters(written);
    if (characters > most) {
        throw RequestError(member, std::string(member) + ": at most " + std::to_string(most) + " characters, not " +
                                       std::to_string(characters));
    }
}

}  // namespace

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
    request.launches = wanted.launches.value_or(defaults.launches);
    if (request.launches < 1 || request.launches > config::kMaxLaunches) {
        throw RequestError("launches", "launches: " + std::to_string(request.launches) + " is out of range, 1 to " +
                                           std::to_string(config::kMaxLaunches));
    }
    check_text("label", wanted.label, document::kMaxLabelCharacters);
    check_text("note", wanted.note, document::kMaxNoteCharacters);
    request.label = wanted.label;
    request.note = wanted.note;
    request.settle = config.settle;
    return request;
}

}  // namespace foxbench::run
