#pragma once

#include <memory>

#include "service/daemon/context.hpp"
#include "service/http/access.hpp"
#include "service/http/route.hpp"

/// What can be asked of the daemon (docs/http-api.md): the route table, a function for each group of resources. The
/// context has to outlive the table.
namespace foxbench::daemon {

/// All of them.
[[nodiscard]] http::RouteTable make_routes(Context& context, std::shared_ptr<http::Access> access);

void add_run_routes(http::RouteTable& table, Context& context);
void add_report_routes(http::RouteTable& table, Context& context);
void add_compare_routes(http::RouteTable& table, Context& context);
void add_history_routes(http::RouteTable& table, Context& context);
void add_baseline_routes(http::RouteTable& table, Context& context);
void add_alert_routes(http::RouteTable& table, Context& context);
void add_queue_routes(http::RouteTable& table, Context& context);
void add_schedule_routes(http::RouteTable& table, Context& context);
void add_catalog_routes(http::RouteTable& table, Context& context);
void add_import_routes(http::RouteTable& table, Context& context);
void add_event_routes(http::RouteTable& table, Context& context);
void add_dashboard_routes(http::RouteTable& table);
void add_service_routes(http::RouteTable& table, Context& context);

}  // namespace foxbench::daemon
