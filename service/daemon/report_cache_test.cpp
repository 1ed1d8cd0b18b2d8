#include "service/daemon/report_cache.hpp"

#include <gtest/gtest.h>

namespace foxbench::daemon {
namespace {

std::shared_ptr<const RenderedReport> report(std::size_t bytes) {
    auto made = std::make_shared<RenderedReport>();
    made->body = std::string(bytes, 'x');
    return made;
}

TEST(ReportCache, GivesWhatItWasGiven) {
    ReportCache cache;
    const auto one = report(10);
    cache.keep("run", 1, "report.md", one);
    EXPECT_EQ(cache.find("run", 1, "report.md"), one);
    EXPECT_EQ(cache.find("run", 1, "report.csv"), nullptr);
    EXPECT_EQ(cache.find("other", 1, "report.md"), nullptr);
}

TEST(ReportCache, DropsWhatWasAskedForLongestAgo) {
    ReportCache cache(100);
    for (const char* run : {"a", "b", "c", "d"}) cache.keep(run, 1, "md", report(25));
    EXPECT_NE(cache.find("a", 1, "md"), nullptr);
    cache.keep("e", 1, "md", report(25));
    EXPECT_EQ(cache.find("b", 1, "md"), nullptr);
    EXPECT_NE(cache.find("a", 1, "md"), nullptr);
}

TEST(ReportCache, DoesNotLetOneReportTakeEverything) {
    ReportCache cache(100);
    cache.keep("small", 1, "md", report(25));
    cache.keep("large", 1, "md", report(26));
    EXPECT_EQ(cache.find("large", 1, "md"), nullptr);
    EXPECT_NE(cache.find("small", 1, "md"), nullptr);
}

TEST(ReportCache, GivesNothingOfAnotherRevision) {
    ReportCache cache(100);
    cache.keep("run", 1, "md", report(20));
    EXPECT_EQ(cache.find("run", 2, "md"), nullptr);
    EXPECT_EQ(cache.find("run", 1, "md"), nullptr) << "a run does not go back";
    const auto newer = report(20);
    cache.keep("run", 2, "md", newer);
    EXPECT_EQ(cache.find("run", 2, "md"), newer);
}

TEST(ReportCache, KeepsTheNewerOfTwo) {
    ReportCache cache(100);
    for (int i = 0; i < 50; ++i) cache.keep("run", 1, "md", report(20));
    EXPECT_NE(cache.find("run", 1, "md"), nullptr);
    cache.keep("other", 1, "md", report(20));
    EXPECT_NE(cache.find("run", 1, "md"), nullptr);
}

}  // namespace
}  // namespace foxbench::daemon
