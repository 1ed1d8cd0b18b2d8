#include "service/browser/preferences.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::browser {
namespace {

using document::Json;
using ::testing::HasSubstr;

TEST(MeasuringPreferences, EachHasAReasonAndStandsOnce) {
    std::set<std::string_view> names;
    for (const MeasuringPreference& preference : measuring_preferences()) {
        EXPECT_TRUE(names.insert(preference.name).second) << preference.name;
        EXPECT_FALSE(preference.reason.empty()) << preference.name;
    }
    EXPECT_EQ(names.size(), 26u);
}

TEST(EffectivePreferences, WithoutATargetAreThoseForMeasuring) {
    const auto preferences = effective_preferences(nullptr, Timer::standard);
    EXPECT_EQ(preferences.size(), measuring_preferences().size());
    EXPECT_EQ(preferences.at("browser.startup.page"), 0);
    EXPECT_EQ(preferences.at("browser.cache.disk.enable"), false);
    EXPECT_EQ(preferences.at("browser.startup.homepage_override.mstone"), "ignore");
    EXPECT_FALSE(preferences.contains("privacy.reduceTimerPrecision"));
}

TEST(EffectivePreferences, OfAPreciseTimerHaveTwoMore) {
    const auto preferences = effective_preferences(nullptr, Timer::precise);
    EXPECT_EQ(preferences.size(), measuring_preferences().size() + 2);
    EXPECT_EQ(preferences.at("privacy.reduceTimerPrecision"), false);
    EXPECT_EQ(preferences.at("privacy.reduceTimerPrecision.unconditional"), false);
}

TEST(EffectivePreferences, OfATargetWinOverBoth) {
    const auto preferences = effective_preferences(
        Json{{"browser.startup.page", 1}, {"privacy.reduceTimerPrecision", true}, {"dom.fs.enabled", false}},
        Timer::precise);
    EXPECT_EQ(preferences.at("browser.startup.page"), 1);
    EXPECT_EQ(preferences.at("privacy.reduceTimerPrecision"), true);
    EXPECT_EQ(preferences.at("dom.fs.enabled"), false);
}

TEST(EffectivePreferences, AreInOrderWhateverTheTargetsOrder) {
    const auto one = effective_preferences(Json::parse(R"({"a.b": 1, "z.y": 2})"), Timer::standard);
    const auto other = effective_preferences(Json::parse(R"({"z.y": 2, "a.b": 1})"), Timer::standard);
    EXPECT_EQ(one.dump(), other.dump());
}

void expect_refused(const Json& target, const std::string& text) {
    try {
        static_cast<void>(effective_preferences(target, Timer::standard));
        ADD_FAILURE() << target;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_THAT(error.what(), HasSubstr(text));
    }
}

TEST(EffectivePreferences, RefuseWhatNoPreferenceCanBe) {
    expect_refused(Json{{"a.fraction", 1.5}},
                   "preference a.fraction: a preference is true, false, a whole number or a text, not 1.5");
    expect_refused(Json{{"a.nothing", nullptr}}, "not null");
    expect_refused(Json{{"a.list", Json::array()}}, "not array");
    expect_refused(Json{{"a.big", 2147483648}}, "does not fit into the 32 bits");
    expect_refused(Json{{"a.small", -2147483649}}, "does not fit into the 32 bits");
    expect_refused(Json{{"a.zero", std::string("x\0y", 3)}}, "zero byte");
    expect_refused(Json{{"", 1}}, "cannot be called \"\"");
    expect_refused(Json{{"a\"b", 1}}, "cannot be called");
    expect_refused(Json::array(), "names with values");
}

TEST(EffectivePreferences, TakeTheLimitsOf32Bits) {
    const auto preferences =
        effective_preferences(Json{{"high", 2147483647}, {"low", -2147483647 - 1}}, Timer::standard);
    EXPECT_EQ(preferences.at("high"), 2147483647);
    EXPECT_EQ(preferences.at("low"), -2147483647 - 1);
}

TEST(UserJs, HasALineForEachPreference) {
    const Preferences preferences = Json::parse(R"({"a": true, "b": -7, "c": "text"})");
    EXPECT_EQ(user_js(preferences),
              "// Written by foxbench for each launch.\n"
              "user_pref(\"a\", true);\nuser_pref(\"b\", -7);\nuser_pref(\"c\", \"text\");\n");
}

TEST(UserJs, EscapesWhatEndsATextOrALine) {
    EXPECT_THAT(user_js({{"a", "say \"\\\" \n\r\t\x7f é"}}),
                HasSubstr(R"(user_pref("a", "say \"\\\" \n\r\x09\x7f é");)"));
}

}  // namespace
}  // namespace foxbench::browser
