#include "service/web/web_files.hpp"

#include <regex>
#include <set>
#include <string>

#include <gmock/gmock.h>

namespace foxbench::web {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::string file(const char* name) {
    return std::string(web_file(name).value());
}

/// What the first group of `pattern` is wherever it matches.
std::set<std::string> all_matches(const std::string& text, const char* pattern) {
    const std::regex expression(pattern);
    std::set<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at) found.insert((*at)[1]);
    return found;
}

TEST(Dashboard, HasEveryElementThatItsScriptFills) {
    const auto used = all_matches(file("dashboard.js"), R"((?:byId|show)\('([a-z-]+)')");
    ASSERT_GE(used.size(), 8u);
    EXPECT_THAT(all_matches(file("index.html"), "id=\"([a-z-]+)\""), IsSupersetOf(used));
}

// Names, notes and labels are other people's text.
TEST(Dashboard, NeverMakesHtmlOfText) {
    for (const char* way : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "DOMParser", "eval("})
        EXPECT_THAT(file("dashboard.js"), Not(HasSubstr(way)));
}

// default-src 'self' has neither inline scripts nor inline styles, and nothing of another host.
TEST(Dashboard, KeepsToItsContentSecurityPolicy) {
    const auto page = file("index.html");
    EXPECT_FALSE(std::regex_search(page, std::regex("<script(?![^>]* src=\"/assets/)")));
    EXPECT_FALSE(std::regex_search(page, std::regex(R"(<style| style=| on[a-z]+=)")));
    for (const char* name : {"index.html", "style.css", "dashboard.js"}) EXPECT_THAT(file(name), Not(HasSubstr("://")));
}

TEST(Dashboard, HasNothingByAnotherName) {
    EXPECT_EQ(web_file("../index.html"), std::nullopt);
}

}  // namespace
}  // namespace foxbench::web
