#include "bidi/codec.hpp"

#include <string>

#include <gmock/gmock.h>

#include "bidi/error.hpp"

namespace bidi {
namespace {

TEST(CodecTest, ACommandIsItsEnvelope) {
    EXPECT_EQ(encode_command(7, "script.evaluate", {{"expression", "\"ä\""}}),
              R"({"id":7,"method":"script.evaluate","params":{"expression":"\"ä\""}})");
    EXPECT_EQ(encode_command(1, "session.status", json::object()), R"({"id":1,"method":"session.status","params":{}})");
    EXPECT_EQ(encode_command(1, "goog:cdp.x", nullptr), R"({"id":1,"method":"goog:cdp.x","params":{}})");
}

TEST(CodecTest, AnOddMethodIsStillJson) {
    EXPECT_EQ(json::parse(encode_command(1, "a\"b\\c\n", json())).at("method"), "a\"b\\c\n");
}

TEST(CodecTest, TextThatIsNoUtf8IsRefused) {
    EXPECT_THROW(encode_command(1, "script.evaluate", {{"expression", "\xff"}}), json::exception);
    EXPECT_THROW(encode_command(1, "\xff", json::object()), json::exception);
}

TEST(CodecTest, ASuccessHasItsResult) {
    const auto answer = std::get<Answer>(decode_message(R"({"type":"success","id":3,"result":{"a":1},"vendor:x":2})"));
    EXPECT_EQ(answer.id, 3U);
    EXPECT_FALSE(answer.failed);
    EXPECT_EQ(answer.result, json({{"a", 1}}));
}

TEST(CodecTest, AnErrorHasItsCodeMessageAndStacktrace) {
    const auto answer = std::get<Answer>(
        decode_message(R"({"type":"error","id":3,"error":"no such frame","message":"gone","stacktrace":"at"})"));
    EXPECT_TRUE(answer.failed);
    EXPECT_EQ(answer.code, "no such frame");
    EXPECT_EQ(answer.message, "gone");
    EXPECT_EQ(answer.stacktrace, "at");
}

TEST(CodecTest, AnErrorMayBelongToNoCommand) {
    const auto answer = std::get<Answer>(decode_message(R"({"type":"error","id":null,"error":"invalid argument"})"));
    EXPECT_EQ(answer.id, std::nullopt);
    EXPECT_TRUE(answer.failed);
}

TEST(CodecTest, MissingMembersAreNoFault) {
    EXPECT_EQ(std::get<Answer>(decode_message(R"({"id":3})")).result, json::object());
    EXPECT_TRUE(std::get<Answer>(decode_message(R"({"id":3,"type":"error","error":5})")).failed);
    EXPECT_EQ(std::get<IncomingEvent>(decode_message(R"({"method":"a.b"})")).params, json::object());
}

TEST(CodecTest, AnEventHasItsNameAndParameters) {
    const auto event = std::get<IncomingEvent>(decode_message(R"({"type":"event","method":"a.b","params":{"c":1}})"));
    EXPECT_EQ(event.method, "a.b");
    EXPECT_EQ(event.params, json({{"c", 1}}));
}

TEST(CodecTest, TheRestIsMalformed) {
    for (const auto* odd : {"", "no JSON", "[1,2]", "\"text\"", "{}", "{\"id\":1", R"({"type":"event"})",
                            R"({"id":"one","type":"success"})", R"({"id":-1})", R"({"id":1.5,"type":"error"})",
                            R"({"id":null})", R"({"id":[],"type":"error"})", R"({"method":5})"}) {
        const auto message = decode_message(odd);
        ASSERT_TRUE(std::holds_alternative<Malformed>(message)) << odd;
        EXPECT_FALSE(std::get<Malformed>(message).event) << odd;
        EXPECT_NE(std::get<Malformed>(message).what, "");
    }
    EXPECT_TRUE(std::get<Malformed>(decode_message(R"({"method":"a.b","params":5})")).event);
}

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

TEST(CodecTest, NestingThatWouldExhaustTheStackIsRefused) {
    for (const std::size_t levels : {1'000U, 100'000U, 1'000'000U}) {
        EXPECT_TRUE(std::holds_alternative<Malformed>(decode_message(std::string(levels, '['))));
        EXPECT_TRUE(std::holds_alternative<Malformed>(decode_message(nested(levels))));
        const auto event = decode_message(R"({"method":"script.message","params":{"data":)" + nested(levels) + "}}");
        EXPECT_TRUE(std::holds_alternative<Malformed>(event));
        // The call that waits for it ends.
        const auto answer = std::get<Answer>(decode_message(R"({"id":7,"result":)" + nested(levels) + "}"));
        EXPECT_EQ(answer.id, 7U);
        EXPECT_TRUE(answer.failed);
        EXPECT_EQ(answer.code, ProtocolError::kMalformedAnswer);
    }
    const auto deep = std::get<Answer>(decode_message(R"({"id":1,"result":{"a":)" + nested(900) + "}}"));
    EXPECT_FALSE(deep.failed);
    const auto copy = deep.result;
    EXPECT_EQ(copy, deep.result);
    EXPECT_FALSE(
        std::get<Answer>(decode_message(R"({"id":1,"result":{"a":")" + std::string(5000, '[') + "\"}}")).failed)
        << "in a string they are text";
}

}  // namespace
}  // namespace bidi
