#include "bidi/testing/scripted_server.hpp"

#include <deque>
#include <map>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>

#include "bidi/task.hpp"

namespace bidi::testing {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

using Socket = asio::basic_stream_socket<tcp, asio::any_io_executor>;
using Acceptor = asio::basic_socket_acceptor<tcp, asio::any_io_executor>;
using Stream = websocket::stream<Socket>;

constexpr std::uint16_t kNoCloseFrame = 1006;  // RFC 6455, section 7.4.1

struct Outgoing {
    enum class Kind { text, binary, ping, close, reset };
    Kind kind;
    std::string payload;
    std::uint16_t code = 0;
};

}  // namespace

class ScriptedServer::Impl : public std::enable_shared_from_this<Impl> {
public:
    explicit Impl(asio::any_io_executor executor)
        : executor_(std::move(executor)), acceptor_(executor_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {}

    void start() { asio::co_spawn(executor_, accept_loop(shared_from_this()), asio::detached); }

    void stop() {
        error_code ignored;
        acceptor_.close(ignored);
        drop();
    }

    void enqueue(Outgoing message) {
        queue_.push_back(std::move(message));
        if (stream_ && !writing_) start_writing();
    }

    void forget_unsent() { queue_.clear(); }

    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }

    CommandHandler on_command;
    std::map<std::string, std::function<json(const json&)>> answers;
    std::function<void(std::uint16_t)> on_closed;
    std::vector<json> commands;

private:
    static Task<> accept_loop(std::shared_ptr<Impl> self) {
        while (true) {
            error_code error;
            Socket socket(self->executor_);
            co_await self->acceptor_.async_accept(socket, asio::redirect_error(asio::use_awaitable, error));
            if (error) co_return;
            socket.set_option(tcp::no_delay(true), error);
            auto stream = std::make_shared<Stream>(std::move(socket));
            stream->read_message_max(0);
            stream->auto_fragment(false);  // single frames of any length, as Firefox sends them
            co_await stream->async_accept(asio::redirect_error(asio::use_awaitable, error));
            if (error) continue;
            self->drop();
            self->stream_ = stream;
            if (!self->queue_.empty()) self->start_writing();
            asio::co_spawn(self->executor_, read_loop(self, stream), asio::detached);
        }
    }

    static Task<> read_loop(std::shared_ptr<Impl> self, std::shared_ptr<Stream> stream) {
        boost::beast::flat_buffer buffer;
        error_code error;
        while (true) {
            co_await stream->async_read(buffer, asio::redirect_error(asio::use_awaitable, error));
            if (error) break;
            json command = json::parse(boost::beast::buffers_to_string(buffer.data()), nullptr, false);
            buffer.clear();
            self->commands.push_back(command);
            for (const json& message : self->react(command)) {
                self->enqueue(Outgoing{Outgoing::Kind::text, message.dump()});
            }
        }
        if (self->stream_ == stream) self->stream_ = nullptr;
        const auto& reason = stream->reason();
        const auto code = reason ? static_cast<std::uint16_t>(reason.code) : kNoCloseFrame;
        if (self->on_closed) self->on_closed(code);
    }

    std::vector<json> react(const json& command) {
        if (command.is_object()) {
            if (const auto found = answers.find(command.value("method", "")); found != answers.end()) {
                return {found->second(command)};
            }
            if (on_command) return on_command(command);
        }
        return {error(command, "unknown command")};
    }

    void start_writing() {
        writing_ = true;
        asio::co_spawn(executor_, write_loop(shared_from_this(), stream_), asio::detached);
    }

    static Task<> write_loop(std::shared_ptr<Impl> self, std::shared_ptr<Stream> stream) {
        while (self->stream_ == stream && !self->queue_.empty()) {
            const Outgoing message = std::move(self->queue_.front());
            self->queue_.pop_front();
            error_code ignored;  // the reading side sees the end
            auto token = asio::redirect_error(asio::use_awaitable, ignored);
            switch (message.kind) {
                case Outgoing::Kind::text:
                case Outgoing::Kind::binary:
                    stream->binary(message.kind == Outgoing::Kind::binary);
                    co_await stream->async_write(asio::buffer(message.payload), token);
                    break;
                case Outgoing::Kind::ping:
                    co_await stream->async_ping(websocket::ping_data(message.payload), token);
                    break;
                case Outgoing::Kind::close: {
                    const websocket::close_reason reason(static_cast<websocket::close_code>(message.code),
                                                         message.payload);
                    co_await stream->async_close(reason, token);
                    break;
                }
                case Outgoing::Kind::reset:
                    self->drop();
                    break;
            }
        }
        self->writing_ = false;
        if (self->stream_ && !self->queue_.empty()) self->start_writing();
    }

    /// With a TCP reset, if the connection is still there.
    void drop() {
        if (!stream_) return;
        error_code ignored;
        Socket& socket = stream_->next_layer();
        socket.set_option(asio::socket_base::linger(true, 0), ignored);
        socket.close(ignored);
        stream_ = nullptr;
    }

    asio::any_io_executor executor_;
    Acceptor acceptor_;
    std::shared_ptr<Stream> stream_;  // the newest connection
    std::deque<Outgoing> queue_;
    bool writing_ = false;
};

ScriptedServer::ScriptedServer(asio::any_io_executor executor) : impl_(std::make_shared<Impl>(std::move(executor))) {
    impl_->start();
}

ScriptedServer::~ScriptedServer() {
    impl_->stop();
}

std::string ScriptedServer::url() const {
    return "ws://127.0.0.1:" + std::to_string(impl_->port()) + "/session";
}

void ScriptedServer::on_command(CommandHandler handler) {
    impl_->on_command = std::move(handler);
}

void ScriptedServer::answer(std::string method, json result) {
    impl_->answers[std::move(method)] = [result = std::move(result)](const json& command) {
        return success(command, result);
    };
}

void ScriptedServer::refuse(std::string method, std::string code, std::string message) {
    impl_->answers[std::move(method)] = [code = std::move(code), message = std::move(message)](const json& command) {
        return error(command, code, message);
    };
}

const std::vector<json>& ScriptedServer::commands() const noexcept {
    return impl_->commands;
}

void ScriptedServer::send(const json& message) {
    send_raw(message.dump());
}

void ScriptedServer::send_event(std::string_view method, json params) {
    send(event(method, std::move(params)));
}

void ScriptedServer::send_raw(std::string text) {
    impl_->enqueue(Outgoing{Outgoing::Kind::text, std::move(text)});
}

void ScriptedServer::send_binary(std::string bytes) {
    impl_->enqueue(Outgoing{Outgoing::Kind::binary, std::move(bytes)});
}

void ScriptedServer::ping(std::string payload) {
    impl_->enqueue(Outgoing{Outgoing::Kind::ping, std::move(payload)});
}

void ScriptedServer::close(std::uint16_t code, std::string reason) {
    impl_->enqueue(Outgoing{Outgoing::Kind::close, std::move(reason), code});
}

void ScriptedServer::forget_unsent() {
    impl_->forget_unsent();
}

void ScriptedServer::reset() {
    impl_->enqueue(Outgoing{Outgoing::Kind::reset, {}});
}

void ScriptedServer::on_closed(std::function<void(std::uint16_t)> handler) {
    impl_->on_closed = std::move(handler);
}

json ScriptedServer::success(const json& command, json result) {
    return {{"type", "success"}, {"id", command.at("id")}, {"result", std::move(result)}};
}

json ScriptedServer::error(const json& command, std::string_view code, std::string_view message) {
    const json id = command.is_object() && command.contains("id") ? command["id"] : json();
    return {{"type", "error"}, {"id", id}, {"error", code}, {"message", message}};
}

json ScriptedServer::event(std::string_view method, json params) {
    return {{"type", "event"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace bidi::testing
