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
    http::Route page;
    page.pattern = "/";
    page.operation = "getDashboard";
    page.scope = http::Scope::none;
    page.produces = {kHtml};
    page.handler = [](const Request&) { return get_dashboard(); };
    table.add(std::move(page));

    http::Route asset;
    asset.pattern = "/assets/{file}";
    asset.operation = "getAsset";
    asset.scope = http::Scope::none;
    asset.produces = {kScript, kStyle};
    asset.handler = [](const Request& request) { return get_asset(request); };
    table.add(std::move(asset));
}

}  // namespace foxbench::daemon
