#include "service/http/route.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "service/http/idempotency.hpp"
#include "service/http/problem.hpp"

namespace foxbench::http {
namespace {

using testing::ElementsAre;
using testing::Pair;

Route route(Method method, std::string pattern, std::string operation) {
    Route result;
    result.method = method;
    result.pattern = std::move(pattern);
    result.operation = std::move(operation);
    result.handler = [](const Request&) -> bidi::Task<Response> { co_return empty_response(); };
    return result;
}

class RouteTableTest : public testing::Test {
protected:
    RouteTableTest() {
        table_.add(route(Method::get, "/", "dashboard"));
        table_.add(route(Method::get, "/v1/runs", "listRuns"));
        table_.add(route(Method::post, "/v1/runs", "queueRun"));
        table_.add(route(Method::get, "/v1/runs/{id}", "getRun"));
        table_.add(route(Method::del, "/v1/runs/{id}", "deleteRun"));
        table_.add(route(Method::get, "/v1/runs/{id}/tables/{table}", "getTable"));
        table_.add(route(Method::get, "/v1/runs/special", "special"));
    }

    /// The operation, "404", or the Allow field.
    std::string match(std::string_view method, std::string_view path) const {
        const auto found = table_.match(method, path);
        if (const auto* hit = std::get_if<RouteMatch>(&found)) return hit->route->operation;
        if (const auto* wrong = std::get_if<WrongMethod>(&found)) return wrong->allow;
        return "404";
    }

    RouteTable table_;
};

TEST_F(RouteTableTest, FindsByMethodAndPath) {
    EXPECT_EQ(match("GET", "/"), "dashboard");
    EXPECT_EQ(match("GET", "/v1/runs"), "listRuns");
    EXPECT_EQ(match("HEAD", "/v1/runs"), "listRuns");
    EXPECT_EQ(match("POST", "/v1/runs"), "queueRun");
    EXPECT_EQ(match("DELETE", "/v1/runs/a"), "deleteRun");
    EXPECT_EQ(match("GET", "/v1/runs/special"), "special");
    EXPECT_EQ(match("GET", "/v1/%72uns"), "listRuns");
}

TEST_F(RouteTableTest, GivesTheParametersDecoded) {
    const auto found = table_.match("GET", "/v1/runs/a%20b/tables/per-call");
    EXPECT_THAT(std::get<RouteMatch>(found).parameters, ElementsAre(Pair("id", "a b"), Pair("table", "per-call")));
}

TEST_F(RouteTableTest, SaysWhatIsAllowed) {
    EXPECT_EQ(match("PUT", "/v1/runs"), "GET, HEAD, POST");
    EXPECT_EQ(match("PATCH", "/v1/runs/a"), "GET, HEAD, DELETE");
    EXPECT_EQ(match("get", "/v1/runs"), "GET, HEAD, POST");
    EXPECT_EQ(match("DELETE", "/v1/runs/special"), "GET, HEAD");
}

TEST_F(RouteTableTest, KnowsNothingElse) {
    for (const auto* path : {"/v1", "/v1/", "/v1/runs/", "//v1/runs", "/v1/runs/.", "/v1/runs/..", "/v1/runs/%2e%2e",
                             "/v1/runs/a%2fb", "/v1/runs/a%5cb", "/v1/runs/a/b", "/V1/runs", ""})
        EXPECT_EQ(match("GET", path), "404") << path;
}

TEST_F(RouteTableTest, RefusesFaultsOfTheProgram) {
    EXPECT_THROW(table_.add(route(Method::get, "/v1/runs/{other}", "again")), std::invalid_argument);
    EXPECT_THROW(table_.add(route(Method::get, "/new", "getRun")), std::invalid_argument);
    EXPECT_THROW(table_.add(route(Method::get, "new", "new")), std::invalid_argument);
    EXPECT_THROW(table_.add(route(Method::get, "/a{b}", "new")), std::invalid_argument);
    Route without = route(Method::get, "/new", "new");
    without.handler = nullptr;
    EXPECT_THROW(table_.add(without), std::invalid_argument);
}

TEST(Problems, HaveTheMembersOfRfc9457) {
    Problem problem(422, "The body is wrong.");
    problem.errors.push_back({"/label", "too long"});
    const auto response = to_response(problem, "/v1/runs");
    EXPECT_EQ(response.status, 422u);
    EXPECT_EQ(response.content_type, "application/problem+json");
    EXPECT_EQ(Json::parse(response.body), Json::parse(R"({"type": "about:blank", "title": "Unprocessable Content",
        "status": 422, "detail": "The body is wrong.", "instance": "/v1/runs",
        "errors": [{"pointer": "/label", "detail": "too long"}]})"));
}

TEST(Problems, AreWhatTheServicesErrorsBecome) {
    EXPECT_EQ(problem_from(Error(ErrorCode::not_found, "no run 'x'")).status, 404u);
    EXPECT_EQ(problem_from(Error(ErrorCode::not_found, "no run 'x'")).detail, "no run 'x'");
    EXPECT_EQ(status_of(ErrorCode::usage), 422u);
    EXPECT_EQ(status_of(ErrorCode::conflict), 409u);
    EXPECT_EQ(status_of(ErrorCode::environment), 503u);
    EXPECT_EQ(status_of(ErrorCode::internal), 500u);
}

TEST(Problems, TellNothingOfUnexpectedExceptions) {
    const auto problem = problem_from(std::runtime_error("password is 1234"));
    EXPECT_EQ(problem.status, 500u);
    EXPECT_EQ(problem.detail.find("1234"), std::string::npos);
}

TEST(RequestQuery, IsReadWithItsFaults) {
    Request request;
    request.query = {{"limit", "50"}, {"twice", "1"}, {"twice", "2"}, {"verbose", ""}, {"bad", "5x"}};
    EXPECT_EQ(request.query_count("limit", 1, 1000), 50);
    EXPECT_EQ(request.query_count("absent", 1, 1000), std::nullopt);
    EXPECT_THROW((void)request.query_count("limit", 1, 49), Problem);
    EXPECT_THROW((void)request.query_count("bad", 1, 49), Problem);
    EXPECT_THROW((void)request.query_text("twice"), Problem);
    EXPECT_TRUE(request.query_flag("verbose"));
    EXPECT_FALSE(request.query_flag("absent"));
    EXPECT_THROW((void)request.query_flag("bad"), Problem);
}

TEST(IdempotencyKey, IsVisibleAscii) {
    EXPECT_TRUE(is_idempotency_key("8e03978e-40d5-43dd-bc93-6894a57f9324"));
    EXPECT_FALSE(is_idempotency_key(""));
    EXPECT_FALSE(is_idempotency_key("a b"));
    EXPECT_FALSE(is_idempotency_key(std::string(kMaxIdempotencyKey + 1, 'a')));
}

TEST(IdempotencyKey, GoesWithMethodTargetAndBody) {
    Request request;
    request.method = Method::post;
    request.target = "/v1/runs";
    request.body = "{}";
    const auto hash = request_hash(request);
    EXPECT_EQ(request_hash(request), hash);
    request.body = "{ }";
    EXPECT_NE(request_hash(request), hash);
    request.body = "{}";
    request.target = "/v1/imports";
    EXPECT_NE(request_hash(request), hash);
}

TEST(StoredAnswer, ComesBackAsItWas) {
    const auto response = created_response(202, "/v1/runs/a", Json{{"id", "a"}});
    const auto back = from_stored(to_stored(response, "h"));
    EXPECT_EQ(back.status, 202u);
    EXPECT_EQ(back.body, response.body);
    EXPECT_EQ(back.fields, response.fields);
    EXPECT_EQ(fields_from_text(fields_to_text(response.fields)), response.fields);
    EXPECT_THROW((void)fields_from_text("{}"), Error);
    EXPECT_THROW((void)fields_from_text("[[1,2]]"), Error);
}

}  // namespace
}  // namespace foxbench::http
