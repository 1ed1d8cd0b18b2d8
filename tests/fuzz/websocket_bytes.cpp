// Bytes of a peer into the WebSocket engine, and the messages that come of them into the codec.
//
// The input: a byte that says whether the opening handshake is done well before (even) or is part of the input (odd),
// a byte that says in what pieces the rest is read, the bytes.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <openssl/evp.h>
#include <openssl/sha.h>

#include "bidi/codec.hpp"
#include "bidi/websocket_engine.hpp"
#include "tests/fuzz/target.hpp"

using bidi::WebSocketEngine;
using bidi::WebSocketMessage;
using foxbench::fuzz::require;

namespace {

/// Small, so that the limit is met often.
constexpr std::size_t kMaxMessageBytes = 4096;

/// RFC 6455, section 4.2.2, step 5.4.
std::string accept_of(std::string key) {
    key += "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
    SHA1(reinterpret_cast<const unsigned char*>(key.data()), key.size(), digest.data());
    std::array<unsigned char, 64> text{};
    EVP_EncodeBlock(text.data(), digest.data(), static_cast<int>(digest.size()));
    return reinterpret_cast<const char*>(text.data());
}

std::string handshake_answer(const std::string& request) {
    constexpr std::string_view kField = "Sec-WebSocket-Key: ";
    const auto begin = request.find(kField);
    require(begin != std::string::npos, "the handshake has a key");
    const auto key = request.substr(begin + kField.size(), request.find('\r', begin) - begin - kField.size());
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " +
           accept_of(key) + "\r\n\r\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const bool well_begun = data[0] % 2 == 0;
    const std::size_t piece = data[1] == 0 ? size : data[1];
    auto bytes = foxbench::fuzz::text_of(data + 2, size - 2);

    WebSocketEngine engine(*bidi::WebSocketUrl::parse("ws://127.0.0.1:9222/session"), kMaxMessageBytes);
    std::vector<WebSocketMessage> messages;
    engine.start();
    const auto request = engine.take_output();
    if (well_begun) {
        engine.receive(handshake_answer(request), messages);
        require(engine.state() == WebSocketEngine::State::open, "a right answer opens the connection");
    }
    for (bool told = false; !bytes.empty(); told = true) {
        engine.receive(bytes.substr(0, piece), messages);
        bytes.remove_prefix(std::min(piece, bytes.size()));
        const bool open = engine.state() == WebSocketEngine::State::open;
        if (!told) require(engine.send("{}") == open, "what is open can be sent to");
        (void)engine.take_output();
    }
    for (const auto& message : messages) {
        require(message.payload.size() <= kMaxMessageBytes, "no message is longer than the limit");
        (void)bidi::decode_message(message.payload);
    }
    engine.end_of_input();
    require(engine.state() == WebSocketEngine::State::closed, "the end of the input is the end");
    require(!engine.end_text().empty(), "an end has a reason");
    require(!engine.send("{}"), "nothing can be sent after the end");
    return 0;
}
