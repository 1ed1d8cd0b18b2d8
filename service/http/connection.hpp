#pragma once

#include <cstddef>
#include <memory>
#include <set>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "service/http/exchange.hpp"

namespace foxbench::http {

class Connection;

/// Who is connected. Not thread-safe.
struct Connections {
    explicit Connections(boost::asio::any_io_executor executor) : emptied(std::move(executor)) {}

    std::size_t served = 0, refused = 0, streaming = 0;
    std::set<Connection*> open;
    bool stopping = false;
    boost::asio::steady_timer emptied;  ///< cancelled when the last one ends
};

/// One client's connection: reads its requests one after the other and writes the answers in that order. It keeps
/// itself alive until it ends.
class Connection {
public:
    /// Over its limit of connections the server lets some in all the same, `refused`: they get one answer, of a route
    /// that always answers or else 503.
    static void start(std::shared_ptr<Service> service, std::shared_ptr<Connections> connections,
                      boost::asio::ip::tcp::socket socket, bool refused);

    virtual ~Connection() = default;
    /// Ends after the request that is being read or answered; now, where there is none.
    virtual void end_soon() = 0;
    /// Ends now.
    virtual void end_now() = 0;
};

}  // namespace foxbench::http
