#include "service/daemon/resources/shared.hpp"
#include "service/daemon/routes.hpp"
#include "service/http/problem.hpp"
#include "service/web/web_files.hpp"

namespace foxbench::daemon {
namespace {

using http::Request;
using http::Response;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kScript = "text/javascript; charset=utf-8";
constexpr const char* kStyle = "text/css; charset=utf-8";

Response file_response(std::string_view name, const char* type) {
    auto response = http::text_response(type, std::string(web::web_file(name).value()));
    response.cacheable = true;
    return response;
}

bidi::Task<Response> get_dashboard() {
    co_return file_response("index.html", kHtml);
}

bidi::Task<Response> get_asset(const Request& request) {
    const auto& name = request.parameter("file");
    if (name == "index.html" || !web::web_file(name)) throw http::Problem(404, "the dashboard has no such file");
    co_return file_response(name, name.ends_with(".js") ? kScript : kStyle);
}

}  // namespace

void add_dashboard_routes(http::RouteTable& table) {
    auto page = read_route("/", "getDashboard", [](const Request&) { return get_dashboard(); });
    page.produces = {kHtml};
    auto asset = read_route("/assets/{file}", "getAsset", [](const Request& request) { return get_asset(request); });
    asset.produces = {kScript, kStyle};
    for (auto* route : {&page, &asset}) {
        route->scope = http::Scope::none;  // it asks for the token itself
        table.add(std::move(*route));
    }
}

}  // namespace foxbench::daemon
