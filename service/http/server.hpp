#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>

#include "bidi/task.hpp"
#include "service/http/access.hpp"
#include "service/http/limits.hpp"
#include "service/http/route.hpp"

namespace foxbench::http {

class IdempotencyStore;

/// The limits that tests make smaller; limits.hpp has the reasons.
struct Limits {
    std::size_t connections = kMaxConnections;
    std::size_t event_streams = kMaxEventStreams;
    std::chrono::milliseconds header = kHeaderDeadline;
    std::chrono::milliseconds body = kBodyDeadline;
    std::chrono::milliseconds idle = kIdleDeadline;
    std::chrono::milliseconds refusal = kRefusalDeadline;
    std::chrono::milliseconds linger = kLingerDeadline;
};

/// One request that was answered, for metrics and the log.
struct Answered {
    const Route* route = nullptr;  ///< null where none was found
    unsigned status = 0;
    std::chrono::microseconds took{};  ///< from the end of the header to the beginning of the answer
};

struct ServerOptions {
    /// Literal addresses, all with the same port. The first one has to work; a further ::1 may be missing on a machine
    /// without IPv6.
    std::vector<std::string> addresses = {"127.0.0.1", "::1"};
    std::uint16_t port = 0;  ///< 0: any free one
    /// Names for the Host field besides localhost, 127.0.0.1 and [::1]: "lab-3.example" with any port, or with just the
    /// one that is given.
    std::vector<std::string> host_names;
    /// Shared with the handler of POST /v1/session (session_route()). Null: everybody may do everything.
    std::shared_ptr<Access> access;
    std::shared_ptr<IdempotencyStore> idempotency;  ///< null: Idempotency-Key is not honoured
    /// For what would hold up the event loop (compression, parsing and hashing of large bodies); empty: done in place.
    boost::asio::any_io_executor pool;
    Limits limits;
    /// Told of faults of the daemon's own (an unexpected exception, no descriptors left): an event's name and one line.
    std::function<void(std::string_view event, const std::string& message)> on_fault;
    std::function<void(const Answered&)> on_answer;
};

/// The HTTP/1.1 server: connections, framing, limits and everything of the protocol; what is asked for is the route
/// table's. Each header is judged before its body is read. Not thread-safe: everything on its executor, which has one
/// thread.
class Server {
public:
    Server(const boost::asio::any_io_executor& executor, ServerOptions options, RouteTable table);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    /// Closes everything at once.
    ~Server();

    /// Listens and accepts. Throws Error: `environment` where an address or port cannot be had, `usage` for an address
    /// that is none and for one that is not loopback without tokens.
    void start();
    /// The bound port, after start().
    [[nodiscard]] std::uint16_t port() const noexcept;

    /// Accepts nothing new, ends event streams and idle connections, lets requests that are being answered finish for
    /// `grace`, then closes what is left. Done when no connection is left.
    [[nodiscard]] bidi::Task<> stop(std::chrono::milliseconds grace);

    [[nodiscard]] std::size_t connections() const noexcept;
    [[nodiscard]] std::size_t event_streams() const noexcept;

private:
    class State;
    std::shared_ptr<State> state_;
};

/// POST /v1/session: exchanges {"token": "..."} for the session cookie; answers 204.
[[nodiscard]] Route session_route(std::shared_ptr<Access> access);

}  // namespace foxbench::http
