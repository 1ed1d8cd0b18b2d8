#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace foxbench::fake_browser {

/// The server's side of one WebSocket connection (RFC 6455) as an engine without I/O: it accepts the handshake, gives
/// the client's messages, and answers pings and closes. What the browser sends is made by `frame`, which knows no
/// rules. Not thread-safe.
class WebSocketServer {
public:
    WebSocketServer();
    ~WebSocketServer();

    /// Takes in what was read from the socket, and appends the messages that became complete.
    void receive(std::string_view bytes, std::vector<std::string>& messages);
    /// Begins the closing handshake.
    void close(std::uint16_t code, std::string_view reason);
    /// The bytes to be written, all of them.
    [[nodiscard]] std::string take_output();
    /// Whether nothing more will be understood: the socket can be dropped.
    [[nodiscard]] bool is_closed() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// RFC 6455, section 5.2.
enum class Opcode : std::uint8_t { continuation = 0x0, text = 0x1, binary = 0x2, ping = 0x9 };

/// One frame as a server sends it, unmasked. `fin`: the last one of its message.
[[nodiscard]] std::string frame(Opcode opcode, std::string_view payload, bool fin = true);

}  // namespace foxbench::fake_browser
