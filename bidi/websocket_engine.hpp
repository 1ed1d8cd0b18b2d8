#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bidi/websocket_url.hpp"

namespace bidi {

/// A whole message, put together from its frames.
struct WebSocketMessage {
    std::string payload;
    bool text = true;  ///< a binary message otherwise
};

/// The client's side of one WebSocket connection (RFC 6455) as a protocol engine without I/O: bytes in, bytes and
/// messages out.
///
/// Whoever owns it moves the bytes. After each call `take_output()` has everything the call wants sent, to be written
/// as one piece: header and payload in two small writes would wait for the peer's delayed acknowledgement. It answers
/// pings and closes itself. Not thread-safe, does not throw because of what the peer sends.
class WebSocketEngine {
public:
    enum class State {
        connecting,  ///< until the peer has accepted the opening handshake
        open,        ///< messages can be sent
        closing,     ///< one side has sent its close frame
        closed       ///< nothing will be sent or understood any more: drop the socket
    };

    /// @param max_message_bytes a longer message ends the connection with 1009
    WebSocketEngine(const WebSocketUrl& url, std::size_t max_message_bytes);
    WebSocketEngine(WebSocketEngine&&) noexcept;
    WebSocketEngine& operator=(WebSocketEngine&&) noexcept;
    ~WebSocketEngine();

    /// Begins the opening handshake. To be called once.
    void start();

    /// Takes in what was read from the socket, and appends the messages that became complete.
    void receive(std::string_view bytes, std::vector<WebSocketMessage>& messages);

    /// Tells that the peer will send nothing more.
    void end_of_input();

    /// Sends a text message; false, and nothing is sent, unless the connection is open.
    bool send(std::string text);

    /// Begins the closing handshake. Does nothing unless the connection is open.
    void close(std::uint16_t code, std::string_view reason);

    /// Hands out the bytes to be written, all of them.
    [[nodiscard]] std::string take_output();

    [[nodiscard]] State state() const;

    /// Whether the connection is over on the protocol's level: closed, or the peer's close frame has come. What is
    /// still to be written should be; then the socket can be dropped.
    [[nodiscard]] bool finished() const;

    /// The peer's close code; 1006 if it sent no close frame, 1005 if that had no code.
    [[nodiscard]] std::uint16_t remote_close_code() const;

    /// Whether this side has ended the connection because the peer broke the rules or the limit (1002, 1007, 1009).
    [[nodiscard]] bool ended_by_fault() const;

    /// Why the connection is over, in words: a refused handshake with its HTTP status, close codes, broken rules.
    [[nodiscard]] std::string end_text() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace bidi
