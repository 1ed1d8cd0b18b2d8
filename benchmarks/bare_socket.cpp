#include "benchmarks/bare_socket.hpp"

#include <array>
#include <cerrno>
#include <cstddef>
#include <stdexcept>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace foxbench::benchmarks {
namespace {

// RFC 6455, section 5.2.
constexpr unsigned char kFinalText = 0x81;
constexpr unsigned char kMasked = 0x80;
constexpr std::size_t kLongestShortLength = 125;
constexpr unsigned char kTwoByteLength = 126;
constexpr unsigned char kEightByteLength = 127;

constexpr std::size_t kReceiveBytes = std::size_t{64} << 10;

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

void append_big_endian(std::string& to, std::uint64_t value, int bytes) {
    for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) to.push_back(static_cast<char>(value >> shift & 0xff));
}

}  // namespace

BareSocket::BareSocket(std::uint16_t port, std::string_view path)
    : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (socket_ < 0) fail("socket");
    try {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("connect");
        const int on = 1;
        if (::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) fail("TCP_NODELAY");
        shake_hands(port, path);
    } catch (...) {
        ::close(socket_);
        throw;
    }
}

BareSocket::~BareSocket() {
    ::close(socket_);
}

std::string BareSocket::frame_of(std::string_view text) {
    // Any key will do: masking guards against proxies, and there is none here.
    constexpr std::array<unsigned char, 4> kKey{0x12, 0x34, 0x56, 0x78};
    std::string frame;
    frame.reserve(text.size() + 14);
    frame.push_back(static_cast<char>(kFinalText));
    if (text.size() <= kLongestShortLength) {
        frame.push_back(static_cast<char>(kMasked | text.size()));
    } else if (text.size() <= 0xffff) {
        frame.push_back(static_cast<char>(kMasked | kTwoByteLength));
        append_big_endian(frame, text.size(), 2);
    } else {
        frame.push_back(static_cast<char>(kMasked | kEightByteLength));
        append_big_endian(frame, text.size(), 8);
    }
    for (const unsigned char byte : kKey) frame.push_back(static_cast<char>(byte));
    for (std::size_t i = 0; i < text.size(); ++i) {
        frame.push_back(static_cast<char>(static_cast<unsigned char>(text[i]) ^ kKey[i % kKey.size()]));
    }
    return frame;
}

std::string_view BareSocket::round_trip(std::string_view frame) {
    received_.erase(0, consumed_);
    consumed_ = 0;
    send_all(frame);
    return receive_frame();
}

void BareSocket::send_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail("send");
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void BareSocket::receive_more() {
    const std::size_t before = received_.size();
    received_.resize(before + kReceiveBytes);
    ssize_t count = 0;
    do {
        count = ::recv(socket_, received_.data() + before, kReceiveBytes, 0);
    } while (count < 0 && errno == EINTR);
    received_.resize(before + static_cast<std::size_t>(count > 0 ? count : 0));
    if (count < 0) fail("recv");
    if (count == 0) throw std::runtime_error("the browser closed the connection");
}

std::string_view BareSocket::receive_frame() {
    while (received_.size() < 2) receive_more();
    if (static_cast<unsigned char>(received_[0]) != kFinalText)
        throw std::runtime_error("expected a single text frame");
    const auto marker = static_cast<unsigned char>(received_[1]);
    const std::size_t length_bytes = marker == kTwoByteLength ? 2 : marker == kEightByteLength ? 8 : 0;
    const std::size_t head = 2 + length_bytes;
    while (received_.size() < head) receive_more();
    const std::size_t length =
        length_bytes == 0 ? marker
                          : static_cast<std::size_t>(big_endian(std::string_view(received_).substr(2, length_bytes)));
    while (received_.size() < head + length) receive_more();
    consumed_ = head + length;
    return std::string_view(received_).substr(head, length);
}

void BareSocket::shake_hands(std::uint16_t port, std::string_view path) {
    std::string request = "GET ";
    request.append(path);
    request += " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
               "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n";
    send_all(request);
    std::size_t end = std::string::npos;
    while ((end = received_.find("\r\n\r\n")) == std::string::npos) receive_more();
    if (!received_.starts_with("HTTP/1.1 101")) {
        throw std::runtime_error("no WebSocket: " + received_.substr(0, received_.find("\r\n")));
    }
    consumed_ = end + 4;  // what follows may be the first frame already
}

}  // namespace foxbench::benchmarks
