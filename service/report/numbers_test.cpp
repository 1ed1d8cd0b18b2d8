#include "service/report/numbers.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace foxbench::report {
namespace {

TEST(Decimal, SendsExactTiesAwayFromZero) {
    EXPECT_EQ(decimal(62.5, 0), "63");
    EXPECT_EQ(decimal(63.5, 0), "64");
    EXPECT_EQ(decimal(0.5, 0), "1");
    EXPECT_EQ(decimal(-2.5, 0), "-3");
    EXPECT_EQ(decimal(0.25, 1), "0.3");
    EXPECT_EQ(decimal(16.25, 1), "16.3");
    EXPECT_EQ(decimal(-16.25, 1), "-16.3");
}

TEST(Decimal, JudgesTheExactValueOfTheDouble) {
    EXPECT_EQ(decimal(0.05, 1), "0.1");    // 0.05000000000000000277...
    EXPECT_EQ(decimal(0.15, 1), "0.1");    // 0.14999999999999999444...
    EXPECT_EQ(decimal(1.005, 2), "1.00");  // 1.00499999999999989341...
    EXPECT_EQ(decimal(0.35, 1), "0.3");    // 0.34999999999999997779...
    EXPECT_EQ(decimal(0.49999999999999994, 0), "0");
}

TEST(Decimal, CarriesIntoNewDigits) {
    EXPECT_EQ(decimal(9.96, 1), "10.0");
    EXPECT_EQ(decimal(999.5, 0), "1000");
    EXPECT_EQ(decimal(99.95, 1), "100.0");  // 99.9500000000000028...
    EXPECT_EQ(decimal(0.96, 1), "1.0");
}

TEST(Decimal, HasNoNegativeZero) {
    EXPECT_EQ(decimal(-0.0, 1), "0.0");
    EXPECT_EQ(decimal(-0.04, 1), "0.0");
    EXPECT_EQ(decimal(-0.05, 1), "-0.1");
    EXPECT_EQ(decimal(-0.4, 0), "0");
}

TEST(Decimal, WritesTheLargestAndTheSmallest) {
    EXPECT_EQ(decimal(1e22, 0), "10000000000000000000000");
    EXPECT_EQ(decimal(std::numeric_limits<double>::max(), 1).size(), 311u);
    EXPECT_EQ(decimal(std::numeric_limits<double>::denorm_min(), 3), "0.000");
}

TEST(Decimal, WritesADashForWhatIsNoNumber) {
    EXPECT_EQ(decimal(std::numeric_limits<double>::quiet_NaN(), 1), "–");
    EXPECT_EQ(integer(std::numeric_limits<double>::infinity()), "–");
}

TEST(Integer, HasCommasBetweenThousands) {
    EXPECT_EQ(integer(std::int64_t{0}), "0");
    EXPECT_EQ(integer(std::int64_t{999}), "999");
    EXPECT_EQ(integer(std::int64_t{1000}), "1,000");
    EXPECT_EQ(integer(std::int64_t{1048576}), "1,048,576");
    EXPECT_EQ(integer(std::int64_t{-123456}), "-123,456");
    EXPECT_EQ(integer(999.5), "1,000");
    EXPECT_EQ(integer(999.4), "999");
    EXPECT_EQ(integer(62.5), "63");
}

TEST(Cost, ChoosesUnitAndDecimalsBeforeRounding) {
    EXPECT_EQ(cost(40.03), "40.0 µs");
    EXPECT_EQ(cost(99.95), "100.0 µs");
    EXPECT_EQ(cost(100), "100 µs");
    EXPECT_EQ(cost(182.5), "183 µs");
    EXPECT_EQ(cost(9999.5), "10000 µs");
    EXPECT_EQ(cost(10000), "10.0 ms");
    EXPECT_EQ(cost(16150.5), "16.2 ms");
    EXPECT_EQ(cost(0), "0.0 µs");
}

TEST(Total, ChoosesUnitBeforeRounding) {
    EXPECT_EQ(total(80.06), "80.1 ms");
    EXPECT_EQ(total(999.95), "1000.0 ms");  // 999.95000000000004547...
    EXPECT_EQ(total(1000), "1.0 s");
    EXPECT_EQ(total(10542.06), "10.5 s");
}

TEST(Ratio, HasNoDecimalFromAHundredOn) {
    EXPECT_EQ(ratio(4.25), "4.3×");
    EXPECT_EQ(ratio(99.99), "100.0×");
    EXPECT_EQ(ratio(100), "100×");
    EXPECT_EQ(ratio(113.5), "114×");
}

TEST(Resolution, HasNoDecimalFromTenOn) {
    EXPECT_EQ(resolution(20), "20 µs");
    EXPECT_EQ(resolution(9.96), "10.0 µs");
    EXPECT_EQ(resolution(5), "5.0 µs");
    EXPECT_EQ(resolution(0.1), "0.1 µs");
}

TEST(Bytes, AreWrittenInTheirUnits) {
    EXPECT_EQ(megabytes(8'192'000), "8.2");
    EXPECT_EQ(megabytes(81'920'000), "82");
    EXPECT_EQ(gigabytes(65e9), "65");
    EXPECT_EQ(gigabytes(16.5e9), "17");
    EXPECT_EQ(size_in_words(1048576), "1 MiB");
    EXPECT_EQ(size_in_words(65536), "64 KiB");
    EXPECT_EQ(size_in_words(1536 * 1024), "1536 KiB");
    EXPECT_EQ(size_in_words(4096), "4 KiB");
    EXPECT_EQ(size_in_words(1000), "1000 B");
    EXPECT_EQ(size_in_words(1), "1 B");
}

TEST(InFull, IsTheShortestTextWithoutExponent) {
    EXPECT_EQ(in_full(40.03), "40.03");
    EXPECT_EQ(in_full(1e6), "1000000");
    EXPECT_EQ(in_full(1e-7), "0.0000001");
    EXPECT_EQ(in_full(0.1 + 0.2), "0.30000000000000004");
    EXPECT_EQ(in_full(std::numeric_limits<double>::infinity()), "");
}

TEST(Percent, HasASignOnlyWhereItSaysMoreThanZero) {
    EXPECT_EQ(percent(0.1025), "10.3 %");
    EXPECT_EQ(percent(1.5), "150 %");
    EXPECT_EQ(signed_percent(0.102), "+10.2 %");
    EXPECT_EQ(signed_percent(-0.03), "-3.0 %");
    EXPECT_EQ(signed_percent(0.0001), "0.0 %");
    EXPECT_EQ(signed_percent(-0.0001), "0.0 %");
}

}  // namespace
}  // namespace foxbench::report
