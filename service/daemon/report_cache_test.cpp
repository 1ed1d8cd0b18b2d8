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
    cache.keep("run", "report.md", one);
    EXPECT_EQ(cache.find("run", "report.md"), one);
    EXPECT_EQ(cache.find("run", "report.csv"), nullptr);
    EXPECT_EQ(cache.find("other", "report.md"), nullptr);
}

TEST(ReportCache, DropsWhatWasAskedForLongestAgo) {
    ReportCache cache(100);
    for (const char* run : {"a", "b", "c", "d"}) cache.keep(run, "md", report(25));
    EXPECT_NE(cache.find("a", "md"), nullptr);
    cache.keep("e", "md", report(25));
    EXPECT_EQ(cache.find("b", "md"), nullptr);
    EXPECT_NE(cache.find("a", "md"), nullptr);
}

TEST(ReportCache, DoesNotLetOneReportTakeEverything) {
    ReportCache cache(100);
    cache.keep("small", "md", report(25));
    cache.keep("large", "md", report(26));
    EXPECT_EQ(cache.find("large", "md"), nullptr);
    EXPECT_NE(cache.find("small", "md"), nullptr);
}

TEST(ReportCache, ForgetsARunWhole) {
    ReportCache cache;
    cache.keep("run", "md", report(1));
    cache.keep("run", "csv", report(1));
    cache.keep("run-2", "md", report(1));
    cache.forget("run");
    EXPECT_EQ(cache.find("run", "md"), nullptr);
    EXPECT_EQ(cache.find("run", "csv"), nullptr);
    EXPECT_NE(cache.find("run-2", "md"), nullptr);
}

TEST(ReportCache, KeepsTheNewerOfTwo) {
    ReportCache cache(100);
    for (int i = 0; i < 50; ++i) cache.keep("run", "md", report(20));
    EXPECT_NE(cache.find("run", "md"), nullptr);
    cache.keep("other", "md", report(20));
    EXPECT_NE(cache.find("run", "md"), nullptr);
}

}  // namespace
}  // namespace foxbench::daemon
