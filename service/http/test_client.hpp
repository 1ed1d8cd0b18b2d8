#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "service/http/event_hub.hpp"
#include "service/http/idempotency.hpp"
#include "service/http/server.hpp"

/// For tests: a server with some routes on a thread of its own, and a client that says exactly what it is told to.
namespace foxbench::http::testing {

struct Answer {
    unsigned status = 0;  ///< 0: the connection ended without an answer
    Fields fields;
    std::string body;

    [[nodiscard]] std::string field(std::string_view name) const;
};

/// A blocking client; each wait is bounded, and a wait that reaches its bound throws std::runtime_error.
class TestClient {
public:
    explicit TestClient(std::uint16_t port);
    TestClient(const TestClient&) = delete;
    TestClient& operator=(const TestClient&) = delete;
    ~TestClient();

    void send(std::string_view bytes) const;
    /// For a server that may have closed already.
    void send_if_open(std::string_view bytes) const noexcept;
    void end_sending() const noexcept;
    /// The next answer; `head`: to a HEAD request.
    [[nodiscard]] Answer receive(bool head = false);
    /// Whatever comes until `text` has come, or the end of the connection.
    std::string receive_until(std::string_view text);
    /// True once the server has closed; false if it sends something else.
    [[nodiscard]] bool is_closed();

private:
    bool fill();

    int socket_ = -1;
    std::string unread_;
};

/// "GET /x HTTP/1.1", Host, the fields ("Name: value\r\n..."), and the body with its Content-Length where there is one.
[[nodiscard]] std::string request_text(std::uint16_t port, std::string_view method, std::string_view target,
                                       std::string_view fields = {}, std::optional<std::string_view> body = {});

/// Keeps answers in memory.
class MemoryAnswers : public IdempotencyStore {
public:
    bidi::Task<std::optional<StoredAnswer>> find(const std::string& key) override;
    bidi::Task<> remember(const std::string& key, const StoredAnswer& answer) override;

private:
    std::map<std::string, StoredAnswer> answers_;
};

/// Routes: GET /v1/things (JSON), POST /v1/things (JSON; counts), DELETE /v1/things/{id} (counts), POST
/// /v1/things/{id}/cancel (counts), GET /v1/report (four formats, cacheable), POST /v1/imports, GET /v1/big, GET
/// /v1/wait (until release()), GET /v1/missing, GET /v1/broken, GET /v1/events, GET /livez, POST /v1/session.
class TestServer {
public:
    explicit TestServer(ServerOptions options = {}, EventHubOptions events = {});
    TestServer(const TestServer&) = delete;
    TestServer& operator=(const TestServer&) = delete;
    ~TestServer();

    [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
    [[nodiscard]] Answer ask(std::string_view method, std::string_view target, std::string_view fields = {},
                             std::optional<std::string_view> body = {}) const;
    /// Does something on the server's thread and waits for it.
    void on_loop(const std::function<void()>& action);
    void publish(std::string_view type, std::optional<std::string> run, const Json& data);
    void release();
    void stop(std::chrono::milliseconds grace);
    [[nodiscard]] std::size_t event_streams();
    [[nodiscard]] std::size_t connections();

    std::atomic<int> changes{0};      ///< how often something was changed
    std::atomic<int> waiting{0};      ///< requests in /v1/wait
    std::vector<std::string> faults;  ///< told to on_fault; read it on the loop

private:
    [[nodiscard]] RouteTable routes();

    boost::asio::io_context loop_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_.get_executor()};
    boost::asio::thread_pool pool_{1};
    boost::asio::steady_timer released_{loop_, boost::asio::steady_timer::time_point::max()};
    std::shared_ptr<Access> access_;
    std::unique_ptr<EventHub> hub_;
    std::unique_ptr<Server> server_;
    std::uint16_t port_ = 0;
    std::thread thread_;
};

}  // namespace foxbench::http::testing
