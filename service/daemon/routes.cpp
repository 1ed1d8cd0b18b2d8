#include "service/daemon/routes.hpp"

#include "service/http/server.hpp"

namespace foxbench::daemon {

http::RouteTable make_routes(Context& context, std::shared_ptr<http::Access> access) {
    http::RouteTable table;
    add_run_routes(table, context);
    add_report_routes(table, context);
    add_compare_routes(table, context);
    add_history_routes(table, context);
    add_baseline_routes(table, context);
    add_alert_routes(table, context);
    add_queue_routes(table, context);
    add_schedule_routes(table, context);
    add_catalog_routes(table, context);
    add_import_routes(table, context);
    add_event_routes(table, context);
    add_dashboard_routes(table);
    add_service_routes(table, context);
    table.add(http::session_route(std::move(access)));
    return table;
}

}  // namespace foxbench::daemon
