#include "service/yaml/value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::yaml {
namespace {

std::string fault(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        return error.what();
    }
    return "(no fault)";
}

TEST(YamlValue, SaysWhereAFaultStands) {
    const auto root = Value::parse("targets:\n  a:\n    prefs: 5\n", "x.yaml");
    EXPECT_EQ(fault([&] { (void)root.at("targets").at("a").at("prefs").members(); }),
              "x.yaml:3:12: targets.a.prefs: expected a map of keys and values");
    EXPECT_EQ(fault([&] { (void)root.at("targets").at("a").at("binary"); }),
              "x.yaml:3:5: targets.a: the key 'binary' is missing");
}

TEST(YamlValue, NamesTheNearestKnownKey) {
    const auto root = Value::parse("resluts: x\n", "x.yaml");
    EXPECT_EQ(fault([&] {
                  root.allow_only({"results", "profiles"});
              }),
              "x.yaml:1:1: unknown key 'resluts'. Did you mean 'results'?");
}

TEST(YamlValue, RefusesAKeyTwice) {
    const auto root = Value::parse("a: 1\nb: 2\na: 3\n", "x.yaml");
    EXPECT_THAT(fault([&] { (void)root.members(); }), testing::HasSubstr("x.yaml:3:1"));
}

TEST(YamlValue, ReportsSyntaxErrorsWithTheirPlace) {
    EXPECT_THAT(fault([] { (void)Value::parse("a: [1, 2\nb: 3", "x.yaml"); }), testing::StartsWith("x.yaml:2:"));
    EXPECT_THAT(fault([] { (void)Value::parse("a: 1\n---\nb: 2\n", "x.yaml"); }), testing::HasSubstr("more than one"));
    EXPECT_THAT(fault([] { (void)Value::load("/nonexistent/x.yaml"); }),
                testing::HasSubstr("cannot be read: No such file"));
}

TEST(YamlValue, TypesPlainScalarsAndKeepsQuotedOnesAsText) {
    const auto json = Value::parse("{a: true, b: 5, c: 1.5, d: '5', e: text, f: [1, x], g: ~}", "x").json();
    EXPECT_EQ(json.dump(), R"({"a":true,"b":5,"c":1.5,"d":"5","e":"text","f":[1,"x"],"g":null})");
}

TEST(YamlValue, ChecksTypesAndRanges) {
    const auto root = Value::parse("{n: 5, s: text, b: true, q: 'true'}", "x");
    EXPECT_EQ(root.at("n").integer(1, 10), 5);
    EXPECT_EQ(fault([&] { (void)root.at("n").integer(6, 10); }), "x:1:5: n: expected a number from 6 to 10");
    EXPECT_EQ(fault([&] { (void)root.at("s").integer(); }), "x:1:11: s: expected a whole number");
    EXPECT_TRUE(root.at("b").boolean());
    EXPECT_THAT(fault([&] { (void)root.at("q").boolean(); }), testing::HasSubstr("expected true or false"));
}

TEST(YamlValue, TreatsAnEmptyFileAsAnEmptyMap) {
    const auto root = Value::parse("", "x");
    EXPECT_TRUE(root.members().empty());
    EXPECT_NO_THROW(root.allow_only({"a"}));
    EXPECT_FALSE(root.find("a"));
}

}  // namespace
}  // namespace foxbench::yaml
