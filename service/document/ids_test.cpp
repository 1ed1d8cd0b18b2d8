#include "service/document/ids.hpp"

#include <set>

#include <gtest/gtest.h>

namespace foxbench::document {
namespace {

std::tm local_time() {
    std::tm time{};
    time.tm_year = 2026 - 1900;
    time.tm_mon = 9 - 1;
    time.tm_mday = 15;
    time.tm_hour = 22;
    time.tm_min = 13;
    return time;
}

TEST(RunId, AcceptsWhatTheGrammarDescribes) {
    for (const char* id : {"a", "2026-09-15_22-13-00-local-wal-full", "A.b_c-d", "0-", "x."})
        EXPECT_TRUE(is_run_id(id)) << id;
    EXPECT_TRUE(is_run_id(std::string(128, 'a')));
}

TEST(RunId, RefusesWhatCouldLeaveTheFolderOrBreakAUrl) {
    for (const char* id :
         {"", ".", "..", "-a", "_a", "a..b", "a/b", "/etc", "a b", "a\nb", "a%2e", "\xC3\xA4", "a:b", "a\\b"}) {
        EXPECT_FALSE(is_run_id(id)) << id;
    }
    EXPECT_FALSE(is_run_id(std::string(129, 'a')));
    EXPECT_FALSE(is_run_id(std::string_view("a\0b", 3)));
}

TEST(RunId, IsTheLocalTimeAndTheLabelsSlug) {
    EXPECT_EQ(make_id(local_time(), "local-wal-full"), "2026-09-15_22-13-00-local-wal-full");
    EXPECT_EQ(make_id(local_time()), "2026-09-15_22-13-00");
}

TEST(RunId, SlugHasADashForEachCharacterThatAnIdCannotHold) {
    EXPECT_EQ(slug("wal full/2"), "wal-full-2");
    EXPECT_EQ(slug("grün"), "gr-n");
    EXPECT_EQ(slug("a..b...c"), "a.-b.-.c");
    EXPECT_EQ(slug("../../etc"), ".--.--etc");
    EXPECT_EQ(slug(""), "");
}

TEST(RunId, MadeOfAnyLabelIsAnId) {
    for (const std::string& label : {std::string("..."), std::string("\n\t"), std::string(100, '.'),
                                     std::string(1000, 'x'), std::string("\xff\xfe"), std::string("名前")}) {
        EXPECT_TRUE(is_run_id(make_id(local_time(), label))) << label;
    }
}

TEST(RunId, GetsASuffixWhereItIsTaken) {
    std::set<std::string> ids;
    const auto taken = [&](const std::string& id) { return ids.contains(id); };
    for (const char* expected : {"run", "run-2", "run-3"}) {
        const std::string id = free_id("run", taken);
        EXPECT_EQ(id, expected);
        ids.insert(id);
    }
}

TEST(RunId, WithASuffixIsStillAnId) {
    const std::string longest(128, 'a');
    const std::string id = free_id(longest, [&](const std::string& candidate) { return candidate == longest; });
    EXPECT_EQ(id, longest.substr(2) + "-2");
    EXPECT_TRUE(is_run_id(id));
}

TEST(RunId, LatestIsNeverOne) {
    EXPECT_EQ(free_id("latest", [](const std::string&) { return false; }), "latest-2");
}

TEST(RunId, KnowsASuffixedOne) {
    EXPECT_TRUE(is_suffixed("run-2", "run"));
    EXPECT_TRUE(is_suffixed("run-10", "run"));
    for (const char* id : {"run", "run-", "run-1", "run-02", "run-x", "run-2x", "other-2", "run_2"}) {
        EXPECT_FALSE(is_suffixed(id, "run")) << id;
    }
}

}  // namespace
}  // namespace foxbench::document
