#include "service/http/request_checks.hpp"

#include <gtest/gtest.h>

#include "service/http/access.hpp"
#include "service/http/limits.hpp"
#include "service/http/problem.hpp"

namespace foxbench::http {
namespace {

const Identity kIdentity{8177, {"lab-3.example", "proxy.example:9000"}};

Header header(Fields fields, std::string method = "GET", unsigned version = 11) {
    Header result;
    result.method = std::move(method);
    result.target = "/";
    result.version = version;
    result.fields = std::move(fields);
    return result;
}

/// The status with which `action` is refused; 0 where it is not.
template <class Action>
unsigned refusal(Action action) {
    try {
        action();
    } catch (const Problem& problem) {
        return problem.status;
    }
    return 0;
}

TEST(OwnHost, IsLoopbackWithThePortOrAConfiguredName) {
    for (const auto* own : {"localhost:8177", "LOCALHOST:8177", "127.0.0.1:8177", "[::1]:8177", "lab-3.example",
                            "Lab-3.Example:80", "lab-3.example:8177", "proxy.example:9000"})
        EXPECT_TRUE(is_own_host(own, kIdentity)) << own;
    for (const auto* foreign : {"",
                                "localhost",
                                "127.0.0.1",
                                "localhost:80",
                                "localhost:08177",
                                "localhost:8177:8177",
                                "localhost.:8177",
                                "localhost:8177.evil.example",
                                "evil.example",
                                "evil.example:8177",
                                "127.0.0.1.nip.io:8177",
                                "127.0.0.2:8177",
                                "127.1:8177",
                                "2130706433:8177",
                                "0.0.0.0:8177",
                                "::1:8177",
                                "[::1]",
                                "[::ffff:127.0.0.1]:8177",
                                "user@localhost:8177",
                                "lab-3.example.",
                                "lab-3.example:",
                                "lab-3.example:x",
                                "lab-3.example:80:80",
                                "xlab-3.example",
                                "proxy.example",
                                "proxy.example:9001"})
        EXPECT_FALSE(is_own_host(foreign, kIdentity)) << foreign;
    EXPECT_TRUE(is_own_host("localhost", Identity{80, {}}));
}

TEST(Host, IsThereOnceAndOurs) {
    const auto check = [](Fields fields, std::string_view target = "/") {
        return refusal([&] { check_host(header(fields), parse_target(target), kIdentity); });
    };
    EXPECT_EQ(check({{"Host", "localhost:8177"}}), 0u);
    EXPECT_EQ(check({}), 400u);
    EXPECT_EQ(check({{"Host", "localhost:8177"}, {"host", "localhost:8177"}}), 400u);
    EXPECT_EQ(check({{"Host", "rebound.example:8177"}}), 421u);
    EXPECT_EQ(check({{"Host", "localhost:8177"}}, "http://127.0.0.1:8177/"), 0u);
    EXPECT_EQ(check({{"Host", "localhost:8177"}}, "http://evil.example/"), 421u);
    EXPECT_EQ(check({{"Host", "evil.example"}}, "http://localhost:8177/"), 421u);
}

TEST(Origin, IsOurOwn) {
    const auto check = [](const char* origin, const char* host = "localhost:8177") {
        return refusal([&] { check_origin(header({{"Host", host}, {"Origin", origin}}, "POST"), kIdentity); });
    };
    EXPECT_EQ(check("http://localhost:8177"), 0u);
    EXPECT_EQ(check("http://127.0.0.1:8177"), 0u);
    EXPECT_EQ(check("https://lab-3.example", "lab-3.example"), 0u);
    for (const auto* foreign :
         {"null", "", "http://localhost:3000", "http://localhost", "https://evil.example", "http://evil.example:8177",
          "localhost:8177", "file://", "http://", "http://localhost:8177.evil.example", "moz-extension://x",
          "http://http://localhost:8177", "http://localhost:8177/", "http://lab-3.example:3000"})
        EXPECT_EQ(check(foreign), 403u) << foreign;
    EXPECT_EQ(check("http://lab-3.example:3000", "lab-3.example:8177"), 403u);
    EXPECT_EQ(refusal([] {
                  check_origin(header({{"Host", "localhost:8177"},
                                       {"Origin", "http://localhost:8177"},
                                       {"Origin", "http://evil.example"}}),
                               kIdentity);
              }),
              403u);
}

TEST(SecFetch, KeepsOtherSitesOut) {
    const auto check = [](const char* site, const char* mode, const char* method) {
        return refusal([&] {
            check_origin(
                header({{"Host", "localhost:8177"}, {"Sec-Fetch-Site", site}, {"Sec-Fetch-Mode", mode}}, method),
                kIdentity);
        });
    };
    EXPECT_EQ(check("same-origin", "cors", "POST"), 0u);
    EXPECT_EQ(check("none", "navigate", "GET"), 0u);
    EXPECT_EQ(check("cross-site", "navigate", "GET"), 0u);
    EXPECT_EQ(check("cross-site", "navigate", "POST"), 403u);
    EXPECT_EQ(check("cross-site", "no-cors", "GET"), 403u);
    EXPECT_EQ(check("cross-site", "cors", "GET"), 403u);
    EXPECT_EQ(check("Cross-Site", "no-cors", "HEAD"), 403u);
}

TEST(Framing, IsBeyondDoubt) {
    const auto check = [](Fields fields, unsigned version = 11) {
        return refusal([&] { (void)check_framing(header(fields, "POST", version)); });
    };
    EXPECT_EQ(check({}), 0u);
    EXPECT_EQ(check({{"Content-Length", "5"}}), 0u);
    EXPECT_EQ(check({{"Transfer-Encoding", "Chunked"}}), 0u);
    EXPECT_EQ(check({{"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}), 400u);
    EXPECT_EQ(check({{"Content-Length", "5"}, {"content-length", "5"}}), 400u);
    for (const auto* length : {"", "5, 5", "5,6", "-1", "+5", "0x5", "5.0", "5 5", "99999999999999999999999"})
        EXPECT_EQ(check({{"Content-Length", length}}), 400u) << length;
    for (const auto* coding : {"", "gzip", "gzip, chunked", "chunked, chunked", "xchunked", "identity", "chunked;q=1"})
        EXPECT_EQ(check({{"Transfer-Encoding", coding}}), 400u) << coding;
    EXPECT_EQ(check({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "identity"}}), 400u);
    EXPECT_EQ(check({{"Transfer-Encoding", "chunked"}}, 10), 400u);
    EXPECT_EQ(check({{"X", std::string(kMaxHeaderBytes, 'a')}}), 431u);
}

class BodyCheckTest : public testing::Test {
protected:
    unsigned check(Method method, Body body, Fields fields) {
        Route route;
        route.method = method;
        route.body = body;
        const auto head = header(std::move(fields), std::string(to_string(method)));
        return refusal([&] { (void)check_body(head, check_framing(head), route); });
    }
};

TEST_F(BodyCheckTest, StateChangesNeedJson) {
    EXPECT_EQ(check(Method::post, Body::json, {{"Content-Type", "application/json"}, {"Content-Length", "2"}}), 0u);
    EXPECT_EQ(check(Method::post, Body::json,
                    {{"Content-Type", "Application/JSON; charset=\"UTF-8\""}, {"Content-Length", "2"}}),
              0u);
    for (const auto* type : {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
                             "application/jsonp", "text/json", "", "text/markdown", "application/json; charset=utf-16"})
        EXPECT_EQ(check(Method::post, Body::json, {{"Content-Type", type}, {"Content-Length", "2"}}), 415u) << type;
    EXPECT_EQ(check(Method::post, Body::none, {{"Content-Length", "0"}}), 415u);
    EXPECT_EQ(check(Method::post, Body::none, {{"Content-Type", "application/json"}}), 0u);
    EXPECT_EQ(check(Method::del, Body::none, {}), 0u);
    EXPECT_EQ(check(Method::del, Body::none, {{"Content-Length", "2"}}), 415u);
    EXPECT_EQ(check(Method::post, Body::json,
                    {{"Content-Type", "application/json"}, {"Content-Type", "text/plain"}, {"Content-Length", "2"}}),
              415u);
}

TEST_F(BodyCheckTest, ImportsMayBeMarkdown) {
    EXPECT_EQ(check(Method::post, Body::import_, {{"Content-Type", "text/markdown"}, {"Content-Length", "2"}}), 0u);
    EXPECT_EQ(check(Method::post, Body::import_, {{"Content-Type", "text/html"}, {"Content-Length", "2"}}), 415u);
}

TEST_F(BodyCheckTest, LengthsAreSaidAndWithinTheLimit) {
    const Fields json{{"Content-Type", "application/json"}};
    EXPECT_EQ(check(Method::post, Body::json, json), 411u);
    const auto with_length = [&](std::size_t bytes) {
        auto fields = json;
        fields.emplace_back("Content-Length", std::to_string(bytes));
        return fields;
    };
    EXPECT_EQ(check(Method::post, Body::json, with_length(kMaxBodyBytes)), 0u);
    EXPECT_EQ(check(Method::post, Body::json, with_length(kMaxBodyBytes + 1)), 413u);
    EXPECT_EQ(check(Method::post, Body::import_, with_length(kMaxImportBytes)), 0u);
    EXPECT_EQ(check(Method::post, Body::import_, with_length(kMaxImportBytes + 1)), 413u);
}

TEST_F(BodyCheckTest, CompressedBodiesAreNotTaken) {
    EXPECT_EQ(check(Method::post, Body::import_,
                    {{"Content-Type", "application/json"}, {"Content-Encoding", "gzip"}, {"Content-Length", "2"}}),
              415u);
}

TEST_F(BodyCheckTest, ReadingHasNoBody) {
    EXPECT_EQ(check(Method::get, Body::none, {{"Content-Length", "2"}}), 400u);
    EXPECT_EQ(check(Method::get, Body::none, {{"Content-Length", "0"}}), 0u);
}

TEST(Expect, IsContinueOrRefused) {
    const auto expects = [](const char* value, unsigned version = 11) {
        const auto head = header({{"Expect", value}, {"Content-Length", "5"}}, "POST", version);
        return expects_continue(head, check_framing(head));
    };
    EXPECT_TRUE(expects("100-continue"));
    EXPECT_TRUE(expects("100-Continue"));
    EXPECT_FALSE(expects("100-continue", 10));
    EXPECT_EQ(refusal([&] { (void)expects("a-miracle"); }), 417u);
}

TEST(Query, HasOnlyKnownParameters) {
    Route route;
    route.query = {"limit", "cursor"};
    EXPECT_EQ(refusal([&] { check_query({{"limit", "5"}}, route); }), 0u);
    EXPECT_EQ(refusal([&] { check_query({{"limits", "5"}}, route); }), 422u);
    EXPECT_EQ(refusal([&] { check_query({{"", "5"}}, route); }), 422u);
}

class AccessTest : public testing::Test {
protected:
    unsigned require(Scope scope, Fields fields) const {
        return refusal([&] { access_.require(scope, fields, now_); });
    }

    const Access::Clock::time_point now_ = Access::Clock::time_point(std::chrono::hours(1));
    Access access_{{{Scope::read, "reader"}, {Scope::run, "runner"}}};
};

TEST_F(AccessTest, NeedsATokenOfTheScope) {
    EXPECT_EQ(require(Scope::none, {}), 0u);
    EXPECT_EQ(require(Scope::read, {}), 401u);
    EXPECT_EQ(require(Scope::read, {{"Authorization", "Bearer reader"}}), 0u);
    EXPECT_EQ(require(Scope::read, {{"authorization", "bearer runner"}}), 0u);
    EXPECT_EQ(require(Scope::run, {{"Authorization", "Bearer runner"}}), 0u);
    EXPECT_EQ(require(Scope::run, {{"Authorization", "Bearer reader"}}), 403u);
    for (const auto* wrong : {"Bearer ", "Bearer", "reader", "Basic reader", "Bearer reade", "Bearer reader2",
                              "Bearer Reader", "Bearer reader, Bearer runner", ""})
        EXPECT_EQ(require(Scope::read, {{"Authorization", wrong}}), 401u) << wrong;
    EXPECT_EQ(require(Scope::read, {{"Authorization", "Bearer reader"}, {"Authorization", "Bearer runner"}}), 401u);
}

TEST_F(AccessTest, IsOpenWithoutTokens) {
    const Access open({});
    EXPECT_EQ(refusal([&] { open.require(Scope::run, {}, now_); }), 0u);
}

TEST_F(AccessTest, ASessionStandsForItsToken) {
    const auto cookie = access_.open_session("reader", now_);
    EXPECT_NE(cookie.find("; Path=/; HttpOnly; SameSite=Strict; Max-Age=43200"), std::string::npos) << cookie;
    const Fields fields{{"Cookie", "other=1; " + cookie.substr(0, cookie.find(';'))}};
    EXPECT_EQ(require(Scope::read, fields), 0u);
    EXPECT_EQ(require(Scope::run, fields), 403u);
    EXPECT_EQ(require(Scope::read, {{"Cookie", "foxbench_session=reader"}}), 401u);
    EXPECT_EQ(require(Scope::read, {{"Cookie", "foxbench_session="}}), 401u);
    EXPECT_EQ(refusal([&] { access_.require(Scope::read, fields, now_ + Access::kSessionLife); }), 401u);
    EXPECT_EQ(refusal([&] { (void)access_.open_session("nobody", now_); }), 401u);
}

TEST_F(AccessTest, TokensAreReplacedAndSessionsWithThem) {
    const auto session_of = [&](const char* token) {
        const auto cookie = access_.open_session(token, now_);
        return Fields{{"Cookie", cookie.substr(0, cookie.find(';'))}};
    };
    const Fields of_reader = session_of("reader");
    const Fields of_runner = session_of("runner");
    EXPECT_FALSE(access_.replace({{Scope::read, "reader"}, {Scope::run, "runner"}}));
    EXPECT_EQ(require(Scope::run, of_runner), 0u);

    EXPECT_TRUE(access_.replace({{Scope::run, "new"}, {Scope::read, "runner"}}));
    EXPECT_EQ(require(Scope::run, {{"Authorization", "Bearer new"}}), 0u);
    EXPECT_EQ(require(Scope::read, {{"Authorization", "Bearer reader"}}), 401u);
    EXPECT_EQ(require(Scope::read, of_reader), 401u) << "the session's token is gone";
    EXPECT_EQ(require(Scope::read, of_runner), 0u);
    EXPECT_EQ(require(Scope::run, of_runner), 403u) << "the session's token may less";

    EXPECT_TRUE(access_.replace({}));
    EXPECT_EQ(require(Scope::run, {}), 0u);
    const Fields of_nobody = session_of("anything");
    EXPECT_TRUE(access_.replace({{Scope::run, "new"}}));
    EXPECT_EQ(require(Scope::read, of_nobody), 401u) << "was opened when everybody might do everything";
}

TEST_F(AccessTest, TheOldestSessionGoesFirst) {
    const auto first = access_.open_session("reader", now_);
    std::string last;
    for (std::size_t i = 0; i < Access::kMaxSessions; ++i)
        last = access_.open_session("reader", now_ + std::chrono::seconds(i + 1));
    EXPECT_EQ(require(Scope::read, {{"Cookie", first.substr(0, first.find(';'))}}), 401u);
    EXPECT_EQ(require(Scope::read, {{"Cookie", last.substr(0, last.find(';'))}}), 0u);
}

}  // namespace
}  // namespace foxbench::http
