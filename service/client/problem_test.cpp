#include "service/client/problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace foxbench::client {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kTried = "POST /v1/runs at http://127.0.0.1:8177";
constexpr const char* kProblem = "application/problem+json";

TEST(Problems, SayTheDetail) {
    const auto error = problem_error(kTried, 404, kProblem, R"({"title":"Not Found","detail":"there is no run 'x'"})");
    EXPECT_EQ(error.code(), ErrorCode::not_found);
    EXPECT_STREQ(error.what(), "there is no run 'x' (POST /v1/runs at http://127.0.0.1:8177, 404)");
}

TEST(Problems, SayTheTitleWhereThereIsNoDetail) {
    EXPECT_THAT(problem_error(kTried, 409, kProblem, R"({"title":"Already final"})").what(),
                HasSubstr("Already final ("));
}

TEST(Problems, NameTheFaultsOfTheBody) {
    const auto error =
        problem_error(kTried, 422, "application/problem+json; charset=utf-8",
                      R"({"detail":"2 faults","errors":[{"pointer":"/overrides/calls","detail":"at least 1"},
                                        {"pointer":"/preset","detail":"no preset"}]})");
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("2 faults; /overrides/calls: at least 1; /preset: no preset ("));
}

TEST(Problems, StatusesAreKindsOfFailure) {
    const std::pair<unsigned, ErrorCode> expected[] = {
        {400, ErrorCode::usage},       {401, ErrorCode::usage},       {403, ErrorCode::usage},
        {404, ErrorCode::not_found},   {405, ErrorCode::usage},       {409, ErrorCode::conflict},
        {412, ErrorCode::conflict},    {413, ErrorCode::usage},       {421, ErrorCode::usage},
        {422, ErrorCode::usage},       {429, ErrorCode::environment}, {500, ErrorCode::internal},
        {501, ErrorCode::unsupported}, {503, ErrorCode::environment}, {507, ErrorCode::environment}};
    for (const auto& [status, code] : expected) EXPECT_EQ(code_of(status), code) << status;
}

TEST(Problems, SayHowToGiveAToken) {
    EXPECT_THAT(problem_error(kTried, 401, "", "").what(), HasSubstr("FOXBENCH_TOKEN"));
    EXPECT_THAT(problem_error(kTried, 403, kProblem, R"({"detail":"scope read"})").what(), HasSubstr("FOXBENCH_TOKEN"));
    EXPECT_THAT(problem_error(kTried, 404, "", "").what(), Not(HasSubstr("FOXBENCH_TOKEN")));
}

TEST(Problems, WhatIsNoProblemIsAStatusAlone) {
    for (const char* body : {"", "<html>", "[]", "{\"detail\":1}", "{\"errors\":{}}", "{\"errors\":[1]}"}) {
        EXPECT_STREQ(problem_error(kTried, 500, kProblem, body).what(),
                     "POST /v1/runs at http://127.0.0.1:8177 was answered with 500")
            << body;
    }
    EXPECT_THAT(problem_error(kTried, 500, "text/html", R"({"detail":"x"})").what(),
                HasSubstr("was answered with 500"));
}

TEST(Problems, AreOneLineWhateverTheySay) {
    const std::string what = problem_error(kTried, 400, kProblem, R"({"detail":"a\nb\u001b[31m"})").what();
    EXPECT_THAT(what, HasSubstr("a?b?[31m"));
}

}  // namespace
}  // namespace foxbench::client
