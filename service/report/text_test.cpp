#include "service/report/text.hpp"

#include <gtest/gtest.h>

#include "service/report/report_lines.hpp"

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
}

}  // namespace
}  // namespace foxbench::report
