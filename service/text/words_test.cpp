#include "service/text/words.hpp"

#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::text {
namespace {

TEST(Sizes, AreBytesOrBinaryUnits) {
    EXPECT_EQ(parse_size("4096"), 4096);
    EXPECT_EQ(parse_size("1B"), 1);
    EXPECT_EQ(parse_size("64KiB"), 65536);
    EXPECT_EQ(parse_size(" 1 MiB "), 1048576);
    EXPECT_EQ(parse_size("2GiB"), std::int64_t{2} << 30);
}

TEST(Sizes, RefuseWhatCouldMeanTwoThings) {
    for (const char* word : {"", " ", "KiB", "64KB", "64k", "1.5MiB", "-1", "+1", "0x10", "1e3", "64KiBx",
                             "9007199254740993", "9007199254740992KiB", "1 2"}) {
        EXPECT_THROW((void)parse_size(word), Error) << word;
    }
}

TEST(Sizes, ReadAsTheLargestExactUnit) {
    EXPECT_EQ(format_size(1048576), "1 MiB");
    EXPECT_EQ(format_size(65536), "64 KiB");
    EXPECT_EQ(format_size(1000), "1000 B");
    EXPECT_EQ(format_size(0), "0 B");
    EXPECT_EQ(format_size(1536), "1536 B");
}

TEST(Durations, HaveAUnit) {
    EXPECT_EQ(parse_duration("500ms").count(), 500);
    EXPECT_EQ(parse_duration("30s").count(), 30'000);
    EXPECT_EQ(parse_duration("30min").count(), 1'800'000);
    EXPECT_EQ(parse_duration("4h").count(), 14'400'000);
    EXPECT_EQ(parse_duration("2y").count(), 2LL * 365 * 86'400'000);
    for (const char* word : {"", "5", "5m", "-5s", "1.5h", "s", "9007199254740992y"})
        EXPECT_THROW((void)parse_duration(word), Error) << word;
}

TEST(Counts, AreDigitsAlone) {
    EXPECT_EQ(parse_count("2000"), 2000);
    for (const char* word : {"", "2k", "2,000", "-1", "1.0", "99999999999999999999"})
        EXPECT_THROW((void)parse_count(word), Error) << word;
}

TEST(Lists, AreSplitAtCommas) {
    EXPECT_EQ(split_list("a, b,c"), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(split_list("a,,b"), (std::vector<std::string>{"a", "", "b"}));
    EXPECT_TRUE(split_list("  ").empty());
}

TEST(Suggestions, NameTheNearestWordOrAllOfThem) {
    const std::vector<std::string> known{"quick", "full"};
    EXPECT_EQ(nearest("quikc", known), "quick");
    EXPECT_EQ(nearest("fulll", known), "full");
    EXPECT_EQ(nearest("elephant", known), std::nullopt);
    EXPECT_EQ(suggestion("quick!", known), " Did you mean 'quick'?");
    EXPECT_EQ(suggestion("x", known), " Known: quick, full.");
}

TEST(ControlCharacters, AreThoseOfBothSetsAndDel) {
    for (const char* clean : {"", "plain", "µs – 漢 🦊", "\u00a0", "\u00ff"})
        EXPECT_FALSE(has_control_characters(clean)) << clean;
    for (const char* unclean : {"\x1b[31m", "a\x7f", "\u0080", "a\u009b31m", "\x01", "a\nb", "a\tb", "\r"})
        EXPECT_TRUE(has_control_characters(unclean)) << unclean;
    EXPECT_TRUE(has_control_characters(std::string_view("a\0b", 3)));
    EXPECT_FALSE(has_control_characters("a\r\n\tb", true));
    EXPECT_TRUE(has_control_characters("a\n\x1b", true));
}

}  // namespace
}  // namespace foxbench::text
