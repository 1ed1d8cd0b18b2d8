#include "bidi/websocket_stream.hpp"

#include <iterator>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "bidi/error.hpp"

namespace bidi {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// What the engine takes in at once as well; larger pieces leave the processor's cache before they are looked at.
constexpr std::size_t kInputBytes = std::size_t{64} << 10;

constexpr std::uint16_t kNoCloseFrame = 1006;  // RFC 6455, section 7.4.1

}  // namespace

WebSocketStream::WebSocketStream(asio::any_io_executor executor, const WebSocketUrl& url, std::size_t max_message_bytes)
    : socket_(std::move(executor)), engine_(url, max_message_bytes), input_(kInputBytes) {}

Task<std::shared_ptr<WebSocketStream>> WebSocketStream::connect(WebSocketUrl url, std::size_t max_message_bytes,
                                                                std::chrono::milliseconds deadline) {
    const auto executor = co_await asio::this_coro::executor;
    auto stream = std::make_shared<WebSocketStream>(executor, url, max_message_bytes);
    co_await stream->establish(std::move(url), deadline);
    co_return stream;
}

Task<> WebSocketStream::establish(WebSocketUrl url, std::chrono::milliseconds deadline) {
    const std::string what = "connecting to ws://" + url.authority() + url.resource;
    asio::steady_timer timer(socket_.get_executor(), deadline);
    timer.async_wait([weak = weak_from_this()](const error_code& error) {
        const auto self = weak.lock();
        if (error || !self || self->established_) return;
        self->timed_out_ = true;
        self->drop();
    });

    error_code error;
    co_await connect_socket(url, error);
    if (!error) {
        socket_.set_option(asio::ip::tcp::no_delay(true), error);
        socket_.non_blocking(true, error);
        engine_.start();
        flush();
        while (engine_.state() == WebSocketEngine::State::connecting && co_await read_socket(early_)) {
        }
    }
    timer.cancel();
    established_ = true;

    if (timed_out_) throw TimeoutError(what + ": no connection within " + std::to_string(deadline.count()) + " ms");
    const auto cancelled = (co_await asio::this_coro::cancellation_state).cancelled();
    if (cancelled != asio::cancellation_type::none) throw CancelledError(what + ": given up by the caller");
    if (error) throw ClosedError(what + ": " + error.message());
    // A peer that accepts and closes at once has been connected: its messages and its reason are to be read.
    if (engine_.state() != WebSocketEngine::State::open && engine_.remote_close_code() == kNoCloseFrame) {
        throw ClosedError(what + ": " + end_text());
    }
}

Task<> WebSocketStream::connect_socket(WebSocketUrl url, error_code& error) {
    const auto address = asio::ip::make_address(url.host, error);
    if (!error) {
        const asio::ip::tcp::endpoint endpoint(address, url.port);
        co_await socket_.async_connect(endpoint, asio::redirect_error(asio::use_awaitable, error));
        co_return;
    }
    asio::ip::basic_resolver<asio::ip::tcp, asio::any_io_executor> resolver(socket_.get_executor());
    const auto found = co_await resolver.async_resolve(url.host, std::to_string(url.port),
                                                       asio::redirect_error(asio::use_awaitable, error));
    if (error) co_return;
    const auto still_wanted = [this](const error_code&, const asio::ip::tcp::endpoint&) { return !dropped_; };
    co_await asio::async_connect(socket_, found, still_wanted, asio::redirect_error(asio::use_awaitable, error));
}

Task<bool> WebSocketStream::read(std::vector<WebSocketMessage>& messages) {
    if (!early_.empty()) {
        messages.insert(messages.end(), std::make_move_iterator(early_.begin()), std::make_move_iterator(early_.end()));
        early_.clear();
        co_return true;
    }
    const std::size_t before = messages.size();
    while (messages.size() == before) {
        if (engine_.finished()) co_return false;
        if (!co_await read_socket(messages)) co_return messages.size() != before;
    }
    co_return true;
}

Task<bool> WebSocketStream::read_socket(std::vector<WebSocketMessage>& messages) {
    error_code error;
    const std::size_t size =
        co_await socket_.async_read_some(asio::buffer(input_), asio::redirect_error(asio::use_awaitable, error));
    if (error) {
        if (socket_error_.empty() && error != asio::error::eof) socket_error_ = error.message();
        engine_.end_of_input();
        flush();
        co_return false;
    }
    engine_.receive(std::string_view(input_.data(), size), messages);
    flush();
    co_return !engine_.finished();
}

void WebSocketStream::send(std::string text) {
    if (engine_.send(std::move(text))) flush();
}

void WebSocketStream::close(std::uint16_t code, std::string_view reason) {
    engine_.close(code, reason);
    flush();
}

Task<> WebSocketStream::part(std::chrono::milliseconds deadline) {
    error_code error;
    if (!dropped_ && !write_pending_ && engine_.ended_by_fault()) {
        socket_.shutdown(Socket::shutdown_send, error);
        asio::steady_timer timer(socket_.get_executor(), deadline);
        timer.async_wait([weak = weak_from_this()](const error_code& cancelled) {
            if (const auto self = weak.lock(); self && !cancelled) self->drop();
        });
        while (!error) {
            co_await socket_.async_read_some(asio::buffer(input_), asio::redirect_error(asio::use_awaitable, error));
        }
    }
    drop();
}

void WebSocketStream::drop() noexcept {
    dropped_ = true;
    error_code ignored;
    socket_.shutdown(Socket::shutdown_both, ignored);
    socket_.close(ignored);
}

std::string WebSocketStream::end_text() const {
    std::string text = engine_.end_text();
    const bool without_close = engine_.remote_close_code() == kNoCloseFrame && !engine_.ended_by_fault();
    if (without_close && !socket_error_.empty()) text += ": " + socket_error_;
    return text;
}

void WebSocketStream::flush() {
    if (write_pending_) return;
    writing_ = engine_.take_output();
    written_ = 0;
    if (writing_.empty() || dropped_) return;
    // The kernel nearly always takes a command at once, which saves a turn of the event loop.
    error_code error;
    written_ = socket_.write_some(asio::buffer(writing_), error);
    if (error && error != asio::error::would_block && error != asio::error::try_again) return write_failed(error);
    if (written_ < writing_.size()) write_rest();
}

void WebSocketStream::write_rest() {
    write_pending_ = true;
    socket_.async_write_some(asio::buffer(writing_) + written_,
                             [self = shared_from_this()](const error_code& error, std::size_t size) {
                                 self->write_pending_ = false;
                                 if (error) return self->write_failed(error);
                                 self->written_ += size;
                                 if (self->written_ < self->writing_.size()) return self->write_rest();
                                 self->flush();
                             });
}

void WebSocketStream::write_failed(const error_code& error) {
    // The reading side finds the end, after whatever the peer had still sent: its close code, for one.
    if (socket_error_.empty() && !dropped_) socket_error_ = error.message();
    error_code ignored;
    socket_.shutdown(Socket::shutdown_both, ignored);
}

}  // namespace bidi
