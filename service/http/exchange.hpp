#pragma once

#include <ctime>
#include <set>
#include <string>

#include "bidi/task.hpp"
#include "service/http/request_checks.hpp"
#include "service/http/server.hpp"

/// What happens between a request's header and its answer; knows nothing of sockets.
namespace foxbench::http {

/// What the connections of a server share.
struct Service {
    ServerOptions options;
    RouteTable table;
    Identity identity;
    std::set<std::string> keys_in_progress;  ///< Idempotency-Keys whose first request is being answered

    void report_fault(std::string_view event, const std::string& message) const {
        if (options.on_fault) options.on_fault(event, message);
    }
};

/// A header that was found to be in order.
struct Judged {
    const Route* route = nullptr;
    Request request;  ///< without body
    Framing framing;
    bool expects_continue = false;
};

/// Asks everything that can be asked before the body is read. Throws Problem.
[[nodiscard]] Judged judge(const Header& header, const Service& service, Access::Clock::time_point now);

/// Puts the body that was read into the request. Throws Problem: 400 for what is no JSON, 422 for members where there
/// can be none.
[[nodiscard]] bidi::Task<> take_body(const Service& service, const Route& route, Request& request, std::string body);

/// Lets the route's handler answer, under the request's Idempotency-Key where it has one. Every failure becomes an
/// answer; those of the daemon's own are reported.
[[nodiscard]] bidi::Task<Response> answer(Service& service, const Route& route, const Request& request);

/// An answer as it goes out, but for the fields of the connection.
struct Outgoing {
    unsigned status = 200;
    Fields fields;
    std::string body;
};

/// Adds what every answer has: ETag and the conditions upon it, compression, and the fields of caching and of safety.
/// `request` null: the header was not in order.
[[nodiscard]] bidi::Task<Outgoing> finish(const Service& service, const Route* route, const Request* request,
                                          Response response);

/// "Tue, 01 Dec 2026 02:00:00 GMT" (RFC 9110, section 5.6.7).
[[nodiscard]] std::string http_date(std::time_t time);

}  // namespace foxbench::http
