#pragma once

#include <string>
#include <utility>

#include "service/document/ids.hpp"
#include "service/http/problem.hpp"
#include "service/http/route.hpp"
#include "service/store/store.hpp"

/// What several resources need.
namespace foxbench::daemon {

/// The run that `{id}` of a path names: an id, or "latest". On the reader's pool. Throws http::Problem (404).
[[nodiscard]] inline std::string run_named(const store::Store& reader, const std::string& id) {
    if (id == document::kLatest) return reader.resolve(id);
    if (!document::is_run_id(id))
        throw http::Problem(404, std::string("no run has such an id: ids are ") + document::kRunIdRule);
    return reader.load_summary(id).id;
}

/// A route that looks at something.
[[nodiscard]] inline http::Route read_route(std::string pattern, std::string operation, http::Handler handler) {
    http::Route route;
    route.pattern = std::move(pattern);
    route.operation = std::move(operation);
    route.handler = std::move(handler);
    return route;
}

/// A route that changes something: needs the scope `run`; every POST takes an Idempotency-Key.
[[nodiscard]] inline http::Route change_route(http::Method method, std::string pattern, std::string operation,
                                              http::Handler handler) {
    auto route = read_route(std::move(pattern), std::move(operation), std::move(handler));
    route.method = method;
    route.scope = http::Scope::run;
    route.idempotent_by_key = method == http::Method::post;
    return route;
}

}  // namespace foxbench::daemon
