#include "service/notify/payload.hpp"

#include <optional>
#include <string>

namespace foxbench::notify {
namespace {

document::Json text_or_null(const std::optional<std::string>& text) {
    return text ? document::Json(*text) : document::Json();
}

}  // namespace

document::Json run_finished(const document::RunDocument& run, std::string_view base_url) {
    document::Json targets = document::Json::array();
    for (const auto& target : run.targets) targets.push_back(target.name);
    const std::string self = std::string(base_url) + "/v1/runs/" + run.id;  // an id needs no percent-encoding (ids.hpp)
    document::Json payload;
    payload["event"] = kRunFinished;
    payload["id"] = run.id;
    payload["state"] = document::to_string(run.state);
    payload["reason"] = text_or_null(run.reason);
    payload["label"] = text_or_null(run.label);
    payload["workload"] = run.workload;
    payload["targets"] = std::move(targets);
    payload["started_at"] = text_or_null(run.started_at);
    payload["finished_at"] = text_or_null(run.finished_at);
    payload["links"]["self"] = self;
    payload["links"]["report"] = self + "/report";
    return payload;
}

}  // namespace foxbench::notify
