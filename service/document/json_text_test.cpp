#include "service/document/json_text.hpp"

#include <string>

#include <gmock/gmock.h>

#include "service/error.hpp"

namespace foxbench::document {
namespace {

std::string refusal(std::string_view text) {
    try {
        (void)parse_json(text, "run.json");
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        return error.what();
    }
    return "";
}

std::string nested(std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ParseJson, KeepsValuesAndTheMembersOrder) {
    const Json json = parse_json(R"({"z": [1, -2, 2.5, true, null, "x"], "a": {"n": {}}})", "run.json");
    EXPECT_EQ(to_text(json), R"({"z":[1,-2,2.5,true,null,"x"],"a":{"n":{}}})");
    EXPECT_EQ(parse_json(" 7 ", "run.json"), Json(7));
}

TEST(ParseJson, SaysLineAndColumnOfWhatIsNoJson) {
    EXPECT_THAT(refusal("{\n  \"a\": nul }"),
                ::testing::HasSubstr("run.json is not JSON: parse error at line 2, column"));
    for (const char* text : {"", "{", "[1,]", "{\"a\" 1}", "NaN", "[Infinity]", "1 2", "'a'", "[01]", "\"\\ud800\"",
                             "\"\n\"", "[1e999]"}) {
        EXPECT_THAT(refusal(text), ::testing::StartsWith("run.json is not JSON: ")) << text;
    }
}

TEST(ParseJson, RefusesInvalidUtf8AndPrintsNoneOfIt) {
    for (const std::string& bytes :
         {std::string("\xff"), std::string("\xc0\x80"), std::string("\xed\xa0\x80"), std::string("\xe2\x82")}) {
        const std::string message = refusal("[\"" + bytes + "\"]");
        EXPECT_THAT(message, ::testing::StartsWith("run.json is not JSON: "));
        EXPECT_EQ(message.find(bytes), std::string::npos);
        EXPECT_NO_THROW((void)Json(message).dump());
    }
}

TEST(ParseJson, RefusesAMemberThatIsThereTwice) {
    EXPECT_EQ(refusal(R"({"a": 1, "b": {"c": [0, {"d": 1, "d": 1}]}})"),
              "run.json: /b/c/1: the member \"d\" is there twice");
    EXPECT_EQ(refusal(R"({"a": 1, "a": 2})"), "run.json: /: the member \"a\" is there twice");
    EXPECT_EQ(refusal(R"([{"a": 1}, {"a": 2}])"), "");
}

TEST(ParseJson, RefusesNestingBeyondTheLimit) {
    EXPECT_EQ(refusal(nested(kMaxNesting)), "");
    EXPECT_THAT(refusal(nested(kMaxNesting + 1)), ::testing::HasSubstr("nested more than 64 levels deep"));
    EXPECT_THAT(refusal(std::string(5'000'000, '[')), ::testing::HasSubstr("nested more than 64 levels deep"));
}

TEST(ParseJson, TakesAnObjectOfVeryManyMembersInItsStride) {
    std::string text = "{";
    for (int i = 0; i < 200'000; ++i) text += "\"m" + std::to_string(i) + "\":0,";
    text.back() = '}';
    EXPECT_EQ(parse_json(text, "run.json").size(), 200'000u);
}

TEST(ToText, ReplacesWhatIsNoUtf8) {
    EXPECT_EQ(to_text(Json("a\xff")), "\"a\xEF\xBF\xBD\"");
}

TEST(ToText, EscapesWhatCouldSteerATerminal) {
    const std::string text = "\x1b \x7f \u0080\u009b31m \u00a0\u00b5s \u00e9";
    EXPECT_EQ(to_text(Json(text)), "\"\\u001b \\u007f \\u0080\\u009b31m \u00a0\u00b5s \u00e9\"");
    EXPECT_EQ(parse_json(to_text(Json(text)), "x"), Json(text)) << "it means the same";
    EXPECT_EQ(to_text(Json::object({{"\u0085", 1}})), "{\"\\u0085\":1}");
}

TEST(Pointer, EscapesAsTheRfcSays) {
    EXPECT_EQ(pointer_to("", "a/b~c"), "/a~1b~0c");
    EXPECT_EQ(pointer_to("/x", 3), "/x/3");
}

TEST(Printable, IsOneLineOfUtf8) {
    EXPECT_EQ(printable("a\nb\x1b[0m\xff\xc3\xa4"), "a?b?[0m?\xc3\xa4");
    EXPECT_EQ(printable("\u009b31m \x7f \u00a0"), "?31m ? \u00a0");
    EXPECT_EQ(printable("abcdef", 3), "abc...");
    EXPECT_EQ(printable("\xc3\xa4\xc3\xa4", 3), "\xc3\xa4...");
}

}  // namespace
}  // namespace foxbench::document
