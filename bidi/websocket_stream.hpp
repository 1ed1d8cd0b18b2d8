#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/ip/tcp.hpp>

#include "bidi/task.hpp"
#include "bidi/websocket_engine.hpp"
#include "bidi/websocket_url.hpp"

namespace bidi {

/// A TCP connection with the WebSocket engine on it: messages in, messages out.
///
/// Belongs to one executor, like everything above it. At most one `read` at a time; `send`, `close` and `drop`
/// whenever.
class WebSocketStream : public std::enable_shared_from_this<WebSocketStream> {
public:
    /// Connects and does the opening handshake, all within the deadline.
    /// @throws ClosedError, TimeoutError, CancelledError
    [[nodiscard]] static Task<std::shared_ptr<WebSocketStream>> connect(WebSocketUrl url, std::size_t max_message_bytes,
                                                                        std::chrono::milliseconds deadline);

    WebSocketStream(boost::asio::any_io_executor executor, const WebSocketUrl& url, std::size_t max_message_bytes);

    /// Waits for messages and appends them; false when there will be no more (see `end_text`).
    [[nodiscard]] Task<bool> read(std::vector<WebSocketMessage>& messages);

    /// Sends a message, after those sent before. Without effect once the connection is over.
    void send(std::string text);

    /// Begins the closing handshake; `read` ends when the peer has done its part.
    void close(std::uint16_t code, std::string_view reason);

    /// Closes the socket after the last `read`. When this side has ended the connection (1009, for one), what the peer
    /// is still sending is read for up to `deadline`: closing a socket with unread input would take back our close
    /// frame.
    [[nodiscard]] Task<> part(std::chrono::milliseconds deadline);

    /// Closes the socket at once. A waiting `read` ends.
    void drop() noexcept;

    /// Why the connection is over.
    [[nodiscard]] std::string end_text() const;

private:
    using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::any_io_executor>;

    Task<> establish(WebSocketUrl url, std::chrono::milliseconds deadline);
    Task<> connect_socket(WebSocketUrl url, boost::system::error_code& error);
    Task<bool> read_socket(std::vector<WebSocketMessage>& messages);
    void flush();
    void write_rest();
    void write_failed(const boost::system::error_code& error);

    Socket socket_;
    WebSocketEngine engine_;
    std::vector<WebSocketMessage> early_;  // came together with the end of the handshake
    std::vector<char> input_;
    std::string writing_;  // what is being written, from `written_` on
    std::size_t written_ = 0;
    bool write_pending_ = false;
    bool established_ = false;
    bool timed_out_ = false;
    bool dropped_ = false;
    std::string socket_error_;
};

}  // namespace bidi
