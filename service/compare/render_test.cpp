#include "service/compare/render.hpp"

#include <limits>
#include <sstream>

#include <gmock/gmock.h>

#include "service/compare/sample_comparisons.hpp"
#include "service/document/json_text.hpp"
#include "service/report/sample_runs.hpp"

namespace foxbench::compare {
namespace {

using document::Json;
using report::Format;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr Format kAll[] = {Format::md, Format::csv, Format::json, Format::html};

std::string kept(const std::string& name) {
    return report::read_fixture("comparison/" + name);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

/// How many cells each line of a Markdown text's tables has.
std::vector<std::size_t> cells_of_tables(const std::string& markdown) {
    std::vector<std::size_t> cells;
    std::istringstream lines(markdown);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("|")) continue;
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (line[i] == '\\')
                ++i;  // escaped, whatever it is
            else if (line[i] == '|')
                ++bars;
        }
        cells.push_back(bars - 1);
    }
    return cells;
}

TEST(Comparison, IsAsKeptInEveryFormat) {
    EXPECT_EQ(render({sample_comparison()}, Format::md, false), kept("comparison.md"));
    EXPECT_EQ(render({sample_comparison()}, Format::md, true), kept("explained.md"));
    EXPECT_EQ(render({sample_comparison()}, Format::csv, false), kept("comparison.csv"));
    EXPECT_EQ(render({sample_comparison()}, Format::json, true), kept("comparison.json"));
    const auto html = render({sample_comparison()}, Format::html, true);
    EXPECT_EQ(html.substr(html.find("<body>")), kept("comparison.html"));
}

TEST(Comparison, OfSeveralTargetsIsOneTextWithAPartEach) {
    const std::vector<Comparison> both{bare_comparison(), sample_comparison()};
    const auto markdown = render(both, Format::md, false);
    EXPECT_TRUE(markdown.starts_with("# Comparison: slower in 1 of 6 series (1 faster, 2 same, 2 cannot tell)\n"));
    EXPECT_THAT(markdown, HasSubstr("\n## nightly\n"));
    EXPECT_THAT(markdown, HasSubstr("\n## patched against base\n"));
    const auto csv = render(both, Format::csv, false);
    EXPECT_EQ(count(csv, "\r\n"), 1u + 6);
    const auto json = Json::parse(render(both, Format::json, false));
    EXPECT_EQ(json["verdict"], Json("slower"));
    ASSERT_EQ(json["comparisons"].size(), 2u);
    EXPECT_EQ(json["comparisons"][0]["verdict"], Json("cannot tell"));
    EXPECT_EQ(count(render(both, Format::html, false), "<section>"), 2u);
}

TEST(Comparison, OfNothingSaysSo) {
    Comparison comparison = bare_comparison();
    comparison.rows.clear();
    EXPECT_THAT(render({comparison}, Format::md, true), HasSubstr("No series is on both sides"));
    EXPECT_THAT(render({comparison}, Format::html, true), HasSubstr("No series is on both sides"));
    for (const auto format : kAll) {
        EXPECT_TRUE(render({}, format, true).ends_with("\n"));
        EXPECT_TRUE(render({comparison}, format, false).ends_with("\n"));
    }
    EXPECT_TRUE(render({}, Format::md, false).starts_with("# Comparison: nothing to compare\n"));
}

TEST(Comparison, SaysWarningsBeforeAnyFigure) {
    for (const auto format : {Format::md, Format::html}) {
        const auto text = render({sample_comparison()}, format, false);
        EXPECT_LT(text.find("Different numbers of launches"), text.find("Browser"));
        EXPECT_LT(text.find("Different numbers of launches"), text.find("small-append"));
    }
}

TEST(Comparison, KeepsTheOrderOfTheRun) {
    const auto text = render({sample_comparison()}, Format::md, false);
    EXPECT_LT(text.find("| small-append |"), text.find("| small-overwrite |"));
    EXPECT_LT(text.find("| small-overwrite |"), text.find("| append+flush |"));
    EXPECT_LT(text.find("| append+flush |"), text.find("| new-file: create+open |"));
}

TEST(Comparison, ShowsFiltersOnlyWhenAsked) {
    for (const auto format : kAll) {
        EXPECT_THAT(render({sample_comparison()}, format, true), HasSubstr("change is above what the clock shows"));
        EXPECT_THAT(render({sample_comparison()}, format, false),
                    Not(HasSubstr("change is above what the clock shows")));
    }
}

TEST(Comparison, OfUnknownFiguresHasDashesAndNulls) {
    const auto markdown = render({bare_comparison()}, Format::md, false);
    EXPECT_THAT(markdown, HasSubstr("| small-append | – | – | – | 1.000 |"));
    EXPECT_THAT(markdown, HasSubstr("| +0.5 µs (-0.3 µs to +1.5 µs) |"));
    const auto json = Json::parse(render({bare_comparison()}, Format::json, false));
    const auto& row = json["comparisons"][0]["series"][0];
    for (const char* name : {"base_mean_us", "new_mean_us", "shift_percent", "shift_low_percent", "shift_us",
                             "spread_percent", "detectable_percent", "launches_needed"}) {
        EXPECT_TRUE(row.at(name).is_null()) << name;
    }
    EXPECT_TRUE(json["comparisons"][0]["base"]["label"].is_null());
    EXPECT_TRUE(json["comparisons"][0]["range"].is_null());
}

TEST(Comparison, OfFiguresThatAreNoNumbersIsStillWellFormed) {
    auto comparison = sample_comparison();
    for (auto& row : comparison.rows) {
        row.verdict.base_mean_us = row.verdict.shift.relative = row.verdict.detectable =
            std::numeric_limits<double>::quiet_NaN();
        row.verdict.shift.relative_interval = stats::Interval{-std::numeric_limits<double>::infinity(), 1};
    }
    const auto json = Json::parse(render({comparison}, Format::json, true));
    EXPECT_TRUE(json["comparisons"][0]["series"][0]["base_mean_us"].is_null());
    for (const auto format : {Format::md, Format::csv, Format::html})
        EXPECT_THAT(render({comparison}, format, true), Not(HasSubstr("nan")));
}

TEST(HostileText, DoesNotLeaveItsCellInMarkdown) {
    const auto text = render({hostile_comparison()}, Format::md, true);
    EXPECT_THAT(text, Not(HasSubstr("<script>")));
    EXPECT_THAT(text, Not(HasSubstr("\x1B")));
    EXPECT_EQ(count(text, "new line"), count(text, "alert(1)&lt;/script"));
    // Of sides and differences, of filters, of series.
    const auto cells = cells_of_tables(text);
    ASSERT_GT(cells.size(), 20u);
    for (const auto each : cells) EXPECT_THAT(each, ::testing::AnyOf(3u, 4u, 8u));
    EXPECT_EQ(count(text, "`") % 2, 0u);
}

TEST(HostileText, StaysTextInHtml) {
    const auto html = render({hostile_comparison()}, Format::html, true);
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, Not(HasSubstr("href=\"https://x/")));
    EXPECT_THAT(html, Not(HasSubstr("\" onclick")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
    for (const char* tag : {"section", "table", "svg", "g", "tr", "td", "code", "ul", "li"}) {
        const std::string name = tag;
        EXPECT_EQ(count(html, "<" + name + ">") + count(html, "<" + name + " "), count(html, "</" + name + ">")) << tag;
    }
}

TEST(HostileText, IsQuotedInCsvAndIsNoFormula) {
    auto comparison = hostile_comparison();
    comparison.base.target = "=cmd|' /C calc'!A0";
    const auto csv = render({comparison}, Format::csv, true);
    EXPECT_THAT(csv, HasSubstr(",'=cmd|' /C calc'!A0,"));
    EXPECT_THAT(csv, HasSubstr("& \"\"x\"\" 'y'"));
    EXPECT_EQ(count(csv, "\r\n"), 1u + comparison.rows.size());
}

TEST(HostileText, IsKeptInJson) {
    auto comparison = hostile_comparison();
    const auto json = Json::parse(render({comparison}, Format::json, true));
    EXPECT_EQ(json["comparisons"][0]["series"][0]["series"], Json(kHostile));
    EXPECT_EQ(json["comparisons"][0]["series"][0]["filters"][0]["unit"], Json(kHostile));
    comparison.base.browser = "broken \xFF";
    EXPECT_EQ(Json::parse(render({comparison}, Format::json, false))["comparisons"][0]["base"]["browser"],
              Json("broken \xEF\xBF\xBD"));
}

TEST(Comparison, LinksOnlyPlainAddresses) {
    auto comparison = sample_comparison();
    EXPECT_THAT(render({comparison}, Format::html, false),
                HasSubstr("<a href=\"https://hg.mozilla.org/mozilla-central/pushloghtml?fromchange=8d76a2ba4c1f&amp;"));
    for (const char* address : {"javascript:alert(1)", "http://hg.mozilla.org/", "https://x/\"y", "https://x/<y>"}) {
        comparison.range->address = address;
        EXPECT_THAT(render({comparison}, Format::html, false), Not(HasSubstr("<a "))) << address;
        EXPECT_THAT(render({comparison}, Format::md, false), HasSubstr(": `")) << address;
    }
}

}  // namespace
}  // namespace foxbench::compare
