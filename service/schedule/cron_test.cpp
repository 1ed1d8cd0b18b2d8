#include "service/schedule/cron.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::schedule {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// The message with which an expression is refused; empty where it is taken.
std::string refusal(const std::string& text) {
    try {
        (void)CronExpression::parse(text);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        return error.what();
    }
    return {};
}

TEST(CronExpressions, KeepTheirText) {
    EXPECT_EQ(CronExpression::parse(" 0\t2 * * MON ").text(), " 0\t2 * * MON ");
    EXPECT_EQ(CronExpression::parse("@Nightly").text(), "@Nightly");
}

TEST(CronExpressions, AreRefusedWithFieldColumnAndExample) {
    struct Fault {
        const char* text;
        const char* where;
        const char* what;
    };
    for (const auto& [text, where, what] : {
             Fault{"60 * * * *", "minute (column 1)", "'60' is not from 0 to 59"},
             Fault{"0 24 * * *", "hour (column 3)", "'24' is not from 0 to 23"},
             Fault{"0  2,25 * * *", "hour (column 6)", "'25' is not from 0 to 23"},
             Fault{"0 2 0 * *", "day of month (column 5)", "'0' is not from 1 to 31"},
             Fault{"0 2 32 * *", "day of month (column 5)", "'32' is not from 1 to 31"},
             Fault{"0 2 * 13 *", "month (column 7)", "'13' is not from 1 to 12"},
             Fault{"0 2 * jam *", "month (column 7)", "did you mean 'jan'?"},
             Fault{"0 2 * * 8", "day of week (column 9)", "'8' is not from 0 to 7"},
             Fault{"0 2 * * moon", "day of week (column 9)", "did you mean 'mon'?"},
             Fault{"0 2 * * fri-mon", "day of week (column 9)", "runs backwards"},
             Fault{"0 22-2 * * *", "hour (column 3)", "'22-23,0-2'"},
             Fault{"5/10 * * * *", "minute (column 1)", "write '5-59/10'"},
             Fault{"*/0 * * * *", "minute (column 3)", "'0' is no step from 1 to 59"},
             Fault{"*/60 * * * *", "minute (column 3)", "'60' is no step from 1 to 59"},
             Fault{"*/ * * * *", "minute (column 3)", "'' is no step from 1 to 59"},
             Fault{"0-30/x * * * *", "minute (column 6)", "'x' is no step"},
             Fault{"1,,2 * * * *", "minute (column 3)", "'' is no value"},
             Fault{"1, * * * *", "minute (column 3)", "'' is no value"},
             Fault{"1- * * * *", "minute (column 3)", "'' is no value"},
             Fault{"-5 * * * *", "minute (column 1)", "'' is no value"},
             Fault{"+5 * * * *", "minute (column 1)", "'+5' is no number"},
             Fault{"1-2-3 * * * *", "minute (column 3)", "'2-3' is no number"},
             Fault{"** * * * *", "minute (column 1)", "'**' is no number"},
             Fault{"? * * * *", "minute (column 1)", "'?' is no number"},
             Fault{"0 2 L * *", "day of month (column 5)", "'L' is no number"},
             Fault{"0 2 * * mon#1", "day of week (column 9)", "'mon#1' is no number"},
             Fault{"99999999999999999999 * * * *", "minute (column 1)", "is not from 0 to 59"},
         }) {
        EXPECT_THAT(refusal(text), AllOf(HasSubstr(where), HasSubstr(what), HasSubstr("for example"))) << text;
    }
}

TEST(CronExpressions, HaveFiveFields) {
    for (const char* text : {"", "   ", "0 2 * *", "0 0 2 * * *", "0 2 * * * 2024"})
        EXPECT_THAT(refusal(text), AllOf(HasSubstr("five"), HasSubstr("'0 2 * * *' is daily at 02:00"))) << text;
    EXPECT_THAT(refusal("@daily *"), HasSubstr("has 2 fields"));
    EXPECT_THAT(refusal("@dialy"), HasSubstr("Did you mean '@daily'?"));
    EXPECT_THAT(refusal("@reboot"), HasSubstr("@nightly"));
}

TEST(CronExpressions, ThatNeverFireAreRefused) {
    for (const char* text : {"0 0 31 2 *", "0 0 30 feb *", "0 0 31 4,6,9,11 *", "0 0 31 2 */2", "0 0 30-31 2 *"})
        EXPECT_THAT(refusal(text), AllOf(HasSubstr("never fires"), HasSubstr("column 5"), HasSubstr("for example")))
            << text;
    for (const char* text : {"0 0 29 2 *", "0 0 31 2,3 *", "0 0 31 2 mon", "0 0 */31 2 *"})
        EXPECT_EQ(refusal(text), "") << text;
}

TEST(CronExpressions, AreRefusedOnOneLineOfBoundedLength) {
    EXPECT_THAT(refusal("0 2 * *\n*"), Not(HasSubstr("\n")));
    EXPECT_THAT(refusal("0 2 \x1b[31m * *"), Not(HasSubstr("\x1b")));
    EXPECT_THAT(refusal("0 2 \xc3\xa4 * *"), HasSubstr("'?\?' is no number"));
    EXPECT_LT(refusal(std::string(100'000, '9') + " * * * *").size(), 500U);
    EXPECT_LT(refusal("0 2 * * " + std::string(100'000, 'x')).size(), 500U);
    EXPECT_LT(refusal("@" + std::string(100'000, 'x')).size(), 500U);
}

TEST(CronExpressions, GoByElapsedTimeWhereTheHourIsOpen) {
    for (const char* text :
         {"*/15 * * * *", "0 * * * *", "0 */2 * * *", "@hourly", "0 0-23 * * *", "0 0-11,12-23 * * *"})
        EXPECT_TRUE(CronExpression::parse(text).goes_by_elapsed_time()) << text;
    for (const char* text : {"* 2 * * *", "0 2 * * *", "0 0-22 * * *", "0 0-23/2 * * *", "@daily"})
        EXPECT_FALSE(CronExpression::parse(text).goes_by_elapsed_time()) << text;
}

TEST(CronExpressions, MatchWholeMinutesFromTheFirstToBeforeTheLast) {
    using namespace std::chrono;
    const auto cron = CronExpression::parse("30 2 * * *");
    const WallTime match = local_days(2024y / 2 / 29) + 2h + 30min;
    EXPECT_EQ(cron.first_match(match, match + 1s), match);
    EXPECT_EQ(cron.first_match(match - 59s, match + 1s), match);
    EXPECT_EQ(cron.first_match(match - 24h + 1s, match + 1h), match);
    EXPECT_EQ(cron.first_match(match - 1h, match), std::nullopt);
    EXPECT_EQ(cron.first_match(match + 1s, match + 24h), std::nullopt);
    EXPECT_EQ(cron.first_match(match, match - 24h), std::nullopt);
}

}  // namespace
}  // namespace foxbench::schedule
