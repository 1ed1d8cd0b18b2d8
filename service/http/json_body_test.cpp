#include "service/http/json_body.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foxbench::http {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

auto fault(const std::string& pointer, const std::string& detail) {
    return AllOf(Field(&BodyFault::pointer, pointer), Field(&BodyFault::detail, HasSubstr(detail)));
}

std::vector<BodyFault> faults_of(BodyReader& reader) {
    try {
        reader.finish();
    } catch (const Problem& problem) {
        EXPECT_EQ(problem.status, 422u);
        return problem.errors;
    }
    return {};
}

TEST(ParseBody, RefusesWhatIsNoJson) {
    const std::string deep = std::string(10000, '[') + std::string(10000, ']');
    const std::vector<std::string> bodies{"",
                                          "{",
                                          "{}x",
                                          "NaN",
                                          "[Infinity]",
                                          "{'a':1}",
                                          "1e999",
                                          "{\"a\":1,}",
                                          "\"\xff\"",
                                          "\"\t\"",
                                          "{\"a\":1,\"a\":2}",
                                          deep,
                                          "\"\\ud800\"",
                                          "// c\n{}",
                                          std::string("{}\0", 3)};
    for (const auto& body : bodies) {
        try {
            (void)parse_body(body);
            ADD_FAILURE() << body.substr(0, 40);
        } catch (const Problem& problem) {
            EXPECT_EQ(problem.status, 400u) << body.substr(0, 40);
        }
    }
    EXPECT_EQ(parse_body(" {\"a\": [1, null]} "), (Json{{"a", Json::array({1, nullptr})}}));
}

TEST(BodyReader, ReadsWhatIsRight) {
    const auto json = Json::parse(R"({"label": "Größe", "note": "a\nb", "launches": 5.0, "quick": true,
        "targets": ["a", "b"], "overrides": {"calls": 5}, "nothing": null})");
    BodyReader reader(json);
    EXPECT_EQ(reader.text("label", 5), "Größe");
    EXPECT_EQ(reader.lines("note", 10), "a\nb");
    EXPECT_EQ(reader.count("launches", 1, 100), 5);
    EXPECT_EQ(reader.flag("quick"), true);
    EXPECT_THAT(*reader.texts("targets", 2, 10), ElementsAre("a", "b"));
    ASSERT_TRUE(reader.object("overrides"));
    EXPECT_EQ((*reader.object("overrides"))["calls"], 5);
    EXPECT_EQ(reader.text("nothing", 5), std::nullopt);
    EXPECT_EQ(reader.text("absent", 5), std::nullopt);
    EXPECT_NO_THROW(reader.finish());
}

TEST(BodyReader, TellsEveryFaultWithItsPlace) {
    const auto json =
        Json::parse(R"({"label": "toolong", "note": "a\u001b[31m", "launches": 0, "many": 1e300, "half": 1.5,
        "quick": 1, "targets": ["a", 5, "a"], "overrides": [], "lable": "x", "c1": "\u009b", "huge": 18446744073709551615})");
    BodyReader reader(json, "/base");
    (void)reader.text("label", 5);
    (void)reader.lines("note", 100);
    (void)reader.count("launches", 1, 100);
    (void)reader.count("many", 1, 100);
    (void)reader.count("half", 1, 100);
    (void)reader.count("huge", 1, 100);
    (void)reader.flag("quick");
    (void)reader.texts("targets", 5, 5);
    (void)reader.object("overrides");
    (void)reader.text("c1", 5);
    EXPECT_THAT(faults_of(reader),
                ElementsAre(fault("/base/label", "at most 5"), fault("/base/note", "control"),
                            fault("/base/launches", "whole number of 1 to 100"), fault("/base/many", "whole"),
                            fault("/base/half", "whole"), fault("/base/huge", "whole"), fault("/base/quick", "true"),
                            fault("/base/targets/1", "text"), fault("/base/targets/2", "twice"),
                            fault("/base/overrides", "object"), fault("/base/c1", "control"),
                            fault("/base/lable", "Did you mean 'label'?")));
}

TEST(BodyReader, NeedsAnObject) {
    for (const auto* text : {"[]", "null", "5", "\"a\""}) {
        const auto json = Json::parse(text);
        BodyReader reader(json);
        EXPECT_EQ(reader.text("a", 5), std::nullopt);
        EXPECT_THAT(faults_of(reader), ElementsAre(fault("", "object"))) << text;
    }
}

TEST(BodyReader, TellsABoundedNumberOfFaults) {
    Json json = Json::object();
    for (int i = 0; i < 1000; ++i) json["member" + std::to_string(i)] = i;
    BodyReader reader(json);
    EXPECT_EQ(faults_of(reader).size(), 50u);
}

}  // namespace
}  // namespace foxbench::http
