#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bidi/task.hpp"
#include "service/http/access.hpp"
#include "service/http/request.hpp"
#include "service/http/response.hpp"

namespace foxbench::http {

/// Does what a route is for. The request lives until the task has ended. May throw Problem or foxbench::Error. Runs on
/// the server's executor and must not hold it up: SQLite, rendering and the like belong on a pool. Where it is a lambda
/// that is a coroutine, its captures live as long as the server.
using Handler = std::function<bidi::Task<Response>(const Request&)>;

/// What a route takes as its body.
enum class Body {
    none,    ///< nothing; JSON's empty object is let pass
    json,    ///< application/json up to kMaxBodyBytes; the handler finds it in Request::json
    import_  ///< application/json (in Request::json likewise) or text/markdown, up to kMaxImportBytes
};

/// One line of the route table: what can be asked and who answers.
struct Route {
    Method method = Method::get;
    std::string pattern;    ///< "/v1/runs/{id}/report"; a parameter is one whole segment
    std::string operation;  ///< the OpenAPI operationId: "getRunReport"
    Scope scope = Scope::read;
    Body body = Body::none;
    /// Media types of the answer, the preferred one first. Parameters ("; charset=utf-8") are sent but not compared.
    std::vector<std::string> produces = {"application/json"};
    /// Known parameters of the query; others are 422. Where "format" is one of them, `?format=md|json|csv|html` chooses
    /// among `produces`, and has precedence over Accept.
    std::vector<std::string> query = {};
    bool idempotent_by_key = false;  ///< takes Idempotency-Key (POST only)
    /// Answered also beyond the limit of connections: what says how the process is.
    bool always = false;
    Handler handler;
};

/// What a method and a path lead to.
struct RouteMatch {
    const Route* route = nullptr;
    std::map<std::string, std::string> parameters;
};
struct NoSuchPath {};
struct WrongMethod {
    std::string allow;  ///< the Allow field: "GET, HEAD, POST"
};

/// The routes as data. A plain value; reading it from several threads is safe.
class RouteTable {
public:
    /// Throws std::invalid_argument for a pattern that is none, for a second route of the same method and shape of
    /// path, and for a second operation of the same name: faults of the program.
    void add(Route route);

    /// `path` as sent, percent-encoded; `method` as sent. A literal segment has precedence over a parameter.
    [[nodiscard]] std::variant<RouteMatch, NoSuchPath, WrongMethod> match(std::string_view method,
                                                                          std::string_view path) const;

    [[nodiscard]] const std::vector<Route>& routes() const noexcept { return routes_; }

private:
    std::vector<Route> routes_;
};

}  // namespace foxbench::http
