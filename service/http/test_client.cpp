#include "service/http/test_client.hpp"

#include <cerrno>
#include <future>
#include <stdexcept>

#include <arpa/inet.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "service/error.hpp"
#include "service/http/json_body.hpp"

namespace foxbench::http::testing {
namespace {

/// No test may hang.
constexpr int kBoundMs = 20'000;

void wait_for(int socket, short what) {
    pollfd waiting{socket, what, 0};
    if (poll(&waiting, 1, kBoundMs) != 1) throw std::runtime_error("the server neither answered nor closed in time");
}

}  // namespace

std::string Answer::field(std::string_view name) const {
    return std::string(find_field(fields, name).value_or(""));
}

TestClient::TestClient(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (socket_ < 0 || ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0)
        throw std::runtime_error("no connection to the server under test");
}

TestClient::~TestClient() {
    ::close(socket_);
}

void TestClient::send(std::string_view bytes) const {
    while (!bytes.empty()) {
        wait_for(socket_, POLLOUT);
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN) throw std::runtime_error("the server closed while it was sent to");
        if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void TestClient::send_if_open(std::string_view bytes) const noexcept {
    try {
        send(bytes);
    } catch (const std::runtime_error&) {
        // The answer says why.
    }
}

void TestClient::end_sending() const noexcept {
    ::shutdown(socket_, SHUT_WR);
}

bool TestClient::fill() {
    wait_for(socket_, POLLIN);
    char bytes[16384];
    const auto got = ::recv(socket_, bytes, sizeof(bytes), 0);
    if (got <= 0) return false;
    unread_.append(bytes, static_cast<std::size_t>(got));
    return true;
}

std::string TestClient::receive_until(std::string_view text) {
    std::size_t found;
    while ((found = unread_.find(text)) == std::string::npos) {
        if (!fill()) return std::exchange(unread_, {});
    }
    auto result = unread_.substr(0, found + text.size());
    unread_.erase(0, found + text.size());
    return result;
}

Answer TestClient::receive(bool head) {
    Answer answer;
    const auto header = receive_until("\r\n\r\n");
    if (!header.starts_with("HTTP/1.") || header.size() < 12) return answer;
    answer.status = static_cast<unsigned>(std::stoi(header.substr(9, 3)));
    for (auto at = header.find("\r\n") + 2; at + 2 < header.size();) {
        const auto end = header.find("\r\n", at);
        const auto colon = header.find(": ", at);
        answer.fields.emplace_back(header.substr(at, colon - at), header.substr(colon + 2, end - colon - 2));
        at = end + 2;
    }
    const auto length = answer.field("Content-Length");
    if (head || length.empty()) return answer;
    const auto bytes = static_cast<std::size_t>(std::stoul(length));
    while (unread_.size() < bytes) {
        if (!fill()) break;
    }
    answer.body = unread_.substr(0, bytes);
    unread_.erase(0, bytes);
    return answer;
}

bool TestClient::is_closed() {
    return unread_.empty() && !fill();
}

std::string request_text(std::uint16_t port, std::string_view method, std::string_view target, std::string_view fields,
                         std::optional<std::string_view> body) {
    std::string text;
    text.append(method).append(" ").append(target).append(" HTTP/1.1\r\n");
    text.append("Host: localhost:").append(std::to_string(port)).append("\r\n").append(fields);
    if (body) text.append("Content-Length: ").append(std::to_string(body->size())).append("\r\n");
    return text.append("\r\n").append(body.value_or(""));
}

bidi::Task<std::optional<StoredAnswer>> MemoryAnswers::find(const std::string& key) {
    const auto found = answers_.find(key);
    if (found == answers_.end()) co_return std::nullopt;
    co_return found->second;
}

bidi::Task<> MemoryAnswers::remember(const std::string& key, const StoredAnswer& answer) {
    answers_.emplace(key, answer);
    co_return;
}

TestServer::TestServer(ServerOptions options, EventHubOptions events) : access_(options.access) {
    hub_ = std::make_unique<EventHub>(
        loop_.get_executor(),
        [next = std::int64_t(1)]() mutable { return std::exchange(next, next + EventHub::kBlock); }, events);
    options.pool = pool_.get_executor();
    options.on_fault = [this](std::string_view event, const std::string& message) {
        faults.push_back(std::string(event) + ": " + message);
    };
    server_ = std::make_unique<Server>(loop_.get_executor(), std::move(options), routes());
    server_->start();
    port_ = server_->port();
    thread_ = std::thread([this] { loop_.run(); });
}

TestServer::~TestServer() {
    on_loop([this] {
        server_.reset();
        hub_.reset();
        released_.cancel();
    });
    work_.reset();
    loop_.stop();
    thread_.join();
    pool_.join();
}

Answer TestServer::ask(std::string_view method, std::string_view target, std::string_view fields,
                       std::optional<std::string_view> body) const {
    TestClient client(port_);
    client.send(request_text(port_, method, target, fields, body));
    return client.receive(method == "HEAD");
}

void TestServer::on_loop(const std::function<void()>& action) {
    std::promise<void> done;
    boost::asio::post(loop_, [&] {
        action();
        done.set_value();
    });
    done.get_future().wait();
}

void TestServer::publish(std::string_view type, std::optional<std::string> run, const Json& data) {
    on_loop([&] { hub_->publish(type, run, data); });
}

void TestServer::release() {
    on_loop([this] { released_.cancel(); });
}

void TestServer::stop(std::chrono::milliseconds grace) {
    boost::asio::co_spawn(loop_, server_->stop(grace), boost::asio::use_future).get();
}

std::size_t TestServer::event_streams() {
    std::size_t streams = 0;
    on_loop([&] { streams = server_->event_streams(); });
    return streams;
}

std::size_t TestServer::connections() {
    std::size_t connections = 0;
    on_loop([&] { connections = server_->connections(); });
    return connections;
}

RouteTable TestServer::routes() {
    RouteTable table;
    const auto add = [&table](Method method, std::string pattern, std::string operation, Handler handler,
                              const std::function<void(Route&)>& change = {}) {
        Route route;
        route.method = method;
        route.pattern = std::move(pattern);
        route.operation = std::move(operation);
        route.scope = changes_state(method) ? Scope::run : Scope::read;
        route.handler = std::move(handler);
        if (change) change(route);
        table.add(std::move(route));
    };
    add(
        Method::get, "/v1/things", "listThings",
        [](const Request&) -> bidi::Task<Response> {
            co_return json_response(Json{{"things", Json::array()}});
        },
        [](Route& route) { route.query = {"limit"}; });
    add(
        Method::post, "/v1/things", "addThing",
        [this](const Request& request) -> bidi::Task<Response> {
            BodyReader reader(request.json);
            (void)reader.text("label", 100);
            (void)reader.lines("pad", 1 << 20);
            reader.finish();
            const int number = ++changes;
            co_return created_response(202, "/v1/things/" + std::to_string(number), Json{{"number", number}});
        },
        [](Route& route) {
            route.body = Body::json;
            route.idempotent_by_key = true;
        });
    add(Method::del, "/v1/things/{id}", "deleteThing", [this](const Request& request) -> bidi::Task<Response> {
        require_match(request, "current");
        ++changes;
        co_return empty_response();
    });
    add(Method::post, "/v1/things/{id}/cancel", "cancelThing", [this](const Request&) -> bidi::Task<Response> {
        ++changes;
        co_return json_response(Json{{"state", "cancelled"}});
    });
    add(
        Method::get, "/v1/report", "getReport",
        [](const Request& request) -> bidi::Task<Response> {
            std::string body;
            for (int i = 0; i < 500; ++i) body += request.media_type + " row " + std::to_string(i) + "\n";
            auto response = text_response(request.media_type, body);
            response.immutable = true;
            co_return response;
        },
        [](Route& route) {
            route.produces = {"text/markdown; charset=utf-8", "application/json", "text/csv",
                              "text/html; charset=utf-8"};
            route.query = {"format"};
        });
    add(
        Method::post, "/v1/imports", "import",
        [this](const Request& request) -> bidi::Task<Response> {
            ++changes;
            co_return json_response(Json{{"bytes", request.body.size()}, {"type", request.content_type}});
        },
        [](Route& route) { route.body = Body::import_; });
    add(
        Method::get, "/v1/big", "getBig",
        [](const Request&) -> bidi::Task<Response> {
            co_return text_response("application/octet-stream", std::string(8 << 20, 'x'));
        },
        [](Route& route) { route.produces = {"application/octet-stream"}; });
    add(Method::get, "/v1/wait", "wait", [this](const Request&) -> bidi::Task<Response> {
        ++waiting;
        co_await released_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        co_return json_response(Json{{"waited", true}});
    });
    add(Method::get, "/v1/missing", "getMissing", [](const Request&) -> bidi::Task<Response> {
        throw Error(ErrorCode::not_found, "there is no run 'x'");
        co_return Response();
    });
    add(Method::get, "/v1/broken", "getBroken", [](const Request&) -> bidi::Task<Response> {
        throw std::runtime_error("a secret detail");
        co_return Response();
    });
    add(
        Method::get, "/v1/events", "getEvents",
        [this](const Request& request) -> bidi::Task<Response> {
            co_return event_response(hub_->subscribe(request.query_text("run"), request.last_event_id));
        },
        [](Route& route) {
            route.produces = {"text/event-stream"};
            route.query = {"run"};
        });
    add(
        Method::get, "/livez", "getLivez",
        [](const Request&) -> bidi::Task<Response> { co_return text_response("text/plain; charset=utf-8", "ok\n"); },
        [](Route& route) {
            route.produces = {"text/plain; charset=utf-8"};
            route.scope = Scope::none;
            route.always = true;
        });
    if (access_) table.add(session_route(access_));
    return table;
}

}  // namespace foxbench::http::testing
