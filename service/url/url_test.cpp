#include "service/url/url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"

namespace foxbench::url {
namespace {

TEST(Urls, AreTakenApart) {
    const auto url = parse_url("https://Lab-3.Example:8443/hook/a%20b?x=1&y=2");
    EXPECT_TRUE(url.tls);
    EXPECT_EQ(url.host, "lab-3.example");
    EXPECT_EQ(url.port, 8443);
    EXPECT_EQ(url.target, "/hook/a%20b?x=1&y=2");
    EXPECT_EQ(url.host_header(), "lab-3.example:8443");
    EXPECT_EQ(url.origin(), "https://lab-3.example:8443");
}

TEST(Urls, HaveTheirSchemesPort) {
    EXPECT_EQ(parse_url("http://a").port, 80);
    EXPECT_EQ(parse_url("HTTPS://a").port, 443);
    EXPECT_EQ(parse_url("http://a").target, "/");
    EXPECT_EQ(parse_url("http://a?x").target, "/?x");
    EXPECT_EQ(parse_url("https://a:443/").host_header(), "a");
    EXPECT_EQ(parse_url("http://a:443/").host_header(), "a:443");
}

TEST(Urls, MayHaveAddressesForHosts) {
    EXPECT_EQ(parse_url("http://127.0.0.1:9000/hook").host, "127.0.0.1");
    const auto url = parse_url("http://[::1]:9000/hook");
    EXPECT_EQ(url.host, "::1");
    EXPECT_EQ(url.host_header(), "[::1]:9000");
}

TEST(Urls, RefuseWhatIsNoneOrAmbiguous) {
    for (const char* text : {"",
                             "a",
                             "a.example/hook",
                             "//a",
                             "ftp://a",
                             "file:///etc/passwd",
                             "http:a",
                             "http://",
                             "http:///x",
                             "http://:80",
                             "http://a:",
                             "http://a:0",
                             "http://a:65536",
                             "http://a:80x",
                             "http://a:+80",
                             "http://a b/",
                             "http://a/\n",
                             "http://a/x\r\nHost: b",
                             "http://a/#x",
                             "http://a\\b",
                             "http://a/{x}",
                             "http://a/%",
                             "http://a/%g0",
                             "http://a/%4",
                             "http://.a",
                             "http://a..b",
                             "http://a,b",
                             "http://127.1",
                             "http://2130706433",
                             "http://0x7f.1",
                             "http://1.2.3.4.5",
                             "http://256.1.1.1",
                             "http://01.2.3.4",
                             "http://[::1",
                             "http://[::1]x",
                             "http://[]",
                             "http://[1.2.3.4]",
                             "http://::1/",
                             "http://h\xc3\xb6st/"}) {
        EXPECT_THROW((void)parse_url(text), Error) << text;
    }
    EXPECT_THROW((void)parse_url("http://a/" + std::string(2'000, 'x')), Error);
}

TEST(Urls, NeverRepeatAPassword) {
    try {
        (void)parse_url("https://user:hunter2@a.example/hook");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::usage);
        EXPECT_THAT(error.what(), ::testing::Not(::testing::HasSubstr("hunter2")));
    }
    EXPECT_EQ(parse_url("http://a/@x").target, "/@x");
}

TEST(Urls, FaultsNameTheUrlAndWhatIsWrong) {
    try {
        (void)parse_url("lab-3:9000/hook");
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "'lab-3:9000/hook' is no URL that can be used: it has to begin with http:// or https://");
    }
}

TEST(PercentEncoding, LeavesTheUnreservedAlone) {
    EXPECT_EQ(percent_encoded("aZ09-._~"), "aZ09-._~");
    EXPECT_EQ(percent_encoded("a b/c?d=e&f%\xc3\xa9"), "a%20b%2Fc%3Fd%3De%26f%25%C3%A9");
}

}  // namespace
}  // namespace foxbench::url
