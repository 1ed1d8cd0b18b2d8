#include "service/compare/wording.hpp"

#include <gmock/gmock.h>

#include "service/compare/interval_plot.hpp"
#include "service/compare/sample_comparisons.hpp"

namespace foxbench::compare {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

TEST(Wording, OfShifts) {
    stats::Shift of;
    EXPECT_EQ(shift(of), "–");
    of.raw = -0.004;
    EXPECT_EQ(shift(of), "-0.004 µs");
    of.relative = 0.05;
    EXPECT_EQ(shift(of), "+5.0 %");
    of.relative_interval = stats::Interval{-0.01, 0.11};
    EXPECT_EQ(shift(of), "+5.0 % (-1.0 % to +11.0 %)");
}

TEST(Wording, OfPAndDelta) {
    EXPECT_EQ(p_value(0.0079), "0.008");
    EXPECT_EQ(p_value(0.001), "0.001");
    EXPECT_EQ(p_value(0.00099), "< 0.001");
    EXPECT_EQ(delta(-0.4), "-0.40 (medium)");
    EXPECT_EQ(delta(0), "0.00 (negligible)");
}

TEST(Wording, OfFilters) {
    EXPECT_EQ(quantity(std::nullopt, "%"), "–");
    EXPECT_EQ(quantity(5, "launches"), "5 launches");
    EXPECT_EQ(quantity(0.0079, ""), "0.008");
    EXPECT_EQ(quantity(12.345, "%"), "12.35 %");
}

TEST(Headline, BeginsWithWhatComesOfAll) {
    EXPECT_EQ(headline({}), "nothing to compare");
    auto comparison = sample_comparison();
    EXPECT_EQ(headline({comparison}), "slower in 1 of 4 series (1 faster, 1 same, 1 cannot tell)");
    comparison.rows.erase(comparison.rows.begin());
    EXPECT_EQ(headline({comparison}), "cannot tell in 1 of 3 series (1 faster, 1 same)");
    comparison.rows = {comparison.rows.front()};
    EXPECT_EQ(headline({comparison}), "same in 1 of 1 series");
}

TEST(Unclear, NamesTheLaunchesThatItNeeds) {
    auto comparison = sample_comparison();
    EXPECT_THAT(unclear_lines(comparison),
                ElementsAre("append+flush: the interval, -118.8 % to 131.3 %, holds no change; it needs about 14 "
                            "launches a side (it has 5 and 5)."));
    comparison.rows[2].verdict.launches_needed.reset();
    comparison.rows[2].verdict.reason.clear();
    EXPECT_THAT(unclear_lines(comparison), ElementsAre("append+flush; more launches alone may not settle it."));
}

TEST(Notes, SayWhichFiguresAreOfPasses) {
    auto comparison = sample_comparison();
    comparison.only_base.clear();
    EXPECT_THAT(notes(comparison), IsEmpty());
    comparison.rows[1].verdict.of_passes = true;
    EXPECT_THAT(notes(comparison), ElementsAre(HasSubstr("the figures of small-overwrite are of passes")));
    for (auto& row : comparison.rows) row.verdict.of_passes = true;
    EXPECT_THAT(notes(comparison), ElementsAre(HasSubstr("the figures are of passes")));
}

TEST(Commands, AskForAsManyLaunchesAsAreNeeded) {
    EXPECT_THAT(commands(sample_comparison()),
                ElementsAre(Pair("Compare again", HasSubstr("nightly:base 2026-09-16_05-13-01-nightly:patched")),
                            Pair(HasSubstr("Measure"), "foxbench run --targets base,patched --launches 14")));
}

TEST(Commands, AreQuotedForAShell) {
    auto comparison = bare_comparison();
    comparison.next.run = "r2";
    comparison.next.target = "a b's $(rm)";
    EXPECT_THAT(commands(comparison),
                ElementsAre(Pair("Compare again", "foxbench compare r1:nightly 'r2:a b'\\''s $(rm)'"),
                            Pair(HasSubstr("base"), "foxbench run --targets nightly --launches 5"),
                            Pair(HasSubstr("new"), "foxbench run --targets 'a b'\\''s $(rm)' --launches 5")));
}

std::vector<const SeriesRow*> pointers(const std::vector<SeriesRow>& rows) {
    std::vector<const SeriesRow*> all;
    for (const auto& row : rows) all.push_back(&row);
    return all;
}

TEST(IntervalPlot, ReachesAsFarAsItsRowsButNotBeyondAll) {
    auto comparison = sample_comparison();
    EXPECT_DOUBLE_EQ(IntervalPlot(pointers(comparison.rows)).reach(), 1.0);
    comparison.rows.erase(comparison.rows.begin() + 2);
    EXPECT_DOUBLE_EQ(IntervalPlot(pointers(comparison.rows)).reach(), 0.5);
    EXPECT_DOUBLE_EQ(IntervalPlot({}).reach(), 0.05);
}

TEST(IntervalPlot, MarksAnEndThatGoesOnByATriangle) {
    const auto rows = sample_comparison().rows;
    const IntervalPlot plot(pointers(rows));
    EXPECT_THAT(plot.of(rows[0]), Not(HasSubstr("Z\"/>")));
    EXPECT_THAT(plot.of(rows[2]), HasSubstr("Z\"/>"));
    EXPECT_THAT(plot.of(rows[2]), HasSubstr("<g class=\"unclear\">"));
}

TEST(IntervalPlot, OfARowWithoutShareIsEmpty) {
    const auto rows = bare_comparison().rows;
    EXPECT_EQ(IntervalPlot(pointers(rows)).of(rows[1]), "");
}

}  // namespace
}  // namespace foxbench::compare
