#include "service/document/utc_time.hpp"

#include <gtest/gtest.h>

namespace foxbench::document {
namespace {

TEST(UtcTime, IsReadAndWritten) {
    EXPECT_EQ(utc_milliseconds("2026-09-16T05:13:01.982Z"), 1789535581982);
    EXPECT_EQ(utc_text(1789535581982), "2026-09-16T05:13:01.982Z");
    EXPECT_EQ(utc_text(0), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(utc_text(-1), "1969-12-31T23:59:59.999Z");
}

TEST(UtcTime, IsReadInItsOtherForms) {
    const auto expected = utc_milliseconds("2026-09-16T05:13:01.900Z");
    EXPECT_EQ(utc_milliseconds("2026-09-16T05:13:01.9Z"), expected);
    EXPECT_EQ(utc_milliseconds("2026-09-16T07:13:01.900+02:00"), expected);
    EXPECT_EQ(utc_milliseconds("2026-09-15T22:13:01.900000-0700"), expected);
    EXPECT_EQ(utc_milliseconds("2026-09-16"), utc_milliseconds("2026-09-16T00:00:00Z"));
    EXPECT_EQ(utc_milliseconds("2024-02-29T00:00:00Z"), 1709164800000);
}

TEST(UtcTime, RefusesWhatIsNone) {
    for (const char* text :
         {"", "today", "2026", "2026-13-01", "2025-02-29", "2026-09-16T", "2026-09-16T05:13", "2026-09-16T24:00:00Z",
          "2026-09-16T05:13:01.982", "2026-09-16T05:13:01.Z", "2026-09-16T05:13:01Zx", "2026-9-16"}) {
        EXPECT_EQ(utc_milliseconds(text), std::nullopt) << text;
    }
}

TEST(UtcTime, OutsideFourDigitYearsIsTheNearestWithin) {
    EXPECT_EQ(utc_text(INT64_MAX), "9999-12-31T23:59:59.999Z");
    EXPECT_EQ(utc_text(INT64_MIN), "0000-01-01T00:00:00.000Z");
}

}  // namespace
}  // namespace foxbench::document
