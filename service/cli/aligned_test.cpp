#include "service/cli/aligned.hpp"

#include <gtest/gtest.h>

namespace foxbench::cli {
namespace {

TEST(Aligned, CountsCharactersNotBytes) {
    EXPECT_EQ(display_width("µs – ×"), 6u);
}

TEST(Aligned, PadsColumnsButNotTheEndsOfLines) {
    EXPECT_EQ(align_columns({{"RUN", "STATE"}, {"a-long-id", "ok"}, {"b", ""}}),
              "RUN        STATE\na-long-id  ok\nb\n");
}

TEST(Aligned, PadsMarkdownTablesAndLeavesTheRest) {
    EXPECT_EQ(align_markdown_tables(
                  "# Title\n\n| Workload | µs/call |\n|---|---:|\n| small-append | 40.0 µs |\n| a\\|b | 5 |\n\ntext\n"),
              "# Title\n\n"
              "| Workload     | µs/call |\n"
              "| ------------ | ------: |\n"
              "| small-append | 40.0 µs |\n"
              "| a\\|b         |       5 |\n"
              "\ntext\n");
}

TEST(Aligned, LeavesBarsAloneThatAreNoTable) {
    EXPECT_EQ(align_markdown_tables("| one line\nand text"), "| one line\nand text");
    EXPECT_EQ(align_markdown_tables(""), "");
}

}  // namespace
}  // namespace foxbench::cli
