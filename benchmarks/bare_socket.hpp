#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace foxbench::benchmarks {

/// A WebSocket client with nothing in it: a blocking socket, frames made beforehand, answers not looked into. What a
/// round trip takes here is what the kernel and the browser take; everything above that is a client library's own cost.
///
/// Good only for a peer on this machine that sends single unmasked frames, as Firefox does. Not thread-safe. Every
/// function throws std::system_error when the socket fails and std::runtime_error when the peer does something else
/// than expected.
class BareSocket {
public:
    /// Connects to 127.0.0.1 and does the opening handshake (RFC 6455, section 4.1).
    /// @param path for Firefox `/session`, or `/session/ID` to join a session that another connection has
    BareSocket(std::uint16_t port, std::string_view path);
    ~BareSocket();
    BareSocket(const BareSocket&) = delete;
    BareSocket& operator=(const BareSocket&) = delete;

    /// The bytes of one text frame, masked as a client has to (RFC 6455, section 5.2).
    [[nodiscard]] static std::string frame_of(std::string_view text);

    /// Sends the frame and waits for one whole frame. The answer's text is valid until the next call.
    std::string_view round_trip(std::string_view frame);

private:
    void send_all(std::string_view bytes);
    void receive_more();
    std::string_view receive_frame();
    void shake_hands(std::uint16_t port, std::string_view path);

    int socket_;
    std::string received_;
    std::size_t consumed_ = 0;
};

}  // namespace foxbench::benchmarks
