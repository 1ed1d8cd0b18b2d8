#include "bidi/modules/test_site.hpp"

#include <map>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace bidi::testing {

namespace asio = boost::asio;
using asio::ip::tcp;

struct TestSite::State {
    explicit State(asio::io_context& io) : acceptor(io, {asio::ip::address_v4::loopback(), 0}) {}

    tcp::acceptor acceptor;
    std::map<std::string, std::string> responses;                 ///< by path
    std::map<std::string, std::function<void()>> never_answered;  ///< by path
    std::vector<std::shared_ptr<tcp::socket>> stalled;
};

namespace {

constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);

std::string response(const std::string& status, const std::string& headers, const std::string& body) {
    return "HTTP/1.1 " + status + "\r\nConnection: close\r\nCache-Control: no-store\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

TestSite::TestSite(asio::io_context& io) : state_(std::make_shared<State>(io)) {
    const auto answer = [](std::shared_ptr<State> state, std::shared_ptr<tcp::socket> socket) -> asio::awaitable<void> {
        std::string request;
        const auto [failed, size] =
            co_await asio::async_read_until(*socket, asio::dynamic_buffer(request), "\r\n\r\n", kNoThrow);
        if (failed) co_return;
        const auto path_begin = request.find(' ') + 1;
        const std::string path = request.substr(path_begin, request.find_first_of(" ?", path_begin) - path_begin);
        if (const auto never = state->never_answered.find(path); never != state->never_answered.end()) {
            state->stalled.push_back(socket);
            never->second();
            co_return;
        }
        const auto found = state->responses.find(path);
        const std::string text = found != state->responses.end() ? found->second : response("404 Not Found", "", "");
        co_await asio::async_write(*socket, asio::buffer(text), kNoThrow);
        boost::system::error_code ignored;
        socket->shutdown(tcp::socket::shutdown_both, ignored);
    };
    const auto accept = [answer](std::shared_ptr<State> state) -> asio::awaitable<void> {
        const auto executor = state->acceptor.get_executor();
        while (state->acceptor.is_open()) {
            auto socket = std::make_shared<tcp::socket>(executor);
            const auto [failed] = co_await state->acceptor.async_accept(*socket, kNoThrow);
            if (!failed) asio::co_spawn(executor, answer(state, socket), asio::detached);
        }
    };
    asio::co_spawn(io, accept(state_), asio::detached);
}

TestSite::~TestSite() {
    boost::system::error_code ignored;
    state_->acceptor.close(ignored);
    state_->stalled.clear();
}

std::string TestSite::url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(state_->acceptor.local_endpoint().port()) + path;
}

std::string TestSite::unreachable_url() {
    asio::io_context io;
    tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
    return "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/";
}

void TestSite::serve(const std::string& path, std::string body, std::string headers) {
    state_->responses[path] = response("200 OK", headers, body);
}

void TestSite::stall(const std::string& path, std::function<void()> on_request) {
    state_->never_answered[path] = std::move(on_request);
}

}  // namespace bidi::testing
