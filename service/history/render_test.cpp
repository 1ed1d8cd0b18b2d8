#include "service/history/render.hpp"

#include <limits>
#include <sstream>

#include <gmock/gmock.h>

#include "service/document/json_text.hpp"
#include "service/history/sample_history.hpp"
#include "service/report/sample_runs.hpp"
#include "service/text/words.hpp"

namespace foxbench::history {
namespace {

using document::Json;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string kept(const std::string& name) {
    return report::read_fixture("history/" + name);
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
    return found;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

bool is_utf8(const std::string& text) {
    return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)) == Json(text);
}

/// What is wrong with XML as our drawings write it (no comments, no CDATA): empty where it is well formed.
std::string fault_of_xml(const std::string& xml) {
    std::vector<std::string> open;
    std::size_t at = 0;
    while (at < xml.size()) {
        if (xml[at] == '&') {
            const auto end = xml.find(';', at);
            if (end == std::string::npos || end - at > 6) return "a bare & at " + std::to_string(at);
        }
        if (xml[at] != '<') {
            ++at;
            continue;
        }
        std::size_t end = at;
        for (bool quoted = false; end < xml.size() && (quoted || xml[end] != '>'); ++end) {
            if (xml[end] == '"') quoted = !quoted;
            if (quoted && xml[end] == '<') return "a < within an attribute at " + std::to_string(end);
        }
        if (end >= xml.size()) return "a tag without an end";
        const auto tag = xml.substr(at + 1, end - at - 1);
        const auto name =
            tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" \n/", 1) - (tag[0] == '/' ? 1 : 0));
        if (tag.starts_with('/')) {
            if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
            open.pop_back();
        } else if (!tag.ends_with('/')) {
            open.push_back(name);
        }
        at = end + 1;
    }
    return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

/// A history of so many nights, a step in the middle.
SeriesHistory long_history(std::size_t nights) {
    SeriesHistory history;
    history.key = sample_key();
    for (std::size_t day = 0; day < nights; ++day)
        history.nights.push_back(sample_night(day, day < nights / 2 ? 40 : 50));
    Step step = sample_history().steps.front();
    step.last_good = sample_date(nights / 2 - 1);
    step.first_bad = sample_date(nights / 2);
    history.steps = {step};
    return history;
}

TEST(History, IsAsKeptInEveryFormat) {
    const auto history = sample_history();
    EXPECT_EQ(document::to_text(to_json(history), 2) + "\n", kept("history.json"));
    EXPECT_EQ(to_csv(history), kept("history.csv"));
    EXPECT_EQ(to_svg(history), kept("history.svg"));
    EXPECT_EQ(to_terminal(history, 80), kept("history.txt"));
}

TEST(HistoryJson, HasNullWhereNothingIsKnown) {
    SeriesHistory history;
    history.key = sample_key();
    history.nights = {sample_night(0, 40)};
    auto& night = history.nights.front();
    night.low_us = night.high_us = std::nullopt;
    night.build = {};
    const auto json = to_json(history);
    for (const char* name : {"low_us", "high_us", "version", "build_id", "source_stamp", "not_used"})
        EXPECT_TRUE(json["nights"][0].at(name).is_null()) << name;
    for (const char* name : {"since", "median_us", "night_sd_percent", "smallest_step_percent", "note"})
        EXPECT_TRUE(json.at(name).is_null()) << name;
    EXPECT_EQ(json["id"], Json(history.key.id()));
}

TEST(HistoryCsv, MarksTheFirstNightOfAStepAndTheUnusedOnes) {
    const auto lines = lines_of(to_csv(sample_history()));
    ASSERT_EQ(lines.size(), 1u + 28);
    EXPECT_THAT(lines[18], EndsWith(",true,,slower\r"));
    EXPECT_THAT(lines[19], EndsWith(",true,,\r"));
    EXPECT_THAT(lines[13], EndsWith(",false,partial,\r"));
}

TEST(HistorySvg, IsWellFormedWithTitleAndDescriptionAndNoScript) {
    const auto svg = to_svg(sample_history());
    EXPECT_EQ(fault_of_xml(svg), "");
    EXPECT_THAT(svg, StartsWith("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_THAT(svg, HasSubstr("<title id=\"title\">small-append, nightly on lab-1</title>"));
    EXPECT_THAT(svg, HasSubstr("<desc id=\"desc\">28 nights from 2026-08-01 to 2026-08-30."));
    EXPECT_THAT(svg, HasSubstr("@media (prefers-color-scheme: dark)"));
    EXPECT_THAT(svg, HasSubstr(">+12.5 %</text>"));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
}

/// The path with this class.
std::string path_of(const std::string& svg, const std::string& style) {
    const auto begin = svg.find("<path class=\"" + style + "\"");
    return begin == std::string::npos ? "" : svg.substr(begin, svg.find("/>", begin) - begin);
}

TEST(HistorySvg, LeavesGapsOpenAndUnusedNightsHollow) {
    const auto svg = to_svg(sample_history());
    EXPECT_EQ(count(path_of(svg, "line"), "M"), 2u);
    EXPECT_EQ(count(path_of(svg, "used"), "h0"), 27u);
    EXPECT_EQ(count(path_of(svg, "unused"), "M"), 1u);
    EXPECT_EQ(count(path_of(svg, "level"), "M"), 2u);
    EXPECT_EQ(count(path_of(svg, "whiskers"), "V"), 27u);
}

TEST(HistorySvg, OfNothingSaysSo) {
    SeriesHistory history;
    history.key = sample_key();
    EXPECT_EQ(fault_of_xml(to_svg(history)), "");
    EXPECT_THAT(to_svg(history), HasSubstr("No nights yet"));
    EXPECT_THAT(to_terminal(history, 80), HasSubstr("none yet"));
    EXPECT_EQ(lines_of(to_csv(history)).size(), 1u);
}

TEST(HistorySvg, OfOneNightHasItsMark) {
    auto history = sample_history();
    history.nights.erase(history.nights.begin() + 1, history.nights.end());
    history.steps.clear();
    history.missing.clear();
    EXPECT_EQ(fault_of_xml(to_svg(history)), "");
    EXPECT_EQ(count(path_of(to_svg(history), "used"), "h0"), 1u);
}

TEST(HistorySvg, OfManyNightsHasThemAllInAFewElements) {
    const auto svg = to_svg(long_history(10'000));
    EXPECT_EQ(count(path_of(svg, "used"), "h0"), 10'000u);
    EXPECT_LT(count(svg, "<"), 100u);
    EXPECT_LT(svg.size(), 1'000'000u);
}

TEST(HistorySvg, OfCostsThatAreNoNumbersIsStillWellFormed) {
    auto history = sample_history();
    history.nights[3].median_us = std::numeric_limits<double>::quiet_NaN();
    history.nights[4].median_us = std::numeric_limits<double>::infinity();
    history.nights[5].low_us = std::numeric_limits<double>::quiet_NaN();
    history.nights[6].high_us = 1e300;
    const auto svg = to_svg(history);
    EXPECT_EQ(fault_of_xml(svg), "");
    EXPECT_EQ(count(path_of(svg, "used"), "h0"), 25u);
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_TRUE(to_json(history)["nights"][3]["median_us"].is_null());
    EXPECT_THAT(to_terminal(history, 80), HasSubstr("Last night"));
}

TEST(HistoryTerminal, FitsItsColumns) {
    for (const std::size_t columns : {40u, 80u, 133u}) {
        const auto lines = lines_of(to_terminal(sample_history(), columns));
        std::size_t widest = 0;
        // The plot's rows: between the unit and the dates.
        for (std::size_t i = 3; i < 18; ++i) widest = std::max(widest, text::count_characters(lines.at(i)));
        EXPECT_EQ(widest, columns);
    }
    EXPECT_EQ(to_terminal(sample_history(), 1), to_terminal(sample_history(), 40));
}

TEST(HistoryTerminal, SaysWhatThePlotCannot) {
    const auto text = to_terminal(sample_history(), 80);
    EXPECT_THAT(text, HasSubstr("Last night      2026-08-30: 45.3 µs (44.8 µs to 46.3 µs, 3 launches), build 158.0a1"));
    EXPECT_THAT(text, HasSubstr("Spread          0.8 % from night to night"));
    EXPECT_THAT(text, HasSubstr("Smallest step   4.0 %"));
    EXPECT_THAT(text,
                HasSubstr("Step            +12.5 %, slower: 40.0 µs up to 2026-08-19, 45.0 µs from 2026-08-20 on"));
    EXPECT_THAT(text,
                HasSubstr("build 158.0a1 20260819093012 (8d76a2ba4c1f) to 158.0a1 20260820093012 (1f0e9d8c7b6a)"));
    EXPECT_THAT(text, HasSubstr("Missing         2: 2026-08-10, 2026-08-11"));
    EXPECT_THAT(text, HasSubstr("Not used        1: 2026-08-15 (partial)"));
    EXPECT_EQ(count(text, "○"), 2u) << "in the plot and in its legend";
}

TEST(HistoryTerminal, CutsLongLists) {
    auto history = sample_history();
    for (std::size_t day = 100; day < 200; ++day) history.missing.push_back(sample_date(day));
    history.steps.resize(30, history.steps.front());
    const auto text = to_terminal(history, 80);
    EXPECT_THAT(text, HasSubstr("Missing         102: ..., "));
    EXPECT_THAT(text, HasSubstr("Steps           22 earlier ones are not shown here"));
    EXPECT_EQ(count(text, "\nStep   "), 8u);
}

TEST(HostileText, IsNeitherMarkupNorCommand) {
    const auto history = hostile_history();
    const auto svg = to_svg(history);
    EXPECT_EQ(fault_of_xml(svg), "");
    EXPECT_TRUE(is_utf8(svg));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, Not(HasSubstr("\xEF\xBF\xBE")));
    for (const auto& text : {svg, to_terminal(history, 80)}) {
        EXPECT_THAT(text, Not(HasSubstr("\x1B")));
        EXPECT_THAT(text, Not(HasSubstr("\xC2\x9B")));
    }
    EXPECT_TRUE(is_utf8(to_terminal(history, 80)));
    EXPECT_TRUE(is_utf8(document::to_text(to_json(history))));
    EXPECT_EQ(count(to_csv(history), "\r\n"), 1u + history.nights.size());
    SeriesHistory formula = sample_history();
    formula.key.target = "=1+1";
    EXPECT_THAT(to_csv(formula), HasSubstr(",'=1+1,"));
}

}  // namespace
}  // namespace foxbench::history
