#include "service/run/frozen_request.hpp"

#include "service/error.hpp"

namespace foxbench::run {
namespace {

using document::Json;
using std::chrono::milliseconds;

/// Goes up when an older foxbench would misunderstand what a newer one has queued.
constexpr int kFrozenVersion = 1;

Json freeze_target(const config::Target& target) {
    Json frozen = {{"name", target.name},
                   {"binary", target.binary},
                   {"prefs", target.prefs},
                   {"env", target.env},
                   {"args", target.args},
                   {"note", target.note},
                   {"precise_timer", target.precise_timer},
                   {"headed", target.headed}};
    if (!target.cpus.empty()) frozen["cpus"] = target.cpus;
    if (target.planted_us) frozen["planted_us"] = *target.planted_us;
    if (target.local_build) frozen["local_build"] = *target.local_build;
    if (target.start_deadline) frozen["start_deadline_ms"] = target.start_deadline->count();
    return frozen;
}

config::Target thaw_target(const Json& frozen) {
    config::Target target;
    target.name = frozen.at("name");
    target.binary = frozen.at("binary");
    target.prefs = frozen.at("prefs");
    target.env = frozen.at("env").get<std::map<std::string, std::string>>();
    target.args = frozen.at("args").get<std::vector<std::string>>();
    target.note = frozen.at("note");
    target.precise_timer = frozen.at("precise_timer");
    target.headed = frozen.at("headed");
    target.cpus = frozen.value("cpus", std::string());
    if (const auto planted = frozen.find("planted_us"); planted != frozen.end())
        target.planted_us = planted->get<std::int64_t>();
    if (const auto local = frozen.find("local_build"); local != frozen.end()) target.local_build = local->get<bool>();
    if (const auto deadline = frozen.find("start_deadline_ms"); deadline != frozen.end())
        target.start_deadline = milliseconds(deadline->get<std::int64_t>());
    return target;
}

Json freeze_terms(const JobTerms& terms) {
    Json frozen = Json::object();
    if (terms.quiet)
        frozen["quiet"] = {{"load_below", terms.quiet->load_below}, {"wait_ms", terms.quiet->wait.count()}};
    if (!terms.before.empty()) {
        frozen["before"] = terms.before;
        frozen["before_folder"] = terms.before_folder.string();
    }
    if (terms.skip_if_same_build) frozen["skip_if_same_build"] = true;
    if (terms.max_duration) frozen["max_duration_ms"] = terms.max_duration->count();
    if (terms.finish_by_ms) frozen["finish_by_ms"] = *terms.finish_by_ms;
    return frozen;
}

JobTerms thaw_terms(const Json& frozen) {
    JobTerms terms;
    if (const auto quiet = frozen.find("quiet"); quiet != frozen.end()) {
        terms.quiet.emplace();
        terms.quiet->load_below = quiet->at("load_below");
        terms.quiet->wait = milliseconds(quiet->at("wait_ms").get<std::int64_t>());
    }
    terms.before = frozen.value("before", std::vector<std::string>());
    terms.before_folder = frozen.value("before_folder", std::string());
    terms.skip_if_same_build = frozen.value("skip_if_same_build", false);
    if (const auto most = frozen.find("max_duration_ms"); most != frozen.end())
        terms.max_duration = milliseconds(most->get<std::int64_t>());
    if (const auto end = frozen.find("finish_by_ms"); end != frozen.end())
        terms.finish_by_ms = end->get<std::int64_t>();
    return terms;
}

Job thaw_checked(const Json& frozen, const std::filesystem::path& workloads) {
    if (frozen.at("version") != kFrozenVersion) {
        throw Error(ErrorCode::unsupported, "the queued run was asked for with another version of foxbench (" +
                                                frozen.at("version").dump() + "); ask for it again");
    }
    Job job;
    auto& request = job.request;
    request.manifest = workload::find_workload(workloads, frozen.at("workload").get<std::string>());
    request.plan = workload::restore_plan(request.manifest, frozen.at("config"));
    for (const auto& target : frozen.at("targets")) request.targets.push_back(thaw_target(target));
    request.launches = frozen.at("launches");
    request.label = frozen.at("label");
    request.note = frozen.at("note");
    request.purpose = frozen.value("purpose", std::string());
    request.trigger = frozen.at("trigger");
    request.settle = milliseconds(frozen.at("settle_ms").get<std::int64_t>());
    job.terms = thaw_terms(frozen.at("terms"));
    return job;
}

}  // namespace

Json freeze(const Job& job) {
    const auto& request = job.request;
    Json targets = Json::array();
    for (const auto& target : request.targets) targets.push_back(freeze_target(target));
    Json frozen = {{"version", kFrozenVersion},
                   {"workload", request.plan.workload},
                   {"config", request.plan.config()},
                   {"targets", targets},
                   {"launches", request.launches},
                   {"label", request.label},
                   {"note", request.note},
                   {"trigger", request.trigger},
                   {"settle_ms", request.settle.count()},
                   {"terms", freeze_terms(job.terms)}};
    if (!request.purpose.empty()) frozen["purpose"] = request.purpose;
    return frozen;
}

Job thaw(const Json& frozen, const std::filesystem::path& workloads) {
    try {
        return thaw_checked(frozen, workloads);
    } catch (const Json::exception& fault) {
        throw Error(ErrorCode::internal, std::string("a queued run's request cannot be read: ") + fault.what());
    }
}

}  // namespace foxbench::run
