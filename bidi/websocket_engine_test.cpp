#include "bidi/websocket_engine.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <openssl/evp.h>

namespace bidi {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using State = WebSocketEngine::State;

constexpr std::size_t kLimit = 1000;

// RFC 6455, section 5.2
enum Opcode : unsigned char { kContinuation = 0, kText = 1, kBinary = 2, kClose = 8, kPing = 9, kPong = 10 };

std::string frame(Opcode opcode, std::string_view payload, bool last = true) {
    std::string bytes;
    bytes += static_cast<char>((last ? 0x80 : 0) | opcode);
    const auto size = payload.size();
    if (size < 126) {
        bytes += static_cast<char>(size);
    } else if (size < 65536) {
        bytes += static_cast<char>(126);
        for (int shift = 8; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift);
    } else {
        bytes += static_cast<char>(127);
        for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(size >> shift);
    }
    bytes += payload;
    return bytes;
}

std::string close_frame(std::uint16_t code, std::string_view reason = {}) {
    std::string payload{static_cast<char>(code >> 8), static_cast<char>(code)};
    payload += reason;
    return frame(kClose, payload);
}

struct ClientFrame {
    int opcode = 0;
    bool masked = false;
    std::string payload;
};

/// Takes a client's frames apart; none of the tests sends a payload of 64 KiB or more.
std::vector<ClientFrame> parse_frames(std::string_view bytes) {
    std::vector<ClientFrame> frames;
    const auto next = [&bytes] {
        const auto byte = static_cast<unsigned char>(bytes.at(0));
        bytes.remove_prefix(1);
        return byte;
    };
    while (!bytes.empty()) {
        ClientFrame result;
        result.opcode = next() & 0x0f;
        const auto length = next();
        result.masked = (length & 0x80) != 0;
        std::size_t size = length & 0x7f;
        if (size == 126) {
            size = next();
            size = size << 8 | next();
        }
        std::array<unsigned char, 4> mask{};
        if (result.masked) {
            for (auto& byte : mask) byte = next();
        }
        for (std::size_t i = 0; i < size; ++i) result.payload += static_cast<char>(next() ^ mask[i % 4]);
        frames.push_back(std::move(result));
    }
    return frames;
}

std::string header_of(const std::string& request, const std::string& name) {
    const auto start = request.find("\r\n" + name + ": ");
    if (start == std::string::npos) return {};
    const auto value = start + name.size() + 4;
    return request.substr(value, request.find("\r\n", value) - value);
}

std::string accept_key(const std::string& key) {
    const std::string text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455, section 1.3
    std::array<unsigned char, 20> digest{};
    EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha1(), nullptr);
    std::string encoded(4 * ((digest.size() + 2) / 3) + 1, '\0');
    encoded.resize(static_cast<std::size_t>(
        EVP_EncodeBlock(reinterpret_cast<unsigned char*>(encoded.data()), digest.data(), digest.size())));
    return encoded;
}

std::string acceptance(const std::string& request) {
    return "HTTP/1.1 101 Switching Protocols\r\nServer: httpd.js\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           "Sec-WebSocket-Accept: " +
           accept_key(header_of(request, "Sec-WebSocket-Key")) + "\r\nContent-Length: 0\r\n\r\n";
}

class WebSocketEngineTest : public ::testing::Test {
protected:
    std::string start() {
        engine.start();
        return engine.take_output();
    }
    void open() {
        receive(acceptance(start()));
        ASSERT_EQ(engine.state(), State::open);
    }
    void receive(std::string_view bytes) {
        std::vector<WebSocketMessage> messages;
        engine.receive(bytes, messages);
        for (const auto& message : messages) received.push_back(message.payload);
    }

    WebSocketEngine engine{*WebSocketUrl::parse("ws://127.0.0.1:9222/session"), kLimit};
    std::vector<std::string> received;
};

TEST_F(WebSocketEngineTest, HandshakeIsWhatFirefoxAccepts) {
    const std::string request = start();
    EXPECT_TRUE(request.starts_with("GET /session HTTP/1.1\r\n"));
    EXPECT_EQ(header_of(request, "Host"), "127.0.0.1:9222");
    EXPECT_EQ(header_of(request, "Sec-WebSocket-Version"), "13");
    EXPECT_EQ(header_of(request, "Sec-WebSocket-Key").size(), 24U);
    EXPECT_THAT(request, Not(HasSubstr("Origin")));
    EXPECT_EQ(engine.state(), State::connecting);

    receive(acceptance(request));
    EXPECT_EQ(engine.state(), State::open);
    EXPECT_EQ(engine.take_output(), "");
}

TEST_F(WebSocketEngineTest, KeysAndMasksDiffer) {
    WebSocketEngine other(*WebSocketUrl::parse("ws://127.0.0.1:9222/session"), kLimit);
    other.start();
    EXPECT_NE(header_of(start(), "Sec-WebSocket-Key"), header_of(other.take_output(), "Sec-WebSocket-Key"));
}

TEST_F(WebSocketEngineTest, HostIsBracketedForIpv6) {
    WebSocketEngine other(*WebSocketUrl::parse("ws://[::1]:9222/session"), kLimit);
    other.start();
    EXPECT_EQ(header_of(other.take_output(), "Host"), "[::1]:9222");
}

TEST_F(WebSocketEngineTest, BytesAfterTheHandshakeAreTheFirstFrame) {
    receive(acceptance(start()) + frame(kText, "early") + frame(kText, "second").substr(0, 3));
    EXPECT_THAT(received, ElementsAre("early"));
    receive(frame(kText, "second").substr(3));
    EXPECT_THAT(received, ElementsAre("early", "second"));
}

TEST_F(WebSocketEngineTest, EverythingMayComeByteByByte) {
    const std::string bytes =
        acceptance(start()) + frame(kText, "one") + frame(kText, std::string(300, 'x')) + frame(kText, "three");
    for (const char byte : bytes) receive(std::string_view(&byte, 1));
    EXPECT_THAT(received, ElementsAre("one", std::string(300, 'x'), "three"));
}

TEST_F(WebSocketEngineTest, FragmentsWithAPingBetweenThemAreOneMessage) {
    open();
    receive(frame(kText, "frag", false) + frame(kPing, "are you there") + frame(kContinuation, "men", false) +
            frame(kContinuation, "ts"));
    EXPECT_THAT(received, ElementsAre("fragments"));
    const auto frames = parse_frames(engine.take_output());
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].opcode, kPong);
    EXPECT_TRUE(frames[0].masked);
    EXPECT_EQ(frames[0].payload, "are you there");
}

TEST_F(WebSocketEngineTest, SentMessagesAreMaskedAndKeepTheirOrder) {
    open();
    EXPECT_TRUE(engine.send("first"));
    EXPECT_TRUE(engine.send(std::string(500, 'y')));
    const auto frames = parse_frames(engine.take_output());
    ASSERT_EQ(frames.size(), 2U);
    EXPECT_EQ(frames[0].opcode, kText);
    EXPECT_TRUE(frames[0].masked && frames[1].masked);
    EXPECT_EQ(frames[0].payload, "first");
    EXPECT_EQ(frames[1].payload, std::string(500, 'y'));
    EXPECT_EQ(engine.take_output(), "");
}

TEST_F(WebSocketEngineTest, NothingIsSentBeforeTheHandshakeIsDone) {
    EXPECT_FALSE(engine.send("too early"));
    start();
    EXPECT_FALSE(engine.send("still too early"));
    EXPECT_EQ(engine.take_output(), "");
}

TEST_F(WebSocketEngineTest, BinaryMessagesAreTold) {
    open();
    std::vector<WebSocketMessage> messages;
    engine.receive(frame(kBinary, "\x01\x02") + frame(kText, "text"), messages);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_FALSE(messages[0].text);
    EXPECT_TRUE(messages[1].text);
}

// cases.md, row 20
TEST_F(WebSocketEngineTest, AMessageOverTheLimitClosesWith1009) {
    open();
    receive(frame(kText, std::string(kLimit, 'a')));
    ASSERT_EQ(received.size(), 1U);

    receive(frame(kText, std::string(kLimit + 1, 'b')));
    EXPECT_EQ(received.size(), 1U);
    const auto frames = parse_frames(engine.take_output());
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].opcode, kClose);
    EXPECT_EQ(frames[0].payload.substr(0, 2), "\x03\xf1");  // 1009
    EXPECT_TRUE(engine.finished());
    EXPECT_TRUE(engine.ended_by_fault());
    EXPECT_THAT(engine.end_text(), HasSubstr("longer than the limit of 1000 bytes"));
    EXPECT_THAT(engine.end_text(), HasSubstr("1009"));
}

TEST_F(WebSocketEngineTest, TheLimitHoldsForFragmentsTogether) {
    open();
    receive(frame(kText, std::string(kLimit, 'a'), false) + frame(kContinuation, "b"));
    EXPECT_TRUE(received.empty());
    EXPECT_THAT(engine.end_text(), HasSubstr("1009"));
}

TEST_F(WebSocketEngineTest, AnAnnouncedLengthBeyondAllMemoryIsRefusedByItsHeader) {
    open();
    receive(std::string("\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", 10));
    EXPECT_THAT(engine.end_text(), HasSubstr("1009"));
}

TEST_F(WebSocketEngineTest, ThePeersCloseIsAnsweredAndItsReasonKept) {
    open();
    receive(frame(kText, "last words") + close_frame(1001, "going away"));
    EXPECT_THAT(received, ElementsAre("last words"));
    EXPECT_TRUE(engine.finished());
    EXPECT_FALSE(engine.ended_by_fault());
    EXPECT_EQ(engine.remote_close_code(), 1001);
    EXPECT_THAT(engine.end_text(), HasSubstr("WebSocket close 1001, \"going away\""));
    const auto frames = parse_frames(engine.take_output());
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_EQ(frames[0].opcode, kClose);
    EXPECT_FALSE(engine.send("too late"));
}

TEST_F(WebSocketEngineTest, ItsOwnCloseIsFinishedByTheEcho) {
    open();
    engine.close(1000, "");
    EXPECT_EQ(engine.state(), State::closing);
    EXPECT_FALSE(engine.finished());
    EXPECT_EQ(parse_frames(engine.take_output()).at(0).payload, "\x03\xe8");
    receive(frame(kText, "crossed on the way") + close_frame(1000));
    EXPECT_TRUE(received.empty());
    EXPECT_TRUE(engine.finished());
}

TEST_F(WebSocketEngineTest, AnEndWithoutCloseIs1006) {
    open();
    engine.end_of_input();
    EXPECT_EQ(engine.state(), State::closed);
    EXPECT_EQ(engine.remote_close_code(), 1006);
    EXPECT_THAT(engine.end_text(), HasSubstr("1006"));
}

TEST_F(WebSocketEngineTest, BrokenFramesCloseWith1002) {
    open();
    receive(frame(kContinuation, "of nothing"));
    EXPECT_TRUE(engine.ended_by_fault());
    EXPECT_THAT(engine.end_text(), HasSubstr("1002"));
    receive("whatever comes now is ignored");
    EXPECT_TRUE(received.empty());
}

TEST_F(WebSocketEngineTest, TextThatIsNoUtf8ClosesWith1007) {
    open();
    receive(frame(kText, "\xff\xfe"));
    EXPECT_THAT(engine.end_text(), HasSubstr("1007"));
}

TEST_F(WebSocketEngineTest, ARefusedHandshakeTellsTheStatus) {
    start();
    receive("HTTP/1.1 400 Bad Request\r\nContent-Length: 21\r\n\r\nThe handshake request");
    EXPECT_EQ(engine.state(), State::closed);
    EXPECT_THAT(engine.end_text(), HasSubstr("HTTP status 400 Bad Request"));
}

TEST_F(WebSocketEngineTest, AWrongAcceptKeyIsNoHandshake) {
    start();
    receive(acceptance("\r\nSec-WebSocket-Key: AAAA\r\n"));
    EXPECT_EQ(engine.state(), State::closed);
    EXPECT_THAT(engine.end_text(), HasSubstr("wrongly"));
}

TEST_F(WebSocketEngineTest, WhatIsNoHttpIsNoHandshake) {
    start();
    receive("SSH-2.0-OpenSSH_9.2\r\n\r\n");
    EXPECT_EQ(engine.state(), State::closed);
    EXPECT_NE(engine.end_text(), "");
}

TEST_F(WebSocketEngineTest, ABigMessageComesThroughInPieces) {
    constexpr std::size_t kBig = std::size_t{64} << 20;
    WebSocketEngine big(*WebSocketUrl::parse("ws://127.0.0.1:9222/session"), kBig);
    big.start();
    std::vector<WebSocketMessage> messages;
    big.receive(acceptance(big.take_output()), messages);
    const std::string bytes = frame(kText, std::string(kBig, 'z'));
    constexpr std::size_t kPiece = 50'000;
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        big.receive(std::string_view(bytes).substr(at, kPiece), messages);
    }
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].payload.size(), kBig);
}

TEST(WebSocketUrlTest, TakesAddressesApart) {
    const auto url = WebSocketUrl::parse("ws://127.0.0.1:4444/session?a=b");
    ASSERT_TRUE(url);
    EXPECT_EQ(url->host, "127.0.0.1");
    EXPECT_EQ(url->port, 4444);
    EXPECT_EQ(url->resource, "/session?a=b");
    EXPECT_EQ(url->authority(), "127.0.0.1:4444");
    EXPECT_EQ(WebSocketUrl::parse("ws://[::1]:1/")->authority(), "[::1]:1");
    EXPECT_EQ(WebSocketUrl::parse("ws://localhost")->port, 80);
    EXPECT_EQ(WebSocketUrl::parse("ws://localhost?x")->resource, "/?x");
    EXPECT_EQ(WebSocketUrl::parse("ws://[::1]")->host, "::1");
}

TEST(WebSocketUrlTest, RefusesEverythingElse) {
    for (const auto* text : {"", "ws://", "http://127.0.0.1/", "wss://127.0.0.1/", "ws://:80/", "ws://a:0/",
                             "ws://a:65536/", "ws://a:80x/", "ws://a:/", "ws://[::1", "ws://[::1]x/", "ws://user@a/",
                             "ws://a b/", "ws://a/#b", "ws://a/\r\nHost: b"}) {
        EXPECT_FALSE(WebSocketUrl::parse(text)) << text;
    }
}

}  // namespace
}  // namespace bidi
