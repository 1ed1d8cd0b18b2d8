#include "service/http/openapi.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foxbench::http {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Route route(Method method, std::string pattern, std::string operation) {
    Route result;
    result.method = method;
    result.pattern = std::move(pattern);
    result.operation = std::move(operation);
    result.handler = [](const Request&) -> bidi::Task<Response> { co_return empty_response(); };
    return result;
}

class CheckOpenApi : public testing::Test {
protected:
    CheckOpenApi() {
        auto list = route(Method::get, "/v1/things", "listThings");
        list.query = {"limit"};
        table_.add(list);
        auto add = route(Method::post, "/v1/things/{id}/again", "again");
        add.scope = Scope::run;
        add.idempotent_by_key = true;
        table_.add(add);
    }

    RouteTable table_;
    Json document_ = Json::parse(R"({"openapi": "3.1.0", "paths": {
        "/v1/things": {"get": {"operationId": "listThings", "security": [{"bearer": ["read"]}],
            "parameters": [{"$ref": "#/components/parameters/Limit"}],
            "responses": {"200": {"description": "", "content": {"application/json": {}}},
                          "default": {"description": "", "content": {"application/problem+json": {}}}}}},
        "/v1/things/{id}/again": {"post": {"operationId": "again", "security": [{"bearer": ["run"]}],
            "parameters": [{"in": "path", "name": "id", "required": true}, {"in": "header", "name": "Idempotency-Key"}],
            "requestBody": {"content": {"application/json": {}}},
            "responses": {"204": {"description": ""}}}}},
        "components": {"parameters": {"Limit": {"in": "query", "name": "limit"}}}})");
    Json& list_ = document_["paths"]["/v1/things"]["get"];
};

TEST_F(CheckOpenApi, FindsNothingWhereBothAgree) {
    EXPECT_THAT(check_openapi(table_, document_), IsEmpty());
}

TEST_F(CheckOpenApi, FindsWhatOnlyOneSideHas) {
    table_.add(route(Method::del, "/v1/things", "deleteThings"));
    document_["paths"]["/v1/others"]["get"] = list_;
    EXPECT_THAT(check_openapi(table_, document_),
                ElementsAre("DELETE /v1/things: is in the table and not in the document",
                            "GET /v1/others: is in the document and not in the table"));
}

TEST_F(CheckOpenApi, FindsWhatIsSaidDifferently) {
    list_["operationId"] = "list";
    list_["security"] = Json::array();
    list_["parameters"] = Json::parse(R"([{"in": "query", "name": "limits"}, {"in": "path", "name": "id"}])");
    list_["requestBody"] = Json::parse(R"({"content": {"text/plain": {}}})");
    list_["responses"]["200"]["content"] = Json::parse(R"({"text/csv": {}})");
    EXPECT_THAT(check_openapi(table_, document_),
                ElementsAre("GET /v1/things: operationId: the table has listThings, the document list",
                            "GET /v1/things: scope: the table has read, the document none",
                            "GET /v1/things: path parameters: the table has none, the document id",
                            "GET /v1/things: query parameters: the table has limit, the document limits",
                            "GET /v1/things: bodies taken: the table has none, the document text/plain",
                            "GET /v1/things: bodies answered: the table has application/json, the document text/csv"));
}

TEST_F(CheckOpenApi, FindsReferencesToNothing) {
    document_["components"]["parameters"].erase("Limit");
    EXPECT_THAT(
        check_openapi(table_, document_),
        ElementsAre(HasSubstr("query parameters"), HasSubstr("\"#/components/parameters/Limit\" leads nowhere")));
}

TEST_F(CheckOpenApi, NeedsADocument) {
    EXPECT_THAT(check_openapi({}, Json::array()), ElementsAre("document: is not OpenAPI 3.1"));
}

TEST(OpenApiDocument, IsWellFormed) {
    const auto document = document::parse_json(openapi_text(), "openapi.json");
    for (const auto& difference : check_openapi({}, document))
        EXPECT_THAT(difference, HasSubstr("is in the document and not in the table"));
    EXPECT_GE(document["paths"].size(), 25u);
    for (const auto* schema : {"RunSummary", "Run", "Problem", "Queue", "Schedule", "Target", "Workload", "Event"})
        EXPECT_TRUE(document["components"]["schemas"].contains(schema)) << schema;
}

}  // namespace
}  // namespace foxbench::http
