#include "service/daemon/routes.hpp"

#include <gmock/gmock.h>

#include "service/http/openapi.hpp"

namespace foxbench::daemon {
namespace {

/// Handlers are not called here, so that a context of nothing will do: only its address is kept.
TEST(Routes, AreThoseOfTheOpenApiDocument) {
    alignas(Context) static std::byte nothing[sizeof(Context)];
    const auto table = make_routes(reinterpret_cast<Context&>(nothing), nullptr);
    const auto document = document::parse_json(http::openapi_text(), "openapi.json");
    EXPECT_THAT(http::check_openapi(table, document), testing::IsEmpty());
}

}  // namespace
}  // namespace foxbench::daemon
