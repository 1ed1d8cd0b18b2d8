// The pure parts that read a request's texts: lists, targets, negotiation, conditions, compression.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "service/http/ascii.hpp"
#include "service/http/compression.hpp"
#include "service/http/conditional.hpp"
#include "service/http/limits.hpp"
#include "service/http/negotiation.hpp"
#include "service/http/problem.hpp"
#include "service/http/target.hpp"

namespace foxbench::http {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

/// The status with which `action` is refused; 0 where it is not.
template <class Action>
unsigned status_of_refusal(Action action) {
    try {
        action();
    } catch (const Problem& problem) {
        return problem.status;
    }
    return 0;
}

std::string unpacked(const std::string& packed, std::size_t bytes) {
    std::string text(bytes + 1, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

TEST(ListItems, AreSplitOutsideOfQuotesAndTrimmed) {
    EXPECT_THAT(list_items(" a , b,,c "), ElementsAre("a", "b", "c"));
    EXPECT_THAT(list_items(R"("a,b", "c\",d", e)"), ElementsAre(R"("a,b")", R"("c\",d")", "e"));
    EXPECT_THAT(list_items(""), ElementsAre());
    EXPECT_THAT(list_items("\"open, x\\"), ElementsAre("\"open, x\\"));
}

TEST(Utf8, IsWhatRfc3629Allows) {
    for (const auto* good : {"", "abc", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\x8a", "\xf4\x8f\xbf\xbf"})
        EXPECT_TRUE(is_utf8(good)) << good;
    for (const auto* bad : {"\x80", "\xc3", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff",
                            "\xe2\x82", "a\xf0\x9f\xa6"})
        EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(Target, IsTakenApart) {
    const auto target = parse_target("/v1/runs?limit=5&label=a%20b");
    EXPECT_EQ(target.path, "/v1/runs");
    EXPECT_EQ(target.query, "limit=5&label=a%20b");
    EXPECT_FALSE(target.authority);
    EXPECT_EQ(parse_target("/?").path, "/");
}

TEST(Target, MayBeAbsolute) {
    const auto target = parse_target("http://localhost:8177/livez?verbose");
    EXPECT_EQ(target.authority, "localhost:8177");
    EXPECT_EQ(target.origin_form, "/livez?verbose");
    EXPECT_EQ(parse_target("HTTP://localhost").path, "/");
    EXPECT_EQ(parse_target("http://localhost?a").path, "/");
}

TEST(Target, IsRefusedWhereItIsNone) {
    for (const auto* bad :
         {"", "*", "v1/runs", "https://localhost/", "localhost:80", "/a#b", "/a b", "/a\\b", "/%", "/%4", "/%zz",
          "/a\x7f", "/\xc3\xa9", "/%00", "/%0d%0aX:1", "/%ff", "/%c2%9b", "/%c0%af", "/?a=%g1"})
        EXPECT_EQ(status_of_refusal([&] { (void)parse_target(bad); }), 400u) << bad;
    EXPECT_EQ(status_of_refusal([] { (void)parse_target("/" + std::string(kMaxTargetBytes, 'a')); }), 414u);
    EXPECT_EQ(status_of_refusal([] { (void)parse_target("/" + std::string(kMaxTargetBytes - 1, 'a')); }), 0u);
}

TEST(Query, IsDecoded) {
    EXPECT_THAT(parse_query("a=1&b=two+words&c=%e2%82%ac&&d&a=2&e==="),
                UnorderedElementsAre(Pair("a", "1"), Pair("a", "2"), Pair("b", "two words"), Pair("c", "\xe2\x82\xac"),
                                     Pair("d", ""), Pair("e", "==")));
    EXPECT_EQ(status_of_refusal([] { (void)parse_query("a=%00"); }), 400u);
    EXPECT_EQ(status_of_refusal([] { (void)parse_query("%ff=1"); }), 400u);
}

TEST(Accept, ChoosesTheBestThatThereIs) {
    const std::vector<std::string> produces{"text/markdown", "application/json", "text/csv",
                                            "text/html; charset=utf-8"};
    const auto choose = [&](std::string_view accept) { return choose_media_type(accept, produces).value_or("none"); };
    EXPECT_EQ(choose(""), "text/markdown");
    EXPECT_EQ(choose("*/*"), "text/markdown");
    EXPECT_EQ(choose("application/json"), "application/json");
    EXPECT_EQ(choose("Application/JSON"), "application/json");
    EXPECT_EQ(choose("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), "text/html; charset=utf-8");
    EXPECT_EQ(choose("text/*;q=0.5, application/json;q=0.4"), "text/markdown");
    EXPECT_EQ(choose("text/*, text/markdown;q=0, text/csv;q=0.2"), "text/html; charset=utf-8");
    EXPECT_EQ(choose("*/*;q=0.1, text/csv"), "text/csv");
    EXPECT_EQ(choose("image/png"), "none");
    EXPECT_EQ(choose("*/*;q=0"), "none");
    EXPECT_EQ(choose("text/csv;q=nonsense"), "none");
    EXPECT_EQ(choose("text/csv;q=2"), "none");
}

TEST(Format, HasPrecedenceOverAccept) {
    Route route;
    route.produces = {"text/markdown", "text/csv"};
    route.query = {"format"};
    const Fields fields{{"Accept", "text/markdown"}};
    EXPECT_EQ(negotiate(route, fields, {{"format", "csv"}}), "text/csv");
    EXPECT_EQ(negotiate(route, fields, {}), "text/markdown");
    EXPECT_EQ(status_of_refusal([&] { (void)negotiate(route, fields, {{"format", "html"}}); }), 422u);
    EXPECT_EQ(status_of_refusal([&] { (void)negotiate(route, {{"Accept", "image/png"}}, {}); }), 406u);
}

TEST(Conditions, FollowRfc9110) {
    const auto judge = [](const char* name, const char* value, std::string_view etag = "abc") {
        return judge_conditions({{name, value}}, etag);
    };
    EXPECT_EQ(judge_conditions({}, "abc"), Condition::proceed);
    EXPECT_EQ(judge("If-None-Match", "\"abc\""), Condition::not_modified);
    EXPECT_EQ(judge("if-none-match", "\"x\", W/\"abc\""), Condition::not_modified);
    EXPECT_EQ(judge("If-None-Match", "\"abc-gzip\""), Condition::not_modified);
    EXPECT_EQ(judge("If-None-Match", "*"), Condition::not_modified);
    EXPECT_EQ(judge("If-None-Match", "*", ""), Condition::proceed);
    EXPECT_EQ(judge("If-None-Match", "\"abd\""), Condition::proceed);
    EXPECT_EQ(judge("If-None-Match", "abc"), Condition::proceed);
    EXPECT_EQ(judge("If-Match", "\"abc\""), Condition::proceed);
    EXPECT_EQ(judge("If-Match", "*"), Condition::proceed);
    EXPECT_EQ(judge("If-Match", "*", ""), Condition::failed);
    EXPECT_EQ(judge("If-Match", "W/\"abc\""), Condition::failed);
    EXPECT_EQ(judge("If-Match", "\"x\""), Condition::failed);
    EXPECT_EQ(judge("If-Match", ""), Condition::failed);
}

TEST(Etag, IsOfTheBytes) {
    EXPECT_EQ(etag_of("a"), etag_of("a"));
    EXPECT_NE(etag_of("a"), etag_of("b"));
    EXPECT_NE(etag_of("a"), gzip_etag(etag_of("a")));
}

TEST(Gzip, IsTakenWhereTheClientSaysSo) {
    for (const auto* yes : {"gzip", "GZIP", "deflate, gzip;q=1.0, br", "*", "gzip;q=0.5", "identity;q=0.2, gzip;q=0.3"})
        EXPECT_TRUE(accepts_gzip(yes)) << yes;
    for (const auto* no : {"", "br", "gzip;q=0", "*;q=0", "gzip;q=0, *", "identity, gzip;q=0.5", "gzip;q=x"})
        EXPECT_FALSE(accepts_gzip(no)) << no;
}

TEST(Gzip, IsUsedWhereItPays) {
    EXPECT_TRUE(is_compressible("text/csv; charset=utf-8", kMinGzipBytes));
    EXPECT_TRUE(is_compressible("application/problem+json", kMinGzipBytes));
    EXPECT_FALSE(is_compressible("text/csv", kMinGzipBytes - 1));
    EXPECT_FALSE(is_compressible("image/png", 1 << 20));
}

TEST(Gzip, GivesTheSameTextBack) {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "| small-append | " + std::to_string(i * i) + " |\n";
    const auto packed = gzip(text);
    ASSERT_TRUE(packed);
    EXPECT_LT(packed->size(), text.size() / 2);
    EXPECT_EQ(unpacked(*packed, text.size()), text);
}

TEST(Gzip, IsNotMadeWhereItWouldBeLarger) {
    EXPECT_FALSE(gzip("a"));
    EXPECT_FALSE(gzip(""));
}

}  // namespace
}  // namespace foxbench::http
