#include "service/http/server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/error.hpp"
#include "service/http/test_client.hpp"

namespace foxbench::http {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using testing::TestClient;
using testing::TestServer;

constexpr std::string_view kJson = "Content-Type: application/json\r\n";

class ServerTest : public ::testing::Test {
protected:
    std::string text(std::string_view method, std::string_view target, std::string_view fields = {},
                     std::optional<std::string_view> body = {}) const {
        return testing::request_text(server_.port(), method, target, fields, body);
    }

    static ServerOptions options() {
        ServerOptions result;
        result.idempotency = std::make_shared<testing::MemoryAnswers>();
        return result;
    }

    TestServer server_{options()};
    TestClient client_{server_.port()};
};

TEST_F(ServerTest, AnswersWithTheFieldsOfSafety) {
    const auto answer = server_.ask("GET", "/v1/things?limit=5");
    EXPECT_EQ(answer.status, 200u);
    EXPECT_EQ(answer.field("Content-Type"), "application/json");
    EXPECT_EQ(answer.field("X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(answer.field("Cache-Control"), "no-store");
    EXPECT_THAT(answer.field("Date"), HasSubstr("GMT"));
    EXPECT_EQ(answer.field("Access-Control-Allow-Origin"), "");
    EXPECT_EQ(answer.body, R"({"things":[]})");
}

TEST_F(ServerTest, HeadIsGetWithoutItsBody) {
    const auto get = server_.ask("GET", "/v1/report");
    client_.send(text("HEAD", "/v1/report") + text("GET", "/livez"));
    const auto head = client_.receive(true);
    EXPECT_EQ(head.status, 200u);
    EXPECT_EQ(head.field("Content-Length"), std::to_string(get.body.size()));
    EXPECT_EQ(head.field("ETag"), get.field("ETag"));
    EXPECT_EQ(client_.receive().body, "ok\n");
}

TEST_F(ServerTest, KeepsTheConnection) {
    for (int i = 0; i < 100; ++i) {
        client_.send(text("GET", "/livez"));
        ASSERT_EQ(client_.receive().status, 200u);
    }
    client_.send(text("GET", "/livez", "Connection: close\r\n"));
    EXPECT_EQ(client_.receive().field("Connection"), "close");
    EXPECT_TRUE(client_.is_closed());
}

TEST_F(ServerTest, Http10IsClosedUnlessItAsks) {
    const auto host = "Host: localhost:" + std::to_string(server_.port()) + "\r\n";
    client_.send("GET /livez HTTP/1.0\r\n" + host + "Connection: keep-alive\r\n\r\n");
    EXPECT_EQ(client_.receive().field("Connection"), "keep-alive");
    client_.send("GET /livez HTTP/1.0\r\n" + host + "\r\n");
    EXPECT_EQ(client_.receive().status, 200u);
    EXPECT_TRUE(client_.is_closed());
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
    client_.send(text("POST", "/v1/things", kJson, "{}") + text("GET", "/v1/nothing") + "\r\n" +
                 text("POST", "/v1/things", kJson, "{}") + text("GET", "/livez"));
    EXPECT_EQ(client_.receive().body, R"({"number":1})");
    EXPECT_EQ(client_.receive().status, 404u);
    EXPECT_EQ(client_.receive().body, R"({"number":2})");
    EXPECT_EQ(client_.receive().body, "ok\n");
}

TEST_F(ServerTest, TakesChunkedBodies) {
    client_.send(text("POST", "/v1/things", std::string(kJson) + "Transfer-Encoding: chunked\r\n"));
    for (const auto* piece :
         {"5\r\n{\"lab\r\n", "3;x=y\r\nel\"\r\n", "6\r\n: \"a\"}", "\r\n0\r\nAuthoriz", "ation: Bearer x\r\n\r\n"})
        client_.send(piece);
    EXPECT_EQ(client_.receive().status, 202u);
    client_.send(text("GET", "/livez"));
    EXPECT_EQ(client_.receive().status, 200u);
}

TEST_F(ServerTest, SaysContinueBeforeALargeBody) {
    const std::string body = R"({"pad": ")" + std::string(100 * 1024, 'a') + "\"}";
    client_.send(
        text("POST", "/v1/things",
             std::string(kJson) + "Expect: 100-continue\r\nContent-Length: " + std::to_string(body.size()) + "\r\n"));
    EXPECT_EQ(client_.receive().status, 100u);
    client_.send(body);
    EXPECT_EQ(client_.receive().status, 202u);
}

TEST_F(ServerTest, RefusesALargeBodyBeforeItIsSent) {
    client_.send(
        text("POST", "/v1/things", std::string(kJson) + "Expect: 100-continue\r\nContent-Length: 2000000\r\n"));
    EXPECT_EQ(client_.receive().status, 413u);
    client_.end_sending();
    EXPECT_TRUE(client_.is_closed());
}

TEST_F(ServerTest, ALargeBodyThatIsSentAllTheSameDoesNotLoseTheAnswer) {
    client_.send(text("POST", "/v1/things", std::string(kJson) + "Content-Length: 4000000\r\n"));
    client_.send_if_open(std::string(4'000'000, 'a'));
    EXPECT_EQ(client_.receive().status, 413u);
}

TEST_F(ServerTest, AChunkedBodyHasTheSameLimit) {
    client_.send(text("POST", "/v1/things", std::string(kJson) + "Transfer-Encoding: chunked\r\n"));
    for (int i = 0; i < 5; ++i) client_.send_if_open("40000\r\n" + std::string(0x40000, 'a') + "\r\n");
    const auto answer = client_.receive();
    EXPECT_EQ(answer.status, 413u);
    EXPECT_EQ(answer.field("Connection"), "close");
}

TEST_F(ServerTest, ImportsAreLarger) {
    const std::string body(5 * 1024 * 1024, 'a');
    const auto answer = server_.ask("POST", "/v1/imports?", "Content-Type: text/markdown; charset=utf-8\r\n", body);
    EXPECT_EQ(answer.body, R"({"bytes":5242880,"type":"text/markdown"})");
}

TEST_F(ServerTest, LargeAnswersArriveWhole) {
    EXPECT_EQ(server_.ask("GET", "/v1/big").body.size(), std::size_t(8 << 20));
}

TEST_F(ServerTest, CompressesWhereTheClientTakesIt) {
    const auto plain = server_.ask("GET", "/v1/report");
    const auto packed = server_.ask("GET", "/v1/report", "Accept-Encoding: gzip, br\r\n");
    EXPECT_EQ(plain.field("Content-Encoding"), "");
    EXPECT_EQ(packed.field("Content-Encoding"), "gzip");
    EXPECT_LT(packed.body.size(), plain.body.size() / 2);
    EXPECT_NE(packed.field("ETag"), plain.field("ETag"));
    EXPECT_EQ(packed.field("Vary"), "Accept, Accept-Encoding");
    EXPECT_EQ(plain.field("Vary"), "Accept, Accept-Encoding");
    EXPECT_EQ(server_.ask("GET", "/livez", "Accept-Encoding: gzip\r\n").field("Content-Encoding"), "");
}

TEST_F(ServerTest, AnswersConditionsUponTheEtag) {
    const auto first = server_.ask("GET", "/v1/report");
    const auto etag = first.field("ETag");
    EXPECT_THAT(etag, StartsWith("\""));
    EXPECT_EQ(first.field("Cache-Control"), "private, max-age=86400, immutable");
    const auto again = server_.ask("GET", "/v1/report", "If-None-Match: " + etag + "\r\n");
    EXPECT_EQ(again.status, 304u);
    EXPECT_EQ(again.field("ETag"), etag);
    EXPECT_EQ(again.field("Content-Length"), "");
    EXPECT_EQ(server_.ask("GET", "/v1/report?format=csv", "If-None-Match: " + etag + "\r\n").status, 200u);
    EXPECT_EQ(server_.ask("GET", "/v1/report", "If-Match: " + etag + "\r\n").status, 200u);
    EXPECT_EQ(server_.ask("GET", "/v1/report", "If-Match: \"other\"\r\n").status, 412u);
    EXPECT_EQ(server_.ask("DELETE", "/v1/things/a", "If-Match: \"other\"\r\n").status, 412u);
    EXPECT_EQ(server_.changes, 0);
    EXPECT_EQ(server_.ask("DELETE", "/v1/things/a", "If-Match: \"current\"\r\n").status, 204u);
}

TEST_F(ServerTest, ChoosesTheFormat) {
    EXPECT_EQ(server_.ask("GET", "/v1/report").field("Content-Type"), "text/markdown; charset=utf-8");
    EXPECT_EQ(server_.ask("GET", "/v1/report", "Accept: text/csv\r\n").field("Content-Type"), "text/csv");
    const auto page = server_.ask("GET", "/v1/report?format=html", "Accept: text/csv\r\n");
    EXPECT_EQ(page.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_THAT(page.field("Content-Security-Policy"), StartsWith("default-src 'self'"));
    EXPECT_EQ(server_.ask("GET", "/v1/report", "Accept: image/png\r\n").status, 406u);
    EXPECT_EQ(server_.ask("GET", "/v1/report?format=pdf").status, 422u);
}

TEST_F(ServerTest, EveryFailureIsAProblem) {
    const auto missing = server_.ask("GET", "/v1/missing?");
    EXPECT_EQ(missing.status, 404u);
    EXPECT_EQ(missing.field("Content-Type"), "application/problem+json");
    const auto json = Json::parse(missing.body);
    EXPECT_EQ(json["detail"], "there is no run 'x'");
    EXPECT_EQ(json["instance"], "/v1/missing");
    EXPECT_EQ(json["title"], "Not Found");

    const auto wrong_method = server_.ask("PUT", "/v1/things", kJson, "{}");
    EXPECT_EQ(wrong_method.status, 405u);
    EXPECT_EQ(wrong_method.field("Allow"), "GET, HEAD, POST");
    EXPECT_EQ(wrong_method.field("Content-Type"), "application/problem+json");

    const auto faulty = server_.ask("POST", "/v1/things", kJson, R"({"label": 5, "lable": ""})");
    EXPECT_EQ(faulty.status, 422u);
    EXPECT_EQ(Json::parse(faulty.body)["errors"][0]["pointer"], "/label");

    client_.send("NONSENSE\r\n\r\n");
    const auto refused = client_.receive();
    EXPECT_EQ(refused.status, 400u);
    EXPECT_EQ(refused.field("Content-Type"), "application/problem+json");
    EXPECT_TRUE((client_.end_sending(), client_.is_closed()));
}

TEST_F(ServerTest, TellsFaultsToTheLogAndNotToTheClient) {
    const auto answer = server_.ask("GET", "/v1/broken");
    EXPECT_EQ(answer.status, 500u);
    EXPECT_THAT(answer.body, Not(HasSubstr("secret")));
    std::vector<std::string> faults;
    server_.on_loop([&] { faults = server_.faults; });
    EXPECT_THAT(faults, ::testing::ElementsAre("request_failed: GET /v1/broken: a secret detail"));
}

TEST_F(ServerTest, AKeyIsAnsweredOnce) {
    const auto fields = std::string(kJson) + "Idempotency-Key: k1\r\n";
    const auto first = server_.ask("POST", "/v1/things", fields, R"({"label": "a"})");
    const auto again = server_.ask("POST", "/v1/things", fields, R"({"label": "a"})");
    EXPECT_EQ(first.status, 202u);
    EXPECT_EQ(again.status, 202u);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(again.field("Location"), first.field("Location"));
    EXPECT_EQ(server_.changes, 1);
    EXPECT_EQ(server_.ask("POST", "/v1/things", fields, R"({"label": "b"})").status, 422u);
    EXPECT_EQ(server_.ask("POST", "/v1/things", std::string(kJson) + "Idempotency-Key: a b\r\n", "{}").status, 400u);
    EXPECT_EQ(server_.changes, 1);
}

TEST_F(ServerTest, HearsBothLoopbackAddressesUnderAnyOfTheirNames) {
    for (const std::string name : {"127.0.0.1", "[::1]", "LocalHost"}) {
        client_.send("GET /livez HTTP/1.1\r\nHost: " + name + ":" + std::to_string(server_.port()) + "\r\n\r\n");
        EXPECT_EQ(client_.receive().status, 200u) << name;
    }
}

TEST(ServerStart, SaysWhyItCannot) {
    boost::asio::io_context loop;
    const auto start = [&loop](const std::string& address, std::uint16_t port) {
        ServerOptions options;
        options.addresses = {address};
        options.port = port;
        Server server(loop.get_executor(), options, {});
        server.start();
    };
    const auto message = [&](const std::string& address, std::uint16_t port) -> std::string {
        try {
            start(address, port);
        } catch (const Error& error) {
            return error.what();
        }
        return "started";
    };
    const TestServer other;
    EXPECT_THAT(message("127.0.0.1", other.port()), HasSubstr("is a daemon running already?"));
    EXPECT_THAT(message("0.0.0.0", 0), HasSubstr("token"));
    EXPECT_THAT(message("localhost", 0), HasSubstr("no IP address"));
    EXPECT_EQ(message("127.0.0.1", 0), "started");
}

TEST(ServerAccess, AsksForTokensAndOpensSessions) {
    ServerOptions options;
    options.access =
        std::make_shared<Access>(std::vector<AccessToken>{{Scope::read, "reader"}, {Scope::run, "runner"}});
    const TestServer server(options);
    const auto none = server.ask("GET", "/v1/things");
    EXPECT_EQ(none.status, 401u);
    EXPECT_THAT(none.field("WWW-Authenticate"), StartsWith("Bearer"));
    EXPECT_EQ(server.ask("GET", "/livez").status, 200u);
    EXPECT_EQ(server.ask("GET", "/v1/things", "Authorization: Bearer nobody\r\n").status, 401u);
    EXPECT_EQ(server.ask("GET", "/v1/things", "Authorization: Bearer reader\r\n").status, 200u);
    const auto json = std::string(kJson);
    EXPECT_EQ(server.ask("POST", "/v1/things", json + "Authorization: Bearer reader\r\n", "{}").status, 403u);
    EXPECT_EQ(server.ask("POST", "/v1/things", json + "Authorization: Bearer runner\r\n", "{}").status, 202u);

    EXPECT_EQ(server.ask("POST", "/v1/session", json, R"({"token": "nobody"})").status, 401u);
    const auto session = server.ask("POST", "/v1/session", json, R"({"token": "runner"})");
    EXPECT_EQ(session.status, 204u);
    const auto cookie = session.field("Set-Cookie");
    const auto with_cookie = json + "Cookie: " + cookie.substr(0, cookie.find(';')) + "\r\n";
    EXPECT_EQ(server.ask("POST", "/v1/things", with_cookie, "{}").status, 202u);
    EXPECT_EQ(server.changes, 2);
}

}  // namespace
}  // namespace foxbench::http
