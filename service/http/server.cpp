#include "service/http/server.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "service/error.hpp"
#include "service/http/connection.hpp"
#include "service/http/json_body.hpp"

namespace foxbench::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
/// With port 0 the first address gets a free port, which may be taken on the second: then another one is tried.
constexpr int kPortTries = 20;
/// After the last sockets are closed their coroutines end at once, but for a handler that does not: it is left behind.
constexpr std::chrono::seconds kLastWait{1};

asio::ip::address parse_address(const std::string& text) {
    boost::system::error_code error;
    const auto address = asio::ip::make_address(text, error);
    if (error) throw Error(ErrorCode::usage, "'" + text + "' is no IP address to listen on");
    return address;
}

std::string to_text(const tcp::endpoint& endpoint) {
    const auto address = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(endpoint.port());
}

tcp::acceptor listen(const asio::any_io_executor& executor, const tcp::endpoint& endpoint) {
    tcp::acceptor acceptor(executor);
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    if (endpoint.address().is_v6()) acceptor.set_option(asio::ip::v6_only(true));
    acceptor.bind(endpoint);
    acceptor.listen();
    return acceptor;
}

bool means_no_ipv6(const boost::system::error_code& error) {
    return error == asio::error::address_family_not_supported || error == boost::system::errc::address_not_available ||
           error == asio::error::no_protocol_option;
}

}  // namespace

class Server::State : public std::enable_shared_from_this<State> {
public:
    State(const asio::any_io_executor& executor, ServerOptions options, RouteTable table)
        : executor_(executor),
          service_(std::make_shared<Service>()),
          connections_(std::make_shared<Connections>(executor)) {
        service_->options = std::move(options);
        service_->table = std::move(table);
        service_->identity.names = service_->options.host_names;
    }

    void start() {
        std::vector<asio::ip::address> addresses;
        for (const auto& text : service_->options.addresses) addresses.push_back(parse_address(text));
        if (addresses.empty()) throw Error(ErrorCode::usage, "there is no address to listen on");
        const auto& access = service_->options.access;
        for (const auto& address : addresses) {
            if (address.is_loopback() || (access && !access->is_open())) continue;
            throw Error(ErrorCode::usage, "listening on " + address.to_string() +
                                              " lets other machines in: this needs a token file (server.token_file)");
        }
        for (int tries = 1; acceptors_.empty(); ++tries) bind(addresses, tries < kPortTries);
        service_->identity.port = port();
        for (auto& acceptor : acceptors_)
            asio::co_spawn(executor_, accept(shared_from_this(), acceptor), asio::detached);
    }

    std::uint16_t port() const noexcept { return port_; }

    bidi::Task<> stop(std::chrono::milliseconds grace) {
        const auto self = shared_from_this();
        close_acceptors();
        connections_->stopping = true;
        for (auto* connection : std::vector(connections_->open.begin(), connections_->open.end()))
            connection->end_soon();
        co_await wait_until_empty(Clock::now() + grace);
        for (auto* connection : std::vector(connections_->open.begin(), connections_->open.end()))
            connection->end_now();
        co_await wait_until_empty(Clock::now() + kLastWait);
    }

    void stop_now() {
        close_acceptors();
        connections_->stopping = true;
        for (auto* connection : std::vector(connections_->open.begin(), connections_->open.end()))
            connection->end_now();
    }

    const Connections& connections() const noexcept { return *connections_; }

private:
    /// Listens on every address with one port; on none where a free port of the first is taken on another and there is
    /// another try.
    void bind(const std::vector<asio::ip::address>& addresses, bool may_try_again) {
        port_ = service_->options.port;
        for (const auto& address : addresses) {
            const tcp::endpoint endpoint(address, port_);
            try {
                acceptors_.push_back(listen(executor_, endpoint));
                port_ = acceptors_.back().local_endpoint().port();
            } catch (const boost::system::system_error& error) {
                const bool is_first = acceptors_.empty();
                if (!is_first && address.is_v6() && means_no_ipv6(error.code())) continue;
                acceptors_.clear();
                if (!is_first && service_->options.port == 0 && may_try_again) return;
                throw Error(ErrorCode::environment,
                            "listening on " + to_text(endpoint) + " failed: " + error.code().message() +
                                (error.code() == asio::error::address_in_use ? "; is a daemon running already?" : ""));
            }
        }
    }

    void close_acceptors() {
        boost::system::error_code ignored;  // closing one that is closed already
        for (auto& acceptor : acceptors_) acceptor.close(ignored);
    }

    static bidi::Task<> accept(std::shared_ptr<State> self, tcp::acceptor& acceptor) {
        while (acceptor.is_open()) {
            auto [error, socket] = co_await acceptor.async_accept(kTuple);
            if (!error) {
                self->take(std::move(socket));
            } else if (acceptor.is_open()) {
                self->report(error);
                asio::steady_timer pause(self->executor_, kAcceptPause);
                co_await pause.async_wait(kTuple);
            }
        }
    }

    void take(tcp::socket socket) {
        const bool full = connections_->served >= service_->options.limits.connections;
        if (full && connections_->refused >= kMaxRefusals) return;  // the socket closes with its scope
        Connection::start(service_, connections_, std::move(socket), full);
    }

    void report(const boost::system::error_code& error) {
        const auto now = Clock::now();
        if (reported_ && now - *reported_ < kAcceptFaultInterval) return;
        reported_ = now;
        service_->report_fault("accept_failed", "a connection could not be accepted: " + error.message());
    }

    bidi::Task<> wait_until_empty(Clock::time_point deadline) {
        while (!connections_->open.empty() && Clock::now() < deadline) {
            connections_->emptied.expires_at(deadline);
            co_await connections_->emptied.async_wait(kTuple);
        }
    }

    asio::any_io_executor executor_;
    std::shared_ptr<Service> service_;
    std::shared_ptr<Connections> connections_;
    std::vector<tcp::acceptor> acceptors_;
    std::uint16_t port_ = 0;
    std::optional<Clock::time_point> reported_;
};

Server::Server(const asio::any_io_executor& executor, ServerOptions options, RouteTable table)
    : state_(std::make_shared<State>(executor, std::move(options), std::move(table))) {}

Server::~Server() {
    state_->stop_now();
}

void Server::start() {
    state_->start();
}

std::uint16_t Server::port() const noexcept {
    return state_->port();
}

bidi::Task<> Server::stop(std::chrono::milliseconds grace) {
    return state_->stop(grace);
}

std::size_t Server::connections() const noexcept {
    return state_->connections().served;
}

std::size_t Server::event_streams() const noexcept {
    return state_->connections().streaming;
}

Route session_route(std::shared_ptr<Access> access) {
    if (!access) access = std::make_shared<Access>(std::vector<AccessToken>());
    Route route;
    route.method = Method::post;
    route.pattern = "/v1/session";
    route.operation = "openSession";
    route.scope = Scope::none;
    route.body = Body::json;
    route.handler = [access = std::move(access)](const Request& request) -> bidi::Task<Response> {
        BodyReader reader(request.json);
        const auto token = reader.text("token", 1024);
        if (!token) reader.fault("token", "has to be there");
        reader.finish();
        auto response = empty_response();
        response.fields.emplace_back("Set-Cookie", access->open_session(*token, Access::Clock::now()));
        co_return response;
    };
    return route;
}

}  // namespace foxbench::http
