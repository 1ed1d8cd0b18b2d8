#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "service/document/ids.hpp"
#include "service/http/problem.hpp"
#include "service/http/route.hpp"
#include "service/report/render.hpp"
#include "service/store/store.hpp"

/// What several resources need.
namespace foxbench::daemon {

/// The header field with a comparison's overall verdict, whatever its format.
inline constexpr const char* kVerdictField = "Foxbench-Verdict";

inline constexpr std::array kReportFormats{report::Format::md, report::Format::json, report::Format::csv,
                                           report::Format::html};

/// The run that `{id}` of a path names: an id, a unique beginning of one, or "latest". On the reader's pool. Throws
/// http::Problem (404) for what cannot be one, and what store::Store::resolve() throws.
[[nodiscard]] inline std::string run_named(const store::Store& reader, const std::string& id) {
    if (!document::is_run_id(id))
        throw http::Problem(404, std::string("no run has such an id: ids are ") + document::kRunIdRule);
    return reader.resolve(id);
}

/// The media types of what can be had as Markdown, JSON, CSV and HTML.
[[nodiscard]] inline std::vector<std::string> report_types() {
    std::vector<std::string> types;
    for (const auto format : kReportFormats) types.emplace_back(report::media_type(format));
    return types;
}

/// Which of them the answer should be.
[[nodiscard]] inline report::Format format_of(const http::Request& request) {
    for (const auto format : kReportFormats) {
        if (report::media_type(format).starts_with(request.media_type)) return format;
    }
    return report::Format::md;
}

/// For a page of its own: its styles are inside it, and it loads nothing.
[[nodiscard]] inline std::pair<std::string, std::string> page_policy() {
    return {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"};
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
