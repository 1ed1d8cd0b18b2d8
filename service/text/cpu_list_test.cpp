#include "service/text/cpu_list.hpp"

#include <gmock/gmock.h>

#include "service/error.hpp"

namespace foxbench::text {
namespace {

using testing::ElementsAre;

TEST(CpuList, HasNumbersAndRanges) {
    EXPECT_THAT(parse_cpu_list("0"), ElementsAre(0));
    EXPECT_THAT(parse_cpu_list("0-1,3"), ElementsAre(0, 1, 3));
    EXPECT_THAT(parse_cpu_list("3, 0-1, 1"), ElementsAre(0, 1, 3));
    EXPECT_THAT(parse_cpu_list("1023"), ElementsAre(1023));
}

TEST(CpuList, IsWrittenAsShortAsItCanBe) {
    EXPECT_EQ(format_cpu_list({0, 1, 3}), "0-1,3");
    EXPECT_EQ(format_cpu_list({2}), "2");
    EXPECT_EQ(format_cpu_list({0, 2, 3, 4, 7}), "0,2-4,7");
    EXPECT_EQ(format_cpu_list(parse_cpu_list("5,4,3,0-2")), "0-5");
}

TEST(CpuList, ThatIsNoneIsRefused) {
    for (const char* list : {"", " ", ",", "0,", "a", "-1", "1-", "-", "3-1", "1024", "0-1024", "0--1", "+1", "0x1",
                             "99999999999", "1 2"}) {
        EXPECT_THROW((void)parse_cpu_list(list), Error) << list;
    }
    try {
        (void)parse_cpu_list("2-1");
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "'2-1' is no list of processors: expected numbers of 0 to 1023 and ranges, such as 0-1,3");
    }
}

}  // namespace
}  // namespace foxbench::text
