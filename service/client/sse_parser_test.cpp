#include "service/client/sse_parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::client {

bool operator==(const ServerEvent& a, const ServerEvent& b) {
    return a.type == b.type && a.data == b.data && a.id == b.id;
}

void PrintTo(const ServerEvent& event, std::ostream* out) {
    *out << '{' << event.type << ", " << ::testing::PrintToString(event.data) << ", " << event.id << '}';
}

namespace {

using std::string_literals::operator""s;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<ServerEvent> parse(std::string_view text) {
    return SseParser().feed(text);
}

// The examples of https://html.spec.whatwg.org/#event-stream-interpretation.
TEST(SseParser, ReadsTheExamplesOfTheStandard) {
    EXPECT_THAT(parse("data: YHOO\ndata: +2\ndata: 10\n\n"), ElementsAre(ServerEvent{"message", "YHOO\n+2\n10", ""}));
    EXPECT_THAT(parse(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n"),
                ElementsAre(ServerEvent{"message", "first event", "1"}, ServerEvent{"message", "second event", ""},
                            ServerEvent{"message", " third event", ""}));
    // Two events, the last one is not complete.
    EXPECT_THAT(parse("data\n\ndata\ndata\n\ndata:"),
                ElementsAre(ServerEvent{"message", "", ""}, ServerEvent{"message", "\n", ""}));
    EXPECT_THAT(parse("data:test\n\ndata: test\n\n"),
                ElementsAre(ServerEvent{"message", "test", ""}, ServerEvent{"message", "test", ""}));
}

TEST(SseParser, NamesEventsAndKeepsTheirIds) {
    EXPECT_THAT(parse("id: 7\nevent: run.progress\ndata: {}\n\ndata: x\n\n"),
                ElementsAre(ServerEvent{"run.progress", "{}", "7"}, ServerEvent{"message", "x", "7"}));
}

TEST(SseParser, LinesEndWithAnyOfThree) {
    for (const char* text :
         {"event: a\ndata: b\n\n", "event: a\rdata: b\r\r", "event: a\r\ndata: b\r\n\r\n", "event: a\rdata: b\r\n\n"})
        EXPECT_THAT(parse(text), ElementsAre(ServerEvent{"a", "b", ""})) << ::testing::PrintToString(text);
}

TEST(SseParser, PiecesMayBeCutAnywhere) {
    const std::string text =
        "\xEF\xBB\xBF"
        "id: 1\r\nevent: a\r\ndata: b\r\ndata: c\r\n\r\n: comment\r\nid: 2\rdata: d\r\r\nretry: 10\n\ndata: "
        "\xC3\xA9\n\n";
    const auto whole = parse(text);
    ASSERT_THAT(whole, ElementsAre(ServerEvent{"a", "b\nc", "1"}, ServerEvent{"message", "d", "2"},
                                   ServerEvent{"message", "\xC3\xA9", "2"}));
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        SseParser parser;
        auto events = parser.feed(std::string_view(text).substr(0, cut));
        std::ranges::move(parser.feed(std::string_view(text).substr(cut)), std::back_inserter(events));
        EXPECT_EQ(events, whole) << cut;
    }
    SseParser parser;
    std::vector<ServerEvent> events;
    for (const char byte : text) std::ranges::move(parser.feed({&byte, 1}), std::back_inserter(events));
    EXPECT_EQ(events, whole);
}

TEST(SseParser, AByteOrderMarkCountsAtTheBeginningOnly) {
    EXPECT_THAT(parse("\xEF\xBB\xBF"
                      "data: a\n\n\xEF\xBB\xBF"
                      "data: b\n\n"),
                ElementsAre(ServerEvent{"message", "a", ""}));
}

TEST(SseParser, IgnoresCommentsAndUnknownFields) {
    EXPECT_THAT(parse(": keep-alive\n\n:\n\nfoo: bar\nDATA: x\n data: x\n\n"), IsEmpty());
}

TEST(SseParser, AnEventWithoutDataIsNone) {
    EXPECT_THAT(parse("event: a\n\ndata: b\n\n"), ElementsAre(ServerEvent{"message", "b", ""}));
}

TEST(SseParser, AnIdWithNulIsIgnored) {
    EXPECT_THAT(parse("id: 1\ndata: a\n\nid: 2\0x\ndata: b\n\n"s),
                ElementsAre(ServerEvent{"message", "a", "1"}, ServerEvent{"message", "b", "1"}));
}

TEST(SseParser, TheLastIdIsThatOfTheLastCompleteEvent) {
    SseParser parser;
    (void)parser.feed("id: 1\ndata: a\n\nid: 2\ndata: b\n");
    EXPECT_EQ(parser.last_event_id(), "1");
    parser.restart();
    EXPECT_THAT(parser.feed("data: c\n\n"), ElementsAre(ServerEvent{"message", "c", "1"}));
    EXPECT_EQ(parser.last_event_id(), "1");
    // An id counts without data, too: the server says how far it is.
    (void)parser.feed("id: 9\n\n");
    EXPECT_EQ(parser.last_event_id(), "9");
}

TEST(SseParser, ARetryTimeIsDigitsAlone) {
    SseParser parser;
    for (const char* text :
         {"retry: 1s\n", "retry:\n", "retry: -1\n", "retry: 99999999999999999999\n", "retry: +5\n"}) {
        (void)parser.feed(text);
        EXPECT_EQ(parser.retry(), std::nullopt) << text;
    }
    (void)parser.feed("retry: 1500\n");
    EXPECT_EQ(parser.retry(), std::chrono::milliseconds(1500));
    parser.restart();
    EXPECT_EQ(parser.retry(), std::chrono::milliseconds(1500));
}

TEST(SseParser, AnEndlessLineIsNoEventStream) {
    SseParser parser;
    const std::string piece(SseParser::kMaxEventBytes / 2, 'x');
    (void)parser.feed(piece);
    (void)parser.feed(piece);
    EXPECT_THROW((void)parser.feed("x"), Error);
}

}  // namespace
}  // namespace foxbench::client
