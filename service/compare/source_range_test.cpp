#include "service/compare/source_range.hpp"

#include <gtest/gtest.h>

namespace foxbench::compare {
namespace {

document::Browser browser(const std::string& repository, const std::string& stamp) {
    document::Browser one;
    if (!repository.empty()) one.source_repository = repository;
    if (!stamp.empty()) one.source_stamp = stamp;
    return one;
}

constexpr const char* kFrom = "8d76a2ba4c0012345678";
constexpr const char* kTo = "ffeeddccbbaa00112233";

std::string address(const std::string& repository, const std::string& to = kTo) {
    const auto range = source_range(browser(repository, kFrom), browser(repository, to));
    return range ? range->address : "no range";
}

TEST(SourceRange, OfMozillasRepositoriesIsTheirPushlog) {
    EXPECT_EQ(address("https://hg.mozilla.org/mozilla-central"),
              "https://hg.mozilla.org/mozilla-central/pushloghtml?fromchange=8d76a2ba4c0012345678&tochange="
              "ffeeddccbbaa00112233");
    EXPECT_EQ(address("https://hg.mozilla.org/releases/mozilla-esr140/"),
              "https://hg.mozilla.org/releases/mozilla-esr140/"
              "pushloghtml?fromchange=8d76a2ba4c0012345678&tochange=ffeeddccbbaa00112233");
}

TEST(SourceRange, OnGitHubIsItsComparison) {
    EXPECT_EQ(address("https://github.com/mozilla-firefox/firefox.git"),
              "https://github.com/mozilla-firefox/firefox/compare/8d76a2ba4c0012345678...ffeeddccbbaa00112233");
}

TEST(SourceRange, ElsewhereHasNoAddress) {
    for (const char* repository : {"https://example.org/firefox", "https://hg.mozilla.org.example.org/x",
                                   "https://hg.mozilla.org/a?b=<script>", "https://github.com/", ""})
        EXPECT_EQ(address(repository), "") << repository;
}

TEST(SourceRange, PutsNothingButHashesIntoAnAddress) {
    for (const char* stamp : {"abc", "main", "8d76a2ba4c&x=1", "8d76a2ba4c\"><script>"})
        EXPECT_EQ(address("https://hg.mozilla.org/mozilla-central", stamp), "") << stamp;
}

TEST(SourceRange, IsOnlyThereWhereBothSayWhereTheyAreFrom) {
    const auto known = browser("https://hg.mozilla.org/mozilla-central", kFrom);
    EXPECT_FALSE(source_range(known, browser("https://hg.mozilla.org/mozilla-central", "")));
    EXPECT_FALSE(source_range(known, browser("https://hg.mozilla.org/try", kTo)));
    EXPECT_FALSE(source_range(known, known));
}

}  // namespace
}  // namespace foxbench::compare
