#include "bidi/modules/script_values.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

namespace bidi::script {
namespace {

RemoteValue remote(const char* text) {
    return json::parse(text).get<RemoteValue>();
}

void expect_encoded(const LocalValue& value, const char* expected) {
    EXPECT_EQ(value.encoded, json::parse(expected)) << value.encoded;
}

TEST(LocalValueTest, EncodesPrimitives) {
    expect_encoded(undefined_value(), R"({"type": "undefined"})");
    expect_encoded(null_value(), R"({"type": "null"})");
    expect_encoded(boolean_value(true), R"({"type": "boolean", "value": true})");
    expect_encoded(string_value("a\"b"), R"({"type": "string", "value": "a\"b"})");
    expect_encoded(number_value(1.5), R"({"type": "number", "value": 1.5})");
    expect_encoded(bigint_value("-12345678901234567890"), R"({"type": "bigint", "value": "-12345678901234567890"})");
}

TEST(LocalValueTest, EncodesNumbersThatJsonLacksAsWords) {
    using Limits = std::numeric_limits<double>;
    expect_encoded(number_value(Limits::quiet_NaN()), R"({"type": "number", "value": "NaN"})");
    expect_encoded(number_value(Limits::infinity()), R"({"type": "number", "value": "Infinity"})");
    expect_encoded(number_value(-Limits::infinity()), R"({"type": "number", "value": "-Infinity"})");
    expect_encoded(number_value(-0.0), R"({"type": "number", "value": "-0"})");
    expect_encoded(number_value(0.0), R"({"type": "number", "value": 0})");
}

TEST(LocalValueTest, EncodesObjects) {
    expect_encoded(date_value("2026-01-31"), R"({"type": "date", "value": "2026-01-31"})");
    expect_encoded(regexp_value("a.b"), R"({"type": "regexp", "value": {"pattern": "a.b"}})");
    expect_encoded(regexp_value("a.b", "gi"), R"({"type": "regexp", "value": {"pattern": "a.b", "flags": "gi"}})");
    expect_encoded(array_value({null_value(), boolean_value(false)}),
                   R"({"type": "array", "value": [{"type": "null"}, {"type": "boolean", "value": false}]})");
    expect_encoded(array_value({}), R"({"type": "array", "value": []})");
    expect_encoded(set_value({null_value()}), R"({"type": "set", "value": [{"type": "null"}]})");
    expect_encoded(object_value({{"k", null_value()}}), R"({"type": "object", "value": [["k", {"type": "null"}]]})");
    expect_encoded(map_value({{number_value(1), null_value()}}),
                   R"({"type": "map", "value": [[{"type": "number", "value": 1}, {"type": "null"}]]})");
}

TEST(LocalValueTest, EncodesChannels) {
    expect_encoded(channel_value("x"), R"({"type": "channel", "value": {"channel": "x"}})");
    ChannelProperties unowned("x");
    unowned.ownership = ResultOwnership::none;
    expect_encoded(channel_value(unowned), R"({"type": "channel", "value": {"channel": "x", "ownership": "none"}})");
}

TEST(LocalValueTest, EncodesReferences) {
    expect_encoded(reference_value(SharedReference("n", "h")), R"({"sharedId": "n", "handle": "h"})");
    expect_encoded(reference_value(RemoteObjectReference("h")), R"({"handle": "h"})");
    expect_encoded(reference_value(remote(R"({"type": "node", "sharedId": "n"})")), R"({"sharedId": "n"})");
    expect_encoded(reference_value(remote(R"({"type": "object", "handle": "h"})")), R"({"handle": "h"})");
    EXPECT_THROW(reference_value(remote(R"({"type": "object"})")), std::invalid_argument);
    EXPECT_THROW(shared_reference(remote(R"({"type": "object", "handle": "h"})")), std::invalid_argument);
}

TEST(LocalValueTest, EncodesPlainJson) {
    expect_encoded(plain_value(json::parse(R"({"a": [1, 2.5, -3, true, null, "s"], "b": {}})")),
                   R"({"type": "object", "value": [
                       ["a", {"type": "array", "value": [
                           {"type": "number", "value": 1}, {"type": "number", "value": 2.5},
                           {"type": "number", "value": -3}, {"type": "boolean", "value": true}, {"type": "null"},
                           {"type": "string", "value": "s"}]}],
                       ["b", {"type": "object", "value": []}]]})");
}

TEST(RemoteValueTest, KeepsWhatTheBrowserSaid) {
    const RemoteValue value =
        remote(R"({"type": "moz-new", "value": 7, "handle": "h", "internalId": "i", "sharedId": "s", "unknown": 1})");
    EXPECT_EQ(value.type, "moz-new");
    EXPECT_EQ(value.value, 7);
    EXPECT_EQ(value.handle, "h");
    EXPECT_EQ(value.internal_id, "i");
    EXPECT_EQ(value.shared_id, "s");
    EXPECT_EQ(value.plain(), nullptr);
}

TEST(RemoteValueTest, BecomesPlainJson) {
    EXPECT_EQ(remote(R"({"type": "undefined"})").plain(), nullptr);
    EXPECT_EQ(remote(R"({"type": "string", "value": "s"})").plain(), "s");
    EXPECT_EQ(remote(R"({"type": "bigint", "value": "12"})").plain(), "12");
    EXPECT_EQ(remote(R"({"type": "regexp", "value": {"pattern": "a", "flags": "g"}})").plain(), "/a/g");
    EXPECT_EQ(remote(R"({"type": "array", "value": [{"type": "number", "value": 1}, {"type": "function"}]})").plain(),
              json::parse("[1, null]"));
    EXPECT_EQ(remote(R"({"type": "object", "value": [["k", {"type": "set", "value": []}]]})").plain(),
              json::parse(R"({"k": []})"));
    EXPECT_EQ(remote(R"({"type": "map", "value": [[{"type": "number", "value": 1}, {"type": "boolean", "value": true}],
                                                  ["t", {"type": "null"}]]})")
                  .plain(),
              json::parse(R"({"1": true, "t": null})"));
    EXPECT_EQ(remote(R"({"type": "array"})").plain(), nullptr) << "not written out: below the depth asked for";
}

TEST(RemoteValueTest, BecomesSpecialNumbers) {
    const auto number = [](const char* word) {
        return remote((R"({"type": "number", "value": ")" + std::string(word) + "\"}").c_str()).plain().get<double>();
    };
    EXPECT_TRUE(std::isnan(number("NaN")));
    EXPECT_EQ(number("Infinity"), std::numeric_limits<double>::infinity());
    EXPECT_EQ(number("-Infinity"), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::signbit(number("-0")));
}

TEST(RemoteValueTest, DepthIsBounded) {
    json nested = {{"type", "null"}};
    for (int depth = 0; depth < 2'000; ++depth) {
        json outer = {{"type", "array"}};
        outer["value"].push_back(std::move(nested));
        nested = std::move(outer);
    }
    const json plain = nested.get<RemoteValue>().plain();

    int depth = 0;
    for (const json* inner = &plain; inner->is_array(); inner = &inner->at(0)) ++depth;
    EXPECT_EQ(depth, 500);
}

}  // namespace
}  // namespace bidi::script
