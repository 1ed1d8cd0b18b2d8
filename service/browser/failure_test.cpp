#include "service/browser/failure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foxbench::browser {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ListeningLine, GivesTheAddress) {
    EXPECT_EQ(parse_listening_line("WebDriver BiDi listening on ws://127.0.0.1:33073"), "ws://127.0.0.1:33073");
    EXPECT_EQ(parse_listening_line("[GFX1-]: junk WebDriver BiDi listening on ws://[::1]:1 and more\r"),
              "ws://[::1]:1");
}

TEST(ListeningLine, IsNoOther) {
    EXPECT_FALSE(parse_listening_line(""));
    EXPECT_FALSE(parse_listening_line("WebDriver BiDi listening on "));
    EXPECT_FALSE(parse_listening_line("DevTools listening on ws://127.0.0.1:9222"));
    EXPECT_FALSE(parse_listening_line("WebDriver BiDi listening on http://127.0.0.1:1"));
}

TEST(LastLines, LeaveOutWhatEveryStartWrites) {
    EXPECT_EQ(last_lines("first\n*** You are running in headless mode.\nsecond\n\nthird\n", 2), "second | third");
    EXPECT_EQ(last_lines("*** You are running in headless mode.\n"), "");
    EXPECT_EQ(last_lines(""), "");
    EXPECT_EQ(last_lines("no end"), "no end");
}

TEST(LastLines, AreShort) {
    const std::string quoted = last_lines(std::string(10'000, 'x'));
    EXPECT_LT(quoted.size(), 500u);
    EXPECT_THAT(quoted, ::testing::StartsWith("..."));
}

LaunchError error_for(std::string error_tail, std::string output_tail = {}) {
    return LaunchError({"/usr/bin/firefox", "ended before it listened", ExitStatus{0, std::nullopt},
                        std::move(output_tail), std::move(error_tail), false});
}

TEST(LaunchError, WithAnUnknownTextQuotesItAndIsWorthAnotherTry) {  // cases.md 8
    const auto error = error_for("*** You are running in headless mode.\nsomething new\n");
    EXPECT_STREQ(error.what(), "/usr/bin/firefox ended before it listened (exit code 0); it wrote: something new");
    EXPECT_EQ(error.code(), ErrorCode::browser);
    EXPECT_TRUE(error.worth_retrying());
    EXPECT_THAT(error.error_tail(), HasSubstr("something new"));
}

TEST(LaunchError, WithoutAnyTextSaysSo) {
    EXPECT_STREQ(error_for("").what(), "/usr/bin/firefox ended before it listened (exit code 0); it wrote nothing");
}

struct Known {
    const char* name;
    const char* text;
    const char* explanation;
};

class KnownTextTest : public ::testing::TestWithParam<Known> {};

TEST_P(KnownTextTest, IsExplainedAndNotTriedAgain) {
    for (const bool on_error_stream : {true, false}) {
        const auto error = on_error_stream ? error_for(GetParam().text) : error_for("", GetParam().text);
        EXPECT_THAT(error.what(), AllOf(HasSubstr(GetParam().explanation), HasSubstr(GetParam().text)));
        EXPECT_FALSE(error.worth_retrying());
        EXPECT_EQ(error.code(), ErrorCode::environment);
    }
}

INSTANTIATE_TEST_SUITE_P(
    OfFirefox, KnownTextTest,
    ::testing::Values(
        Known{"profile_in_use",
              "Firefox is already running, but is not responding. To use Firefox, you must first close it",  // case 7
              "the profile is in use by another Firefox or cannot be written to"},
        Known{"port_taken",
              "RemoteAgent ERROR Unable to start the RemoteAgent: Failed to start HTTP server on port 46593",
              "the port for remote control is taken"},
        Known{"foreign_home", "Running Firefox as root in a regular user's session is not supported.",  // case 10
              "foxbench runs as root with the HOME of another user"},
        Known{"no_display", "Error: no DISPLAY environment variable specified", "needs a display"},  // case 11
        Known{"bad_display", "Error: cannot open display: :77", "the display cannot be opened"},
        Known{"no_library", "firefox: error while loading shared libraries: libgtk-3.so.0", "a library is missing"},
        Known{"unfinished_build", "Couldn't load XPCOM.", "the build is not finished"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(LaunchError, OfASnapHasAHint) {  // cases.md 9
    const LaunchError error({"/snap/bin/firefox", "did not listen within 30 s", std::nullopt, "", "", true});
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("did not listen within 30 s: it is a snap"), HasSubstr("it wrote nothing")));
    EXPECT_FALSE(error.worth_retrying());
}

}  // namespace
}  // namespace foxbench::browser
