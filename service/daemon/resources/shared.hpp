#pragma once

#include <string>

#include "service/document/ids.hpp"
#include "service/http/problem.hpp"
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

}  // namespace foxbench::daemon
