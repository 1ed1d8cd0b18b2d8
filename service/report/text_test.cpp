#include "service/report/text.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "service/report/report_lines.hpp"
#include "service/report/svg.hpp"

namespace foxbench::report {
namespace {

TEST(OneLine, TurnsBreaksIntoSpacesAndDropsControls) {
    EXPECT_EQ(one_line("a\nb\r\nc\rd"), "a b c d");
    EXPECT_EQ(one_line("a\n\nb"), "a  b");
    EXPECT_EQ(one_line("a\tb\x01"
                       "c\x7f"
                       "d\x1b[31m"),
              "abcd[31m");
    EXPECT_EQ(one_line("a\xC2\x9B"
                       "b \xC2\xA9 µ"),
              "ab \xC2\xA9 µ");
    EXPECT_EQ(one_line("a\u2028b\u2029c"), "a b c");
}

TEST(Markdown, EscapesWhatWouldBecomeHtmlOrAColumn) {
    EXPECT_EQ(markdown_text("<b> & a|b _x_ *y*"), "&lt;b&gt; &amp; a|b _x_ *y*");
    EXPECT_EQ(markdown_cell("<b> a|b"), "&lt;b&gt; a\\|b");
    EXPECT_EQ(markdown_code("a`b"), "a'b");
}

TEST(Markdown, KeepsABarBehindBackslashesInItsCell) {
    EXPECT_EQ(markdown_cell("a\\b"), "a\\b");
    EXPECT_EQ(markdown_cell("a\\|b"), "a\\\\\\|b") << "an even number of backslashes would leave the bar bare";
    for (const std::string text : {"a\\|b", "\\\\|", "a|b", "a\\b", "|", "\\|\\|", "a\\"}) {
        const std::string row = "| " + markdown_cell(text) + " | x |\n";
        EXPECT_EQ(ReportLines(row, "x").take_cells(), (std::vector<std::string>{text, "x"})) << row;
    }
}

TEST(Markdown, EscapingCanBeUndone) {
    const std::string text = "a <b> &amp; & c";
    EXPECT_EQ(unescaped(markdown_text(text)), text);
}

TEST(Html, EscapesForElementsAndAttributes) {
    EXPECT_EQ(html_text("<script>\"a\" & 'b'"), "&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;");
}

TEST(Csv, QuotesWhereItHasTo) {
    EXPECT_EQ(csv_cell("plain"), "plain");
    EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(csv_cell(""), "");
}

TEST(Csv, DisarmsFormulasButNotNumbers) {
    EXPECT_EQ(csv_cell("=1+2"), "'=1+2");
    EXPECT_EQ(csv_cell("@x"), "'@x");
    EXPECT_EQ(csv_cell("-x"), "'-x");
    EXPECT_EQ(csv_cell("+cmd,x"), "\"'+cmd,x\"");
    EXPECT_EQ(csv_cell("-2.5"), "-2.5");
    EXPECT_EQ(csv_cell("+3"), "+3");
    EXPECT_EQ(csv_cell("-"), "'-");
    EXPECT_EQ(csv_cell("\t=1+2"), "'\t=1+2");
    EXPECT_EQ(csv_cell("\r\n@x"), "\"'\r\n@x\"");
}

TEST(Csv, SteersNoTerminal) {
    EXPECT_EQ(csv_cell("a\x1b[31mb\x7f\u009b\ttab \u00a0"), "a[31mb\ttab \u00a0");
    EXPECT_EQ(csv_cell("\x01=1+2"), "'=1+2") << "what is left begins like a formula";
}

TEST(XmlText, HasOnlyWhatAnXmlReaderTakes) {
    EXPECT_EQ(xml_text("<a href='x'> & \"µ\" 🦊\n"), "&lt;a href=&#39;x&#39;&gt; &amp; &quot;µ&quot; 🦊 ");
    EXPECT_EQ(xml_text("a\xFF\x1B[31m\x01"), "a?[31m");
    EXPECT_EQ(xml_text("\xEF\xBF\xBE\xEF\xBF\xBF\xEF\xBF\xBD"), "??\xEF\xBF\xBD");
}

TEST(TerminalText, HasNothingThatATerminalObeys) {
    EXPECT_EQ(terminal_text("a\r\nb\x1B]0;title\x07\x9B"), "a b]0;title?");
    // Dropping the inner one must not leave an outer one.
    EXPECT_EQ(terminal_text("\xC2\xC2\x9B\x9B"), "?");
    EXPECT_EQ(terminal_text("µµµ", 5), "µµ...");
}

TEST(Px, HasOneDecimalWhateverIsAsked) {
    EXPECT_EQ(px(12.34), "12.3");
    EXPECT_EQ(px(-0.01), "0.0");
    EXPECT_EQ(px(std::numeric_limits<double>::quiet_NaN()), "0.0");
    EXPECT_EQ(px(1e300), "1000000000.0");
}

TEST(NumberFrom, ReadsWhatTablesPrint) {
    EXPECT_EQ(number_from("1,048,576"), 1048576);
    EXPECT_EQ(number_from("26.9"), 26.9);
    EXPECT_EQ(integer_from("2,000"), 2000);
    for (const char* text : {"", "-", "-1", "1,00", ",100", "1,,000", "1.", ".5", "1e5", "nan", "0x10", "1 000",
                             "1.2.3", "1000,000", "9999999999999999"}) {
        EXPECT_EQ(number_from(text), std::nullopt) << text;
    }
    EXPECT_EQ(integer_from("1.5"), std::nullopt);
}

TEST(IsText, RefusesWhatIsNoUtf8) {
    EXPECT_TRUE(is_text("µs – × 漢 🦊"));
    for (const char* bytes :
         {"\xFF", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xE2\x82"}) {
        EXPECT_FALSE(is_text(bytes));
    }
    EXPECT_FALSE(is_text(std::string_view("a\0b", 3)));
    for (const char* steering : {"\x1b[2J", "\u009b31m", "\x7f"}) EXPECT_FALSE(is_text(steering));
    EXPECT_TRUE(is_text("a\r\n\tb"));
}

}  // namespace
}  // namespace foxbench::report
