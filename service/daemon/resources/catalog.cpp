#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/daemon/run_json.hpp"
#include "service/workload/manifest.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

/// What a request may name; binaries, preferences and environments stay the configuration's own business but for what
/// tells targets from each other.
bidi::Task<Response> list_targets(Context& context, const Request&) {
    const auto config = context.config;
    Json targets = Json::array();
    for (const auto& target : config->targets) {
        targets.push_back({{"name", target.name},
                           {"binary", target.binary.empty() ? Json(nullptr) : Json(target.binary)},
                           {"note", target.note.empty() ? Json(nullptr) : Json(target.note)},
                           {"timer", target.precise_timer ? "precise" : "standard"},
                           {"prefs", target.prefs},
                           {"cpus", target.cpus.empty() ? Json(nullptr) : Json(target.cpus)},
                           {"planted_us", or_null(target.planted_us)}});
    }
    co_return http::json_response({{"targets", std::move(targets)}, {"default", config->defaults.targets}});
}

Json describe(const workload::Manifest& manifest) {
    Json parameters = Json::array();
    for (const auto& parameter : manifest.parameters)
        parameters.push_back({{"name", parameter.name}, {"about", parameter.about}});
    Json presets = Json::object();
    for (const auto& [name, values] : manifest.presets) presets[name] = values;
    Json cases = Json::array();
    for (const auto& one : manifest.cases) cases.push_back({{"name", one.name}, {"about", one.about}});
    return {{"name", manifest.name},         {"title", manifest.title},
            {"about", manifest.about},       {"parameters", std::move(parameters)},
            {"presets", std::move(presets)}, {"cases", std::move(cases)}};
}

bidi::Task<Response> list_workloads(Context& context, const Request&) {
    const auto config = context.config;
    Json workloads = co_await context.read([&] {
        Json all = Json::array();
        for (const auto& name : workload::list_workloads(config->workloads))
            all.push_back(describe(workload::find_workload(config->workloads, name)));
        return all;
    });
    co_return http::json_response({{"workloads", std::move(workloads)}});
}

}  // namespace

void add_catalog_routes(http::RouteTable& table, Context& context) {
    table.add(read_route("/v1/targets", "listTargets",
                         [&context](const Request& request) { return list_targets(context, request); }));
    table.add(read_route("/v1/workloads", "listWorkloads",
                         [&context](const Request& request) { return list_workloads(context, request); }));
}

}  // namespace foxbench::daemon
